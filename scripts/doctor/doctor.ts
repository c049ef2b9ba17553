/** Looks at everything the product needs: a line for each, and status 0 only when all is well. */

import path from 'node:path';
import { createDatabase, type Db } from '#app/db/client.ts';
import { lastDays } from '#app/domain/automation/slots.ts';
import { listAccessTokens } from '#app/domain/linkedin/access/any-tokens.ts';
import { listPublishedByDay } from '#app/domain/operations/daily-figures.ts';
import { openGeoip } from '#app/domain/platform/geoip.ts';
import { findHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';
import { env } from '#app/env.ts';
import { commandDatabase, outsideOfStart, readEnvFile, underEnvironment } from '#scripts/start/settings.ts';
import { databaseChecks } from './database-checks.ts';
import { type Check, Fault, type Finding, lookAt } from './look.ts';
import { outsideChecks } from './outside-checks.ts';

/** The file that tells from where an account is signed in to. Without it users read of networks. */
const places: Check = {
  name: 'places',
  cure: 'GEOIP_DB has to name an MMDB file that this user may read; without it the one that comes with Tidepost is read.',
  look: async () => {
    try {
      const { file, builtAt } = openGeoip();
      return `${path.basename(file)} of ${builtAt.toISOString().slice(0, 10)} tells countries from addresses`;
    } catch (error) {
      throw new Error(`${env().GEOIP_DB ?? 'The packaged file'} cannot be read: ${(error as Error).message}`);
    }
  },
};

const MINUTE = 60_000;
/** The worker writes down each minute that it ticks. */
const BEHIND_MS = 3 * MINUTE;

/** Refuses what answers well and tells of another time, or of others. */
async function requireSame(copy: Db, db: Db): Promise<void> {
  const [there, here] = [await findHeartbeat(copy), await findHeartbeat(db)];
  if (there.server !== here.server || there.epoch !== here.epoch)
    throw new Fault('It is no copy of this database', 'Check DATABASE_READ_URL, and its replication.');
  if (!here.tickedAt || !there.tickedAt) return;
  const behindMs = here.tickedAt.getTime() - there.tickedAt.getTime();
  if (behindMs > BEHIND_MS)
    throw new Fault(`It is ${Math.round(behindMs / MINUTE)} minutes behind`, 'Look at its replication.');
}

async function look(db: Db, url: string): Promise<string> {
  const { db: copy } = createDatabase(url, 1);
  try {
    // What the desk shows: a role that may connect and no more reads none of it.
    for (const today of lastDays(1, 'UTC', new Date())) await listPublishedByDay(copy, today);
    await requireSame(copy, db);
    return `${new URL(url).host} answers`;
  } finally {
    await copy.destroy();
  }
}

/** The copy that the figures of the desk are read from, where one is named: without it the database answers, and nobody notices. */
const copyChecks = (db: Db, url: string | undefined): Check[] =>
  url
    ? [
        {
          name: 'copy',
          cure: 'Check DATABASE_READ_URL, and that its role was there at the last `npm run migrate`.',
          look: () => look(db, url),
        },
      ]
    : [];

const NAME_WIDTH = 14;
const REACH = 'Start PostgreSQL and check DATABASE_URL: host, port, name, user and password.';
let isAllWell = true;

function tell({ name, isWell, words }: Finding): void {
  isAllWell &&= isWell;
  console.log(`${isWell ? '✔' : '✖'} ${name.padEnd(NAME_WIDTH)} ${words}`);
}

async function tellAll(checks: Check[]): Promise<void> {
  for (const finding of await Promise.all(checks.map(lookAt))) tell(finding);
}

/** Everything else needs it, so that nothing more is looked at when it has a fault. */
function isConfigured(): boolean {
  readEnvFile();
  try {
    Object.assign(process.env, underEnvironment(outsideOfStart()));
    env();
    tell({ name: 'configuration', isWell: true, words: `complete, for ${env().NODE_ENV}` });
    return true;
  } catch (error) {
    const [, ...faults] = (error as Error).message.split('\n');
    for (const words of faults) {
      tell({
        name: 'configuration',
        isWell: false,
        words: `${words} Set it in the environment; .env.example says how.`,
      });
    }
    return false;
  }
}

/** Answers tokens of some members, with which more can be asked outside. */
async function lookAtDatabase(): Promise<string[]> {
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 5);
  const checks = [...databaseChecks(db), ...copyChecks(db, database.readUrl)];
  try {
    const host = new URL(database.url).host;
    const look = () => db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
    const reached = await lookAt({
      name: 'database',
      cure: REACH,
      look: () => look().then(() => `${host} answers`),
    });
    tell(reached);
    if (reached.isWell) {
      await tellAll(checks);
      return await listAccessTokens(db, new Date()).catch(() => []);
    }
    for (const { name } of checks) {
      tell({ name, isWell: false, words: 'Not looked at. First the database has to answer.' });
    }
    return [];
  } finally {
    await db.destroy();
    await database.stop();
  }
}

if (isConfigured()) {
  const tokens = await lookAtDatabase().catch((error: Error) => {
    tell({ name: 'database', isWell: false, words: `${error.message} ${REACH}` });
    return [];
  });
  await tellAll([...outsideChecks(tokens), places]);
}
console.log(isAllWell ? '\nAll is well.' : '\nSomething is wrong: see the lines with ✖.');
// The clients of the outside world keep connections open for the next call.
process.exit(isAllWell ? 0 : 1);
