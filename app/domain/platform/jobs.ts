import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type Db, transact } from '#app/db/client.ts';
import { eventContext } from './events.ts';

/** Each lane has its own workers and connections: publishing must not wait for writing or for slow webhooks. */
export const LANES = ['publishing', 'writing', 'upkeep', 'webhooks'] as const;
export type Lane = (typeof LANES)[number];

export type Job<P, Name extends string = string> = {
  name: Name;
  lane: Lane;
  payload: z.ZodType<P>;
  maxAttempts: number;
  /** Identifies the subject: one waiting job for each key. */
  key: (payload: P) => string;
  /** Runs before the other jobs of its lane, because it is useless when it is late. */
  isUrgent?: boolean;
};

export type Tick<Name extends string = string> = {
  name: Name;
  lane: Lane;
  timetable: string;
  maxAttempts: number;
};

const job = <P, const Name extends string>(definition: Job<P, Name>): Job<P, Name> => definition;
const tick = <const Name extends string>(definition: Tick<Name>): Tick<Name> => definition;

/** All jobs. Payloads contain ids only, and that of the request; the rows hold the data. */
export const jobs = {
  /** Several of these run at the same time, each publishing as many due posts as it can. */
  sendBatch: job({
    name: 'send-batch',
    lane: 'publishing',
    payload: z.object({ part: z.int() }),
    maxAttempts: 3,
    key: ({ part }) => `send-batch:${part}`,
  }),
  publishPost: job({
    name: 'publish-post',
    lane: 'publishing',
    payload: z.object({ postId: z.uuid() }),
    maxAttempts: 5,
    key: ({ postId }) => `publish:${postId}`,
  }),
  confirmAttempt: job({
    name: 'confirm-attempt',
    lane: 'publishing',
    payload: z.object({ attemptId: z.uuid() }),
    maxAttempts: 3,
    key: ({ attemptId }) => `confirm:${attemptId}`,
    isUrgent: true,
  }),
  writeRun: job({
    name: 'write-run',
    lane: 'writing',
    payload: z.object({ runId: z.uuid() }),
    maxAttempts: 10,
    key: ({ runId }) => `run:${runId}`,
  }),
  sendMail: job({
    name: 'send-mail',
    lane: 'upkeep',
    payload: z.object({ mailId: z.uuid() }),
    // As many as fit into the day after which a mail is given up: a job that ran out of attempts would be added again
    // with all of them.
    maxAttempts: 36,
    key: ({ mailId }) => `mail:${mailId}`,
  }),
  refitQueue: job({
    name: 'refit-queue',
    lane: 'upkeep',
    payload: z.object({ userId: z.uuid() }),
    maxAttempts: 10,
    key: ({ userId }) => `refit:${userId}`,
  }),
  /** Sends all due deliveries of the endpoint to which this delivery belongs. */
  sendWebhook: job({
    name: 'send-webhook',
    lane: 'webhooks',
    payload: z.object({ deliveryId: z.uuid() }),
    maxAttempts: 5,
    key: ({ deliveryId }) => `webhook:${deliveryId}`,
  }),
};

/**
 * All cron jobs. Due times are stored in our tables as instants, so time zones do not matter here. For missed ticks
 * tick-times.ts adds a single run, which finds everything that is due. Publishing has its own sweep in its lane: an
 * unconfirmed post can be confirmed for nine minutes only, however long other sweeps take.
 */
export const ticks = {
  tickPublishing: tick({
    name: 'tick-publishing',
    lane: 'publishing',
    timetable: '* * * * *',
    maxAttempts: 3,
  }),
  sweepPublishing: tick({
    name: 'sweep-publishing',
    lane: 'publishing',
    timetable: '* * * * *',
    maxAttempts: 3,
  }),
  tickWriting: tick({ name: 'tick-writing', lane: 'upkeep', timetable: '* * * * *', maxAttempts: 3 }),
  sweep: tick({ name: 'sweep', lane: 'upkeep', timetable: '* * * * *', maxAttempts: 3 }),
  sweepHourly: tick({ name: 'sweep-hourly', lane: 'upkeep', timetable: '23 * * * *', maxAttempts: 3 }),
  sweepDaily: tick({ name: 'sweep-daily', lane: 'upkeep', timetable: '17 3 * * *', maxAttempts: 3 }),
  probeLinkedIn: tick({ name: 'probe-linkedin', lane: 'upkeep', timetable: '41 4 * * *', maxAttempts: 3 }),
};

/** graphile-worker runs smaller numbers first; the default is 0. */
const URGENT_PRIORITY = -1;
/** Ticks run before all waiting jobs. */
export const TICK_PRIORITY = URGENT_PRIORITY - 1;
const priorityOf = ({ isUrgent }: { isUrgent?: boolean }) => (isUrgent ? URGENT_PRIORITY : 0);

/** Adds the request's id, which connects the log lines of the request and the job. */
function withRequestId(payload: unknown): string {
  const { requestId } = eventContext();
  return JSON.stringify(requestId ? { ...(payload as object), requestId } : payload);
}

/** The key keeps one waiting job; it does not prevent running twice. A waiting job keeps its time without `runAt`. */
export async function enqueue<P>(db: Db, job: Job<P>, payload: P, runAt?: Date): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${job.name}, payload => ${withRequestId(payload)}::json, run_at => ${runAt ?? null}::timestamptz,
    max_attempts => ${job.maxAttempts}::int, job_key => ${job.key(payload)},
    priority => ${priorityOf(job)}::int,
    job_key_mode => ${runAt ? 'replace' : 'preserve_run_at'})`.execute(db);
}

/** One statement, because a commit for each would be the bottleneck of a tick. `runAt` has an instant for each payload. */
export async function enqueueAll<P>(db: Db, job: Job<P>, payloads: P[], runAt: Date[] = []): Promise<void> {
  if (payloads.length === 0) return;
  const specs = payloads.map((payload, index) => ({
    identifier: job.name,
    payload: JSON.parse(withRequestId(payload)),
    run_at: runAt[index],
    max_attempts: job.maxAttempts,
    job_key: job.key(payload),
    priority: priorityOf(job),
  }));
  await sql`select graphile_worker.add_jobs(
    (select array_agg(json_populate_record(null::graphile_worker.job_spec, spec))
     from json_array_elements(${JSON.stringify(specs)}::json) as spec), true)`.execute(db);
}

/** Removes a waiting job. A running one is not stopped. */
export async function cancelJob<P>(db: Db, job: Job<P>, payload: P): Promise<void> {
  await sql`select graphile_worker.remove_job(${job.key(payload)})`.execute(db);
}

/** graphile-worker's documented delay before the next attempt of a failed job. */
const backOff = sql`exp(least(attempts, 10)) * interval '1 second'`;

/**
 * After the database's clock was ahead: makes runnable the jobs that would otherwise wait, or count as locked, until
 * that time, and those whose next attempt is later than that of a job that fails now. The queue unlocks all jobs of a
 * worker, so a running one may run twice, which every job allows.
 */
export async function releaseJobs(db: Db): Promise<void> {
  await transact(db, async (trx) => {
    const { rows } = await sql<{ id: string; lockedBy: string | null }>`
      select id, locked_by from graphile_worker.jobs
      where greatest(updated_at, locked_at) > now() + interval '2 seconds'
        or (locked_at is null and attempts > 0 and attempts < max_attempts
          and run_at > now() + ${backOff} + interval '2 seconds')`.execute(trx);
    const workers = rows.flatMap(({ lockedBy }) => lockedBy ?? []);
    const ids = rows.map(({ id }) => id);
    await sql`select graphile_worker.force_unlock_workers(${workers}::text[])`.execute(trx);
    await sql`select from graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now())`.execute(trx);
  });
}

/** Makes failed jobs of this kind run again after at most `ms` milliseconds. */
export async function limitRetryDelay<P>(db: Db, job: Job<P>, ms: number): Promise<void> {
  const latest = sql`now() + ${ms} * interval '1 millisecond'`;
  await sql`select from graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs
      where task_identifier = ${job.name} and locked_at is null and attempts > 0 and attempts < max_attempts
        and run_at > ${latest}),
    run_at => ${latest})`.execute(db);
}

/** For a row `j` of the queue: it is due, and no worker has locked it. */
export const isWaiting = (now: Date): RawBuilder<boolean> =>
  sql`(j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= ${now}::timestamptz)`;

/** `key` is an SQL text. Locks before `lockedAfter` do not count: the queue keeps those of killed workers for hours. */
export const hasLiveJob = (key: RawBuilder<string>, lockedAfter: Date): RawBuilder<boolean> =>
  sql`exists (select from graphile_worker.jobs j
    where j.key = ${key} and j.attempts < j.max_attempts
      and (j.locked_at is null or j.locked_at > ${lockedAfter}))`;
