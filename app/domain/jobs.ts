import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';

type Job<P> = { name: string; payload: z.ZodType<P>; maxAttempts: number; key: (payload: P) => string };

const job = <P>(definition: Job<P>): Job<P> => definition;

/** Every job there is. Payloads are ids only; the rows they name hold the truth. */
export const jobs = {
  sendMail: job({
    name: 'send-mail',
    payload: z.object({ mailId: z.uuid() }),
    maxAttempts: 12,
    key: ({ mailId }) => `mail:${mailId}`,
  }),
  writeRun: job({
    name: 'write-run',
    payload: z.object({ runId: z.uuid() }),
    maxAttempts: 10,
    key: ({ runId }) => `run:${runId}`,
  }),
  publishPost: job({
    name: 'publish-post',
    payload: z.object({ postId: z.uuid() }),
    maxAttempts: 5,
    key: ({ postId }) => `publish:${postId}`,
  }),
  refitQueue: job({
    name: 'refit-queue',
    payload: z.object({ userId: z.uuid() }),
    maxAttempts: 10,
    key: ({ userId }) => `refit:${userId}`,
  }),
  confirmPublication: job({
    name: 'confirm-publication',
    payload: z.object({ publicationId: z.uuid() }),
    maxAttempts: 3,
    key: ({ publicationId }) => `confirm:${publicationId}`,
  }),
};

/**
 * Adds a job in the caller's transaction. The key keeps one waiting job for each subject (a debounce, no
 * guarantee against running twice); a waiting job keeps its time unless `runAt` is given.
 */
export async function enqueue<P>(db: Db, job: Job<P>, payload: P, runAt?: Date): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${job.name}, payload => ${JSON.stringify(payload)}::json, run_at => ${runAt ?? null}::timestamptz,
    max_attempts => ${job.maxAttempts}::int, job_key => ${job.key(payload)},
    job_key_mode => ${runAt ? 'replace' : 'preserve_run_at'})`.execute(db);
}

/** Adds many jobs of one kind with one statement: a commit for each would be the bottleneck of a tick. */
export async function enqueueAll<P>(db: Db, job: Job<P>, payloads: P[]): Promise<void> {
  if (payloads.length === 0) return;
  const specs = payloads.map((payload) => ({
    identifier: job.name,
    payload,
    max_attempts: job.maxAttempts,
    job_key: job.key(payload),
  }));
  await sql`select graphile_worker.add_jobs(
    (select array_agg(json_populate_record(null::graphile_worker.job_spec, spec))
     from json_array_elements(${JSON.stringify(specs)}::json) as spec), true)`.execute(db);
}

/**
 * A job with this key waits for its next try or is being run. `key` is an SQL text. One that was locked
 * before `lockedAfter` counts as dead: its worker was killed, and the queue keeps the lock for hours.
 */
export const hasLivingJob = (key: RawBuilder<string>, lockedAfter: Date): RawBuilder<boolean> =>
  sql`exists (select from graphile_worker.jobs j
    where j.key = ${key} and j.attempts < j.max_attempts
      and (j.locked_at is null or j.locked_at > ${lockedAfter}))`;
