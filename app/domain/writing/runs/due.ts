import { type Db, type Trx, transact } from '#app/db/client.ts';
import { instantOfRun, lockDueUsers, planRun } from '#app/domain/automation/due-users.ts';
import { nextTimeOfDay } from '#app/domain/automation/slots.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { hasTopicWithTurns } from '#app/domain/topics/predicates.ts';
import { RUNS_A_DAY_MAX } from '#app/domain/writing/limits.ts';

const BATCH = 500;
const HOUR_MS = 3_600_000;

/**
 * Starts one run for every user whose content creation time has come and who has automation on, a plan and a topic with
 * turns. The next time is planned in the same transaction, and a run is unique by user and instant, so two ticks start
 * one run. A user who has had the runs of a day is checked again within the hour. Returns the number of runs started.
 */
export async function startDueRuns(db: Db, now = new Date()): Promise<number> {
  let started = 0;
  for (;;) {
    const batch = await transact(db, (trx) => startBatch(trx, now));
    started += batch.started;
    if (batch.checked < BATCH) return started;
  }
}

const hasRoom = ({ runsOfDay }: { runsOfDay: number }) => runsOfDay < RUNS_A_DAY_MAX;

async function startBatch(trx: Trx, now: Date): Promise<{ checked: number; started: number }> {
  const due = await lockDueUsers(trx, now, BATCH)
    .select(hasTopicWithTurns('automationSettings.userId').as('hasTopic'))
    .execute();
  for (const user of due) {
    const next = nextTimeOfDay(user.contentCreationTime, user.timeZone, now);
    const recheck = new Date(Math.min(next.getTime(), now.getTime() + HOUR_MS));
    await planRun(trx, user.userId, hasRoom(user) ? next : recheck);
  }
  const values = due
    .filter(
      ({ postsPerDay, hasTopic, runsOfDay }) => postsPerDay !== null && hasTopic && hasRoom({ runsOfDay }),
    )
    .map((user) => ({
      userId: user.userId,
      scheduledFor: instantOfRun(user, now),
      requested: user.postsPerDay!,
      createdAt: now,
    }));
  if (values.length === 0) return { checked: due.length, started: 0 };
  const runs = await trx
    .insertInto('generationRuns')
    .values(values)
    .onConflict((conflict) => conflict.columns(['userId', 'scheduledFor']).doNothing())
    .returning('id as runId')
    .execute();
  await enqueueAll(trx, jobs.writeRun, runs);
  return { checked: due.length, started: runs.length };
}
