import { createDatabase, type Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { askOwners } from '#app/domain/publishing/after-restore.ts';
import { isReleased, releaseEpoch } from '#app/domain/publishing/epoch.ts';
import { listOverdue } from '#app/domain/queue/deliveries.ts';
import { commandDatabase } from '#scripts/settings.ts';

const MOST_LINES = 50;
const HELP = `Usage: npm run resume-publishing             shows what would go out
       npm run resume-publishing -- --yes     releases publishing; what is overdue goes out, or moves when it is too late
       npm run resume-publishing -- --ask     the same, but asks the owners of what is overdue to look on LinkedIn first`;

async function show(db: Db, now: Date): Promise<void> {
  const isKnown = await isReleased(db);
  console.log(
    isKnown
      ? 'This is the database that publishing was released for.'
      : 'This is not the database that publishing was released for: it was restored or copied, or another server took over.',
  );
  const overdue = (await listOverdue(db, now)).filter(({ heldAt }) => heldAt === null);
  const posts = overdue.length === 1 ? '1 post' : `${overdue.length} posts`;
  console.log(`${posts} should be out by ${now.toISOString()} and would go out now:`);
  for (const { postId, userId, dueAt, isByHand } of overdue.slice(0, MOST_LINES)) {
    console.log(`  ${dueAt.toISOString()}  post ${postId}  of user ${userId}${isByHand ? '  by hand' : ''}`);
  }
  if (overdue.length > MOST_LINES) console.log(`  and ${overdue.length - MOST_LINES} more`);
}

async function run(wish: string | undefined) {
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 2);
  try {
    const now = await databaseTime(db);
    await show(db, now);
    if (!wish) return console.log(`\n${HELP}`);
    if (wish === '--ask') console.log(`The owners of ${await askOwners(db, now)} posts are asked.`);
    await releaseEpoch(db);
    console.log('Publishing is released. Workers go on within a minute.');
  } finally {
    await db.destroy();
    await database.stop();
  }
}

try {
  const wish = process.argv[2];
  if (wish && !['--yes', '--ask'].includes(wish)) throw new Error(HELP);
  await run(wish);
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(message || `The database cannot be reached (${code}).`);
  process.exitCode = 1;
}
