import { type Db, type Trx, transact } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { nextTimeOfDay, slotsAfter } from './slots.ts';

const BATCH = 500;
const DAY_MS = 86_400_000;

/** After a long stop only the latest creation time counts; the days before are not made up for. */
function latestCreation(
  user: { contentCreationTime: string; timeZone: string; nextRunAt: Date | null },
  now: Date,
): Date {
  const times = { publishTimes: [user.contentCreationTime], timeZone: user.timeZone };
  // Local days last 23 to 25 hours, so the times of the last two days are looked through.
  const recent = slotsAfter(new Date(now.getTime() - 2 * DAY_MS), times)
    .take(3)
    .toArray();
  return recent.findLast(({ at }) => at <= now)?.at ?? user.nextRunAt!;
}

/**
 * Starts one run for every user whose content creation time has come: automation on, a plan, at least one
 * active topic. Each user's next time is planned in the same transaction, and a run is unique by user and
 * instant, so that two ticks start one. Answers how many runs were started.
 */
export async function startDueRuns(db: Db, now = new Date()): Promise<number> {
  let started = 0;
  for (;;) {
    const batch = await transact(db, (trx) => startBatch(trx, now));
    started += batch.started;
    if (batch.looked < BATCH) return started;
  }
}

async function startBatch(trx: Trx, now: Date): Promise<{ looked: number; started: number }> {
  const due = await lockDueUsers(trx, now);
  for (const user of due) {
    await trx
      .updateTable('automationSettings')
      .set({ nextRunAt: nextTimeOfDay(user.contentCreationTime, user.timeZone, now) })
      .where('userId', '=', user.id)
      .execute();
  }
  const values = due
    .filter((user) => user.postsPerDay !== null && user.hasTopic)
    .map((user) => ({
      userId: user.id,
      scheduledFor: latestCreation(user, now),
      requested: user.postsPerDay!,
    }));
  if (values.length === 0) return { looked: due.length, started: 0 };
  const runs = await trx
    .insertInto('runs')
    .values(values)
    .onConflict((conflict) => conflict.columns(['userId', 'scheduledFor']).doNothing())
    .returning('id as runId')
    .execute();
  await enqueueAll(trx, jobs.writeRun, runs);
  return { looked: due.length, started: runs.length };
}

/** Users whose time has come, with the plan that covers now and whether they have anything to write about. */
function lockDueUsers(trx: Trx, now: Date) {
  return trx
    .selectFrom('automationSettings as settings')
    .innerJoin('users', 'users.id', 'settings.userId')
    .leftJoin('payments', (join) =>
      join
        .onRef('payments.userId', '=', 'users.id')
        .on('payments.status', '=', 'active')
        .on('payments.startsAt', '<=', now)
        .on('payments.endsAt', '>', now),
    )
    .select(['users.id', 'users.timeZone', 'settings.contentCreationTime', 'settings.nextRunAt'])
    .select(['payments.postsPerDay'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('topics')
          .select('topics.id')
          .whereRef('topics.userId', '=', 'users.id')
          .where('topics.isActive', '=', true),
      ).as('hasTopic'),
    )
    .where('settings.isEnabled', '=', true)
    .where('settings.nextRunAt', '<=', now)
    .orderBy('settings.nextRunAt')
    .limit(BATCH)
    .forUpdate('settings')
    .skipLocked()
    .execute();
}
