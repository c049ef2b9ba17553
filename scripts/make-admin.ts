import { parseArgs } from 'node:util';
import { createDatabase, type Db } from '#app/db/client.ts';
import { resetTwoStep } from '#app/domain/accounts/two-step.ts';
import { setRole } from '#app/domain/accounts/users.ts';
import { watchEvents } from '#app/domain/events.ts';
import { logger } from '#app/log.ts';
import { commandDatabase } from '#scripts/settings.ts';

const { values, positionals } = parseArgs({
  options: { 'reset-two-step': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const email = positionals[0]?.trim().toLowerCase();

const NOBODY = 'Nobody has signed up as';

async function promote(db: Db, address: string): Promise<string> {
  const isKnown = await setRole(db, address, 'admin');
  if (!isKnown) throw new Error(`${NOBODY} ${address}. Sign up first, then run this again.`);
  return `${address} is an admin now, and has to sign in again.`;
}

async function reset(db: Db, address: string): Promise<string> {
  const was = await resetTwoStep(db, address);
  if (was === 'unknown') throw new Error(`${NOBODY} ${address}.`);
  return was === 'off'
    ? `${address} signs in in one step already.`
    : `${address} signs in in one step now, was signed out everywhere, and is told so by mail.`;
}

async function run(address: string) {
  watchEvents((event) => logger().info(event, 'event'));
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 1);
  try {
    console.log(await (values['reset-two-step'] ? reset : promote)(db, address));
  } finally {
    await db.destroy();
    await database.stop();
  }
}

try {
  if (!email) throw new Error('Usage: npm run admin -- [--reset-two-step] you@example.com');
  await run(email);
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(message || `The database cannot be reached (${code}).`);
  process.exitCode = 1;
}
