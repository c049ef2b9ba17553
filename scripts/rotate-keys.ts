import { createDatabase } from '#app/db/client.ts';
import { rotateKeys } from '#app/domain/operations/rotate-keys.ts';
import { commandDatabase, secretKeys } from '#scripts/start/settings.ts';
import { tellFault } from './command-fault.ts';

const DONE =
  'Keep the old keys for as long as links in mails that are out are to work; nothing else needs them.';
const UNREADABLE =
  'What could not be opened names a key that SECRET_KEYS does not have. Put it behind the others.';

async function run() {
  const isOfStart = !process.env.DATABASE_URL && process.env.NODE_ENV !== 'production';
  if (isOfStart) process.env.SECRET_KEYS ||= secretKeys();
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 1);
  try {
    const kinds = Object.entries(await rotateKeys(db));
    for (const [what, { renewed, unreadable }] of kinds) {
      const not = unreadable > 0 ? `, ${unreadable} could not be opened` : '';
      console.log(`${what}: ${renewed} sealed anew${not}`);
    }
    const isWhole = kinds.every(([, { unreadable }]) => unreadable === 0);
    if (!isWhole) throw new Error(UNREADABLE);
    console.log(DONE);
  } finally {
    await db.destroy();
    await database.stop();
  }
}

try {
  await run();
} catch (error) {
  tellFault(error, 'web');
}
