import { type CronItem, type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import type { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { deliverMail } from '#app/domain/email/send.ts';
import { inJob } from '#app/domain/platform/events.ts';
import { jobs, type Lane, TICK_PRIORITY, ticks } from '#app/domain/platform/jobs.ts';
import { recordTickStart } from '#app/domain/platform/tick-times.ts';
import { probeLinkedIn } from '#app/domain/publishing/safety/probe.ts';
import { sendBatch } from '#app/domain/publishing/send/batch-sender.ts';
import { confirmOne } from '#app/domain/publishing/send/concurrency.ts';
import { publishQueued } from '#app/domain/publishing/send/image-queue.ts';
import { tickPublishing } from '#app/domain/publishing/send/tick.ts';
import { refitQueue } from '#app/domain/publishing/slots/apply-settings.ts';
import { sendWebhooks } from '#app/domain/webhooks/deliver.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { loggedError, logger } from '#app/log.ts';
import { measureAttempt } from './metrics.ts';
import { runSweeps, SWEEPS } from './sweeps.ts';

type JobRunners = {
  [K in keyof typeof jobs]: (db: Db, payload: z.output<(typeof jobs)[K]['payload']>) => Promise<unknown>;
};
type TickRunners = Record<keyof typeof ticks, (db: Db, now: Date) => Promise<unknown>>;

/** Each is safe to run twice. */
export const jobRunners = {
  sendBatch: (db, { part }) => sendBatch(db, part),
  publishPost: (db, { postId }) => publishQueued(db, postId),
  confirmAttempt: (db, { attemptId }) => confirmOne(db, attemptId),
  writeRun: async (db, { runId }) => writeRun(db, runId, await databaseTime(db)),
  sendMail: (db, { mailId }) => deliverMail(db, mailId),
  sendWebhook: (db, { deliveryId }) => sendWebhooks(db, deliveryId),
  refitQueue: async (db, { userId }) => refitQueue(db, userId, await databaseTime(db)),
} satisfies JobRunners;

export const tickRunners = {
  tickPublishing,
  sweepPublishing: (db, now) => runSweeps(SWEEPS.publishing, db, now),
  tickWriting: (db, now) => startDueRuns(db, now),
  sweep: (db, now) => runSweeps(SWEEPS.everyMinute, db, now),
  sweepHourly: (db, now) => runSweeps(SWEEPS.hourly, db, now),
  sweepDaily: (db, now) => runSweeps(SWEEPS.daily, db, now),
  probeLinkedIn: (db, now) => probeLinkedIn(db, now),
} satisfies TickRunners;

/** graphile-worker stores the message of the error, so personal data and secrets are removed as for the log. */
const runAttempt = (name: string, jobId: string, payload: unknown, run: () => Promise<unknown>) =>
  inJob(jobId, payload, () =>
    measureAttempt(name, async () => void (await run())).catch((error) => {
      throw loggedError(error);
    }),
  );

const keysOf = <T extends object>(value: T) => Object.keys(value) as (keyof T)[];

export function tasksOf(lane: Lane, db: Db): TaskList {
  const tasks: TaskList = {};
  for (const key of keysOf(jobs)) {
    const { name, lane: jobLane, payload: schema } = jobs[key];
    // Each runner takes the parsed payload of its own job, which TypeScript can't express in a loop over all jobs.
    const run = jobRunners[key] as (db: Db, payload: unknown) => Promise<unknown>;
    if (jobLane === lane)
      tasks[name] = (payload, { job }) =>
        runAttempt(name, job.id, payload, async () => run(db, schema.parse(payload)));
  }
  for (const key of keysOf(ticks)) {
    const { name, lane: tickLane } = ticks[key];
    if (tickLane === lane)
      tasks[name] = (_payload, { job }) =>
        runAttempt(name, job.id, null, async () => {
          const now = await databaseTime(db);
          // A tick does its work also when its start can't be recorded.
          const recording = recordTickStart(db, name, now).catch((err) =>
            logger().error({ err }, `the time of ${name} could not be noted`),
          );
          await tickRunners[key](db, now);
          await recording;
        });
  }
  return tasks;
}

export function timetableOf(lane: Lane): ParsedCronItem[] {
  const items = Object.values(ticks).filter((tick) => tick.lane === lane);
  return parseCronItems(
    items.map(
      ({ name, timetable, maxAttempts }): CronItem => ({
        task: name,
        identifier: name,
        match: timetable,
        // addLateTicks instead of a backfill, which adds every missed minute, and none after a clock that was ahead.
        options: { backfillPeriod: 0, maxAttempts, priority: TICK_PRIORITY },
      }),
    ),
  );
}
