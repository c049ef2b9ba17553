import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { handToOwners } from '#app/domain/publishing/safety/after-restore.ts';
import { isKnownDatabase, releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { listOverdue } from '#app/domain/publishing/state/schedule.ts';
import { commandDatabase } from '#scripts/start/settings.ts';
import { tellFault } from './command-fault.ts';

const MOST_LINES = 50;
const HELP = `Usage: npm run resume-publishing             shows what is overdue
       npm run resume-publishing -- --yes     releases publishing on your own word that none of it is on LinkedIn: it
                                              goes out, or moves when it is too late; what is held or waits for approval
                                              goes on as usual. What is there already comes a second time
       npm run resume-publishing -- --ask     releases publishing; of all that is overdue nothing goes out by itself: its
                                              owners are asked by mail to look on LinkedIn and to decide`;

const countOf = (number: number) => (number === 1 ? '1 post' : `${number} posts`);

type Overdue = Awaited<ReturnType<typeof listOverdue>>[number];

/** What else is to be known of an overdue post. */
function noteOf({ status, heldAt, isManual, dueAt }: Overdue, now: Date): string {
  if (status === 'pending') return '  waits for approval';
  const isAhead = dueAt > now;
  return `${isManual ? '  by hand' : ''}${isAhead ? ', by a clock that was ahead' : ''}${heldAt ? '  held' : ''}`;
}

async function show(db: Db, now: Date): Promise<void> {
  const isKnown = await isKnownDatabase(db);
  console.log(
    isKnown
      ? 'This is the database that publishing was released for.'
      : 'This is not the database that publishing was released for: it was restored or copied, or another server took over.',
  );
  const overdue = await listOverdue(db, now);
  console.log(`It is ${now.toISOString()}. ${countOf(overdue.length)} should be out:`);
  for (const each of overdue.slice(0, MOST_LINES)) {
    const { postId, userId, dueAt } = each;
    console.log(`  ${dueAt.toISOString()}  post ${postId}  of user ${userId}${noteOf(each, now)}`);
  }
  if (overdue.length > MOST_LINES) console.log(`  and ${overdue.length - MOST_LINES} more`);
}

/** Somebody who may not release would be refused when owners have been asked already. */
async function requireWorker(db: Db): Promise<void> {
  const { rows } = await sql<{ me: string; may: boolean }>`
    select current_user as me, has_table_privilege('publishing_epoch', 'update') as may`.execute(db);
  const { me, may } = rows[0]!;
  if (!may)
    throw new Error(
      `The role ${me} may not release publishing. Run this in the environment of a worker; nothing was done.`,
    );
}

async function run(wish: string | undefined) {
  const database = await commandDatabase();
  // It does what workers do.
  const { db } = createDatabase(database.workerUrl ?? database.url, 2);
  try {
    await requireWorker(db);
    const now = await databaseTime(db);
    await show(db, now);
    if (!wish) return console.log(`\n${HELP}`);
    if (wish === '--ask') {
      const asked = await handToOwners(db, now);
      console.log(
        `The ${asked === 1 ? 'owner' : 'owners'} of ${countOf(asked)} ${asked === 1 ? 'is' : 'are'} asked.`,
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
  const wish = process.argv[2];
  if (wish && !['--yes', '--ask'].includes(wish)) throw new Error(HELP);
  await run(wish);
} catch (error) {
  tellFault(error, 'worker');
}
