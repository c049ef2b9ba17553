import { createDatabase } from '#app/db/client.ts';
import { rotateKeys } from '#app/domain/operations/rotate-keys.ts';
import { commandDatabase, secretKeys } from '#scripts/start/settings.ts';
import { reportCommandError } from './command-fault.ts';

const DONE =
  'Keep the old keys for as long as links in mails that are out are to work; nothing else needs them.';
const UNREADABLE =
  'What could not be opened names a key that SECRET_KEYS does not have. Put it behind the others.';

async function run() {
  const isLocalDatabase = !process.env.DATABASE_URL && process.env.NODE_ENV !== 'production';
  if (isLocalDatabase) process.env.SECRET_KEYS ||= secretKeys();
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 1);
  try {
    const results = Object.entries(await rotateKeys(db));
    for (const [kind, { renewed, unreadable }] of results) {
      const failed = unreadable > 0 ? `, ${unreadable} could not be opened` : '';
      console.log(`${kind}: ${renewed} sealed anew${failed}`);
    }
    if (results.some(([, { unreadable }]) => unreadable > 0)) throw new Error(UNREADABLE);
    console.log(DONE);
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
