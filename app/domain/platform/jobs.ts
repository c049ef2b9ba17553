import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type Db, transact } from '#app/db/client.ts';
import { eventContext } from './events.ts';

/**
 * The worker's lanes. Each has workers and connections of its own, so that none waits for another:
 * writing a post takes minutes, publishing one must not. Webhooks wait for servers that we do not know.
 */
export const LANES = ['publishing', 'writing', 'upkeep', 'webhooks'] as const;
export type Lane = (typeof LANES)[number];

export type Job<P, Name extends string = string> = {
  name: Name;
  lane: Lane;
  payload: z.ZodType<P>;
  maxAttempts: number;
  /** Keeps one waiting job for each subject. */
  key: (payload: P) => string;
  /** Goes before the other jobs of its lane: it is worth nothing when it comes late. */
  isUrgent?: boolean;
};

export type Tick<Name extends string = string> = {
  name: Name;
  lane: Lane;
  /** When it runs, as in a crontab, in UTC. */
  timetable: string;
  maxAttempts: number;
};

const job = <P, const Name extends string>(definition: Job<P, Name>): Job<P, Name> => definition;
const tick = <const Name extends string>(definition: Tick<Name>): Tick<Name> => definition;

/** Every job there is. Payloads hold no more than ids, that of the request among them; the rows they name hold the truth. */
export const jobs = {
  /** One of several that send what is due and goes together, each as much as it can. */
  publishDue: job({
    name: 'publish-due',
    lane: 'publishing',
    payload: z.object({ part: z.int() }),
    maxAttempts: 3,
    key: ({ part }) => `publish-due:${part}`,
  }),
  publishPost: job({
    name: 'publish-post',
    lane: 'publishing',
    payload: z.object({ postId: z.uuid() }),
    maxAttempts: 5,
    key: ({ postId }) => `publish:${postId}`,
  }),
  confirmPublication: job({
    name: 'confirm-publication',
    lane: 'publishing',
    payload: z.object({ publicationId: z.uuid() }),
    maxAttempts: 3,
    key: ({ publicationId }) => `confirm:${publicationId}`,
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
    // They last for the day after which it is given up: one that ran out of them would count as failed for good, and begin anew.
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
  /** Sends what is due at the address of a delivery, the others with it. */
  sendWebhook: job({
    name: 'send-webhook',
    lane: 'webhooks',
    payload: z.object({ deliveryId: z.uuid() }),
    maxAttempts: 5,
    key: ({ deliveryId }) => `webhook:${deliveryId}`,
  }),
};

/**
 * Every job that the clock starts. Users' time zones are resolved before: what is due stands in our tables
 * as instants. Missed ticks are not made up one by one: tick-times.ts adds one run, which finds everything that is
 * due. Publishing has a sweep of its own in its lane, because an unknown post can be confirmed for nine minutes only,
 * however long the others take.
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

/** Jobs of a smaller number go first; the others have 0. */
const URGENT_PRIORITY = -1;
/** A tick goes before all jobs that wait, urgent ones too. */
export const TICK_PRIORITY = URGENT_PRIORITY - 1;
const priorityOf = ({ isUrgent }: { isUrgent?: boolean }) => (isUrgent ? URGENT_PRIORITY : 0);

/** The payload with the request that has the job added, by which the log of both is found. */
function withRequestId(payload: unknown): string {
  const { requestId } = eventContext();
  return JSON.stringify(requestId ? { ...(payload as object), requestId } : payload);
}

/**
 * Adds a job in the caller's transaction. The key keeps one waiting job for each subject (a debounce, no
 * guarantee against running twice); a waiting job keeps its time unless `runAt` is given.
 */
export async function enqueue<P>(db: Db, job: Job<P>, payload: P, runAt?: Date): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${job.name}, payload => ${withRequestId(payload)}::json, run_at => ${runAt ?? null}::timestamptz,
    max_attempts => ${job.maxAttempts}::int, job_key => ${job.key(payload)},
    priority => ${priorityOf(job)}::int,
    job_key_mode => ${runAt ? 'replace' : 'preserve_run_at'})`.execute(db);
}

/**
 * Adds many jobs of one kind with one statement: a commit for each would be the bottleneck of a tick. Each at its instant
 * of `runAt`, or at once.
 */
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

/** Takes a job away that waits. One that is being run ends as it does. */
export async function cancelJob<P>(db: Db, job: Job<P>, payload: P): Promise<void> {
  await sql`select graphile_worker.remove_job(${job.key(payload)})`.execute(db);
}

/** How long graphile-worker lets a failed job wait for its next try, as its documentation has it. */
const backOff = sql`exp(least(attempts, 10)) * interval '1 second'`;

/**
 * After the database's clock was ahead: jobs that were added, put off or locked meanwhile would wait, or count as locked,
 * until that time. They are made ready to run immediately, and so are those that wait longer for their next try than a job
 * that fails now would. The queue unlocks all jobs of a worker's lane together, so each that is being run there may run
 * twice, which every job allows for.
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

/** Jobs of a kind that failed pause longer each time; those that would for longer than this are tried then. */
export async function limitRetryDelay<P>(db: Db, job: Job<P>, ms: number): Promise<void> {
  const latest = sql`now() + ${ms} * interval '1 millisecond'`;
  await sql`select from graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs
      where task_identifier = ${job.name} and locked_at is null and attempts > 0 and attempts < max_attempts
        and run_at > ${latest}),
    run_at => ${latest})`.execute(db);
}

/** Of a row `j` of the queue: it can begin now, and no worker has taken it. */
export const isWaiting = (now: Date): RawBuilder<boolean> =>
  sql`(j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= ${now}::timestamptz)`;

/**
 * A job with this key waits for its next try or is being run. `key` is an SQL text. One that was locked
 * before `lockedAfter` counts as dead: its worker was killed, and the queue keeps the lock for hours.
 */
export const hasLiveJob = (key: RawBuilder<string>, lockedAfter: Date): RawBuilder<boolean> =>
  sql`exists (select from graphile_worker.jobs j
    where j.key = ${key} and j.attempts < j.max_attempts
      and (j.locked_at is null or j.locked_at > ${lockedAfter}))`;
