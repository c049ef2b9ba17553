import { createDatabase } from '#app/db/client.ts';
import { makeAdmin } from '#app/domain/accounts/users.ts';
import { commandDatabase } from '#scripts/settings.ts';

const email = process.argv[2]?.trim().toLowerCase();

async function run(address: string) {
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 1);
  try {
    const isKnown = await makeAdmin(db, address);
    if (!isKnown) throw new Error(`Nobody has signed up as ${address}. Sign up first, then run this again.`);
    console.log(`${address} is an admin now.`);
  } finally {
    await db.destroy();
    await database.stop();
  }
}

try {
  if (!email) throw new Error('Usage: npm run admin -- you@example.com');
  await run(email);
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(message || `The database cannot be reached (${code}).`);
  process.exitCode = 1;
}
