import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isDead } from './job-rows.ts';
import { DEAD_JOB_KEPT_DAYS } from './limits.ts';

export type DeadJob = {
  /** A bigint, so a string. */
  id: string;
  task: string;
  /** What it is about: "mail:" and an id. Ticks have none, nor has a job that was replaced while it ran. */
  key: string | null;
  attempts: number;
  failedAt: Date;
  error: string | null;
};

/** Of an error text, which can be long, so much is shown. */
const ERROR_SHOWN = 300;
const AT_ONCE = 500;

const columns = sql`j.id::text as id, j.task_identifier as task, j.key, j.attempts, j.updated_at as failed_at,
  left(split_part(j.last_error, e'\n', 1), ${ERROR_SHOWN}) as error
  from graphile_worker.jobs j`;

const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d{1,18}$/.test(text);

/** The jobs of which every try failed, the latest first. `before` is the id of the last one of the page before. */
export async function listDeadJobs(db: Db, limit: number, before?: string): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`select ${columns}
    where ${isDead} ${isNumber(before) ? sql`and j.id < ${before}` : sql``}
    order by j.id desc limit ${limit}`.execute(db);
  return rows;
}

/** A job with nothing but failed tries, or undefined: it was begun again meanwhile, or is gone. */
export async function findDeadJob(db: Db, jobId: string): Promise<DeadJob | undefined> {
  if (!isNumber(jobId)) return undefined;
  const { rows } = await sql<DeadJob>`select ${columns} where ${isDead} and j.id = ${jobId}`.execute(db);
  return rows[0];
}

/**
 * Rows of the queue's view cannot be locked, so admins and the clean-up take turns. A job that is added again under the same
 * key at that moment is lost; a sweep finds what it was about.
 */
const lockDeadJobs = (trx: Trx) => sql`select pg_advisory_xact_lock(hashtext('dead jobs'))`.execute(trx);

/** Two admins, or one who presses twice, do it once. */
async function lockDead(trx: Trx, jobId: string): Promise<DeadJob> {
  await lockDeadJobs(trx);
  const job = await findDeadJob(trx, jobId);
  if (job) return job;
  throw new Refusal(409, 'not_dead', 'This job is not among the failed ones any more');
}

/** The one thing that a job is about. */
const subjectOf = ({ key }: DeadJob) => key?.split(':').find(isId) ?? null;

const record = (trx: Trx, admin: Actor, action: string, job: DeadJob, now: Date) => {
  const detail = { job: job.task, jobId: job.id, tries: job.attempts };
  return recordAdminAction(trx, admin, { action, subjectId: subjectOf(job), detail }, now);
};

/** An admin has a job begun again at once, with all its tries before it. */
export async function retryJob(db: Db, admin: Actor, jobId: string, at?: Date): Promise<DeadJob> {
  return transact(db, async (trx) => {
    const job = await lockDead(trx, jobId);
    const now = at ?? (await databaseTime(trx));
    await sql`select graphile_worker.reschedule_jobs(array[${jobId}::bigint], run_at => ${now}::timestamptz,
      attempts => 0)`.execute(trx);
    await record(trx, admin, 'job.retried', job, now);
    return job;
  });
}

/** An admin gives a job up. What it was about stays as it is: a sweep that finds it unfinished adds a new job. */
export async function discardJob(db: Db, admin: Actor, jobId: string, at?: Date): Promise<DeadJob> {
  return transact(db, async (trx) => {
    const job = await lockDead(trx, jobId);
    const now = at ?? (await databaseTime(trx));
    await sql`select graphile_worker.complete_jobs(array[${jobId}::bigint])`.execute(trx);
    await record(trx, admin, 'job.discarded', job, now);
    return job;
  });
}

/** Forgets jobs that failed for good so long ago: what they were about, a sweep has found since, or it is over. */
export async function deleteOldDeadJobs(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DEAD_JOB_KEPT_DAYS * 24 * 60 * 60_000);
  await repeatUntilFewer(AT_ONCE, () =>
    transact(db, async (trx) => {
      await lockDeadJobs(trx);
      const { rows } = await sql`select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs j where ${isDead} and j.updated_at < ${before} limit ${AT_ONCE}))`.execute(
        trx,
      );
      return { numAffectedRows: BigInt(rows.length) };
    }),
  );
}
