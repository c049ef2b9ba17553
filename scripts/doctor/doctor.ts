/** Checks everything the product needs, prints a line for each check, and exits with 0 only when all are ok. */

import path from 'node:path';
import { createDatabase, type Db } from '#app/db/client.ts';
import { lastDays } from '#app/domain/automation/slots.ts';
import { listAccessTokens } from '#app/domain/linkedin/access/any-tokens.ts';
import { listPublishedByDay } from '#app/domain/operations/daily-figures.ts';
import { openGeoip } from '#app/domain/platform/geoip.ts';
import { findHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';
import { env } from '#app/env.ts';
import {
  commandDatabase,
  readEnvFile,
  savedSandboxAddresses,
  withEnvironment,
} from '#scripts/start/settings.ts';
import { databaseChecks } from './database-checks.ts';
import { type Check, CheckFailure, type CheckResult, runCheck } from './look.ts';
import { outsideChecks } from './outside-checks.ts';

/** Without the file, users see networks instead of countries in their list of devices. */
const geoip: Check = {
  name: 'places',
  fix: 'GEOIP_DB has to name an MMDB file that this user may read; without it the one that comes with Tidepost is read.',
  run: async () => {
    try {
      const { file, builtAt } = openGeoip();
      return `${path.basename(file)} of ${builtAt.toISOString().slice(0, 10)} tells countries from addresses`;
    } catch (error) {
      throw new Error(`${env().GEOIP_DB ?? 'The packaged file'} cannot be read: ${(error as Error).message}`);
    }
  },
};

const MINUTE = 60_000;
/** Longer than the minute between two heartbeats of the worker. */
const MOST_BEHIND_MS = 3 * MINUTE;

/** Throws when the read replica belongs to another database, or is too far behind. */
async function requireSame(copy: Db, db: Db): Promise<void> {
  const [onCopy, onPrimary] = [await findHeartbeat(copy), await findHeartbeat(db)];
  if (onCopy.server !== onPrimary.server || onCopy.epoch !== onPrimary.epoch)
    throw new CheckFailure('It is no copy of this database', 'Check DATABASE_READ_URL, and its replication.');
  if (!onPrimary.tickedAt || !onCopy.tickedAt) return;
  const behindMs = onPrimary.tickedAt.getTime() - onCopy.tickedAt.getTime();
  if (behindMs > MOST_BEHIND_MS)
    throw new CheckFailure(
      `It is ${Math.round(behindMs / MINUTE)} minutes behind`,
      'Look at its replication.',
    );
}

async function checkCopy(db: Db, url: string): Promise<string> {
  const { db: copy } = createDatabase(url, 1);
  try {
    // A query of the admin dashboard, which fails for a role that may connect but not read.
    for (const today of lastDays(1, 'UTC', new Date())) await listPublishedByDay(copy, today);
    await requireSame(copy, db);
    return `${new URL(url).host} answers`;
  } finally {
    await copy.destroy();
  }
}

/** The app silently uses the main database when the replica of DATABASE_READ_URL fails, so only this check shows it. */
const copyChecks = (db: Db, url: string | undefined): Check[] =>
  url
    ? [
        {
          name: 'copy',
          fix: 'Check DATABASE_READ_URL, and that its role was there at the last `npm run migrate`.',
          run: () => checkCopy(db, url),
        },
      ]
    : [];

const NAME_WIDTH = 14;
const REACH_FIX = 'Start PostgreSQL and check DATABASE_URL: host, port, name, user and password.';
let isAllOk = true;

function print({ name, isOk, message }: CheckResult): void {
  isAllOk &&= isOk;
  console.log(`${isOk ? '✔' : '✖'} ${name.padEnd(NAME_WIDTH)} ${message}`);
}

async function runAll(checks: Check[]): Promise<void> {
  for (const result of await Promise.all(checks.map(runCheck))) print(result);
}

function isConfigured(): boolean {
  readEnvFile();
  try {
    Object.assign(process.env, withEnvironment(savedSandboxAddresses()));
    env();
    print({ name: 'configuration', isOk: true, message: `complete, for ${env().NODE_ENV}` });
    return true;
  } catch (error) {
    const [, ...faults] = (error as Error).message.split('\n');
    for (const fault of faults) {
      print({
        name: 'configuration',
        isOk: false,
        message: `${fault} Set it in the environment; .env.example says how.`,
      });
    }
    return false;
  }
}

/** Returns access tokens of some members, for the checks of LinkedIn. */
async function checkDatabase(): Promise<string[]> {
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 5);
  const checks = [...databaseChecks(db), ...copyChecks(db, database.readUrl)];
  try {
    const host = new URL(database.url).host;
    const query = () => db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
    const reached = await runCheck({
      name: 'database',
      fix: REACH_FIX,
      run: () => query().then(() => `${host} answers`),
    });
    print(reached);
    if (reached.isOk) {
      await runAll(checks);
      return await listAccessTokens(db, new Date()).catch(() => []);
    }
    for (const { name } of checks) {
      print({ name, isOk: false, message: 'Not looked at. First the database has to answer.' });
    }
    return [];
  } finally {
    await db.destroy();
    await database.stop();
  }
}

if (isConfigured()) {
  const tokens = await checkDatabase().catch((error: Error) => {
    print({ name: 'database', isOk: false, message: `${error.message} ${REACH_FIX}` });
    return [];
  });
  await runAll([...outsideChecks(tokens), geoip]);
}
console.log(isAllOk ? '\nAll is well.' : '\nSomething is wrong: see the lines with ✖.');
// HTTP clients keep connections open, so the process would not end soon.
process.exit(isAllOk ? 0 : 1);
