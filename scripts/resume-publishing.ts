import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { askOwners } from '#app/domain/publishing/safety/after-restore.ts';
import { isReleased, releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { listOverdue } from '#app/domain/publishing/state/schedule.ts';
import { commandDatabase } from '#scripts/start/settings.ts';
import { reportCommandError } from './command-fault.ts';

const MOST_LINES = 50;
const HELP = `Usage: npm run resume-publishing             shows what is overdue
       npm run resume-publishing -- --yes     releases publishing on your own word that none of it is on LinkedIn: it
                                              goes out, or moves when it is too late; what is held or waits for approval
                                              goes on as usual. What is there already comes a second time
       npm run resume-publishing -- --ask     releases publishing; of all that is overdue nothing goes out by itself: its
                                              owners are asked by mail to look on LinkedIn and to decide`;

const countPosts = (number: number) => (number === 1 ? '1 post' : `${number} posts`);

type Overdue = Awaited<ReturnType<typeof listOverdue>>[number];

function noteOf({ status, heldAt, isManual, dueAt }: Overdue, now: Date): string {
  if (status === 'pending') return '  waits for approval';
  const isAhead = dueAt > now;
  return `${isManual ? '  by hand' : ''}${isAhead ? ', by a clock that was ahead' : ''}${heldAt ? '  held' : ''}`;
}

async function show(db: Db, now: Date): Promise<void> {
  const isForThisDatabase = await isReleased(db);
  console.log(
    isForThisDatabase
      ? 'This is the database that publishing was released for.'
      : 'This is not the database that publishing was released for: it was restored or copied, or another server took over.',
  );
  const overdue = await listOverdue(db, now);
  console.log(`It is ${now.toISOString()}. ${countPosts(overdue.length)} should be out:`);
  for (const post of overdue.slice(0, MOST_LINES)) {
    const { postId, userId, dueAt } = post;
    console.log(`  ${dueAt.toISOString()}  post ${postId}  of user ${userId}${noteOf(post, now)}`);
  }
  if (overdue.length > MOST_LINES) console.log(`  and ${overdue.length - MOST_LINES} more`);
}

/** Checked first: a role without this right would fail at the release, after the owners have been mailed. */
async function requireWorker(db: Db): Promise<void> {
  const { rows } = await sql<{ me: string; mayRelease: boolean }>`
    select current_user as me, has_table_privilege('publishing_epoch', 'update') as may_release`.execute(db);
  const { me, mayRelease } = rows[0]!;
  if (!mayRelease)
    throw new Error(
      `The role ${me} may not release publishing. Run this in the environment of a worker; nothing was done.`,
    );
}

async function run(option: string | undefined) {
  const database = await commandDatabase();
  // Writes rows that only the worker's role may write.
  const { db } = createDatabase(database.workerUrl ?? database.url, 2);
  try {
    await requireWorker(db);
    const now = await databaseTime(db);
    await show(db, now);
    if (!option) return console.log(`\n${HELP}`);
    if (option === '--ask') {
      const count = await askOwners(db, now);
      console.log(
        `The ${count === 1 ? 'owner' : 'owners'} of ${countPosts(count)} ${count === 1 ? 'is' : 'are'} asked.`,
      );
    }
    await releaseEpoch(db);
    console.log('Publishing is released. Workers go on within a minute.');
  } finally {
    await db.destroy();
    await database.stop();
  }
}

try {
  const option = process.argv[2];
  if (option && !['--yes', '--ask'].includes(option)) throw new Error(HELP);
  await run(option);
} catch (error) {
  reportCommandError(error, 'worker');
}
