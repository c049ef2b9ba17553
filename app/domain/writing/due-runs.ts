import { type Db, type Trx, transact } from '#app/db/client.ts';
import { instantOfRun, lockDueUsers, planRun } from '#app/domain/automation/due-users.ts';
import { nextTimeOfDay } from '#app/domain/automation/slots.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { hasActiveTopic } from '#app/domain/topics/facts.ts';

const BATCH = 500;

/**
 * Starts one run for every user whose content creation time has come: automation on, a plan, at least one
 * active topic. Each user's next time is planned in the same transaction, and a run is unique by user and
 * instant, so that two ticks start one. Loops until nobody is due. Answers how many runs were started.
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
  const due = await lockDueUsers(trx, now, BATCH)
    .select(hasActiveTopic('automationSettings.userId').as('hasTopic'))
    .execute();
  for (const { userId, contentCreationTime, timeZone } of due) {
    await planRun(trx, userId, nextTimeOfDay(contentCreationTime, timeZone, now));
  }
  const values = due
    .filter(({ postsPerDay, hasTopic }) => postsPerDay !== null && hasTopic)
    .map((user) => ({
      userId: user.userId,
      scheduledFor: instantOfRun(user, now),
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
