import { parseArgs } from 'node:util';
import { createDatabase, type Db } from '#app/db/client.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { resetTwoStep } from '#app/domain/accounts/two-step/two-step.ts';
import { findUserByEmail, setRole } from '#app/domain/accounts/users.ts';
import { watchEvents } from '#app/domain/platform/events.ts';
import { logger } from '#app/log.ts';
import { commandDatabase } from '#scripts/start/settings.ts';
import { reportCommandError } from './command-fault.ts';

const USAGE = 'Usage: npm run admin -- [--reset-two-step] you@example.com';
const RESET = 'reset-two-step';

const UNKNOWN_USER = 'Nobody has signed up as';

async function requireNotDisabled(db: Db, address: string): Promise<void> {
  const userId = (await findUserByEmail(db, address))?.id;
  if (userId && (await findDisabled(db, userId)))
    throw new Error(`${address} is disabled. Another admin has to enable the account first.`);
}

async function promote(db: Db, address: string): Promise<string> {
  await requireNotDisabled(db, address);
  const previousRole = await setRole(db, address, 'admin');
  if (!previousRole) throw new Error(`${UNKNOWN_USER} ${address}. Sign up first, then run this again.`);
  return previousRole === 'admin'
    ? `${address} is an admin already.`
    : `${address} is an admin now, and has to sign in again.`;
}

async function reset(db: Db, address: string): Promise<string> {
  const result = await resetTwoStep(db, address);
  if (result === 'unknown') throw new Error(`${UNKNOWN_USER} ${address}.`);
  return result === 'off'
    ? `${address} signs in in one step already.`
    : `${address} signs in in one step now, was signed out everywhere, and is told so by mail.`;
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { [RESET]: { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
  });
  const email = positionals[0]?.trim().toLowerCase();
  if (!email || positionals.length > 1 || Object.keys(values).some((name) => name !== RESET))
    throw new Error(USAGE);
  return { email, command: values[RESET] ? reset : promote };
}

async function run() {
  const { email, command } = readArguments();
  watchEvents((event) => logger().info(event, 'event'));
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 1);
  try {
    console.log(await command(db, email));
  } finally {
    await db.destroy();
    await database.stop();
  }
}

try {
  await run();
} catch (error) {
  reportCommandError(error, 'web');
}
