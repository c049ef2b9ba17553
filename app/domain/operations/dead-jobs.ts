import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isDead } from './job-rows.ts';
import { DEAD_JOB_RETENTION_DAYS } from './limits.ts';

export type DeadJob = {
  /** A bigint. */
  id: string;
  task: string;
  /** "mail:" and an id, for example. Ticks have none, nor has a job that was replaced while it ran. */
  key: string | null;
  attempts: number;
  failedAt: Date;
  error: string | null;
};

const ERROR_LENGTH = 300;
const BATCH_SIZE = 500;

const columns = sql`j.id::text as id, j.task_identifier as task, j.key, j.attempts, j.updated_at as failed_at,
  left(split_part(j.last_error, e'\n', 1), ${ERROR_LENGTH}) as error
  from graphile_worker.jobs j`;

const isJobId = (text: string | undefined): text is string => text !== undefined && /^\d{1,18}$/.test(text);

/** Jobs without attempts left, newest first. `before` is the last id of the previous page. */
export async function listDeadJobs(db: Db, limit: number, before?: string): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`select ${columns}
    where ${isDead} ${isJobId(before) ? sql`and j.id < ${before}` : sql``}
    order by j.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Undefined when the job was retried or deleted meanwhile. */
export async function findDeadJob(db: Db, jobId: string): Promise<DeadJob | undefined> {
  if (!isJobId(jobId)) return undefined;
  const { rows } = await sql<DeadJob>`select ${columns} where ${isDead} and j.id = ${jobId}`.execute(db);
  return rows[0];
}

/** Rows of the queue's view can't be locked, so admins and the clean-up use this lock. */
const lockDeadJobs = (trx: Trx) => sql`select pg_advisory_xact_lock(hashtext('dead jobs'))`.execute(trx);

/** Throws a Refusal when the job was handled already. */
async function lockDeadJob(trx: Trx, jobId: string): Promise<DeadJob> {
  await lockDeadJobs(trx);
  const job = await findDeadJob(trx, jobId);
  if (job) return job;
  throw new Refusal(409, 'not_dead', 'This job is not among the failed ones any more');
}

const subjectOf = ({ key }: DeadJob) => key?.split(':').find(isId) ?? null;

const record = (trx: Trx, admin: Actor, action: string, job: DeadJob, now: Date) => {
  const detail = { job: job.task, jobId: job.id, tries: job.attempts };
  return recordAdminAction(trx, admin, { action, subjectId: subjectOf(job), detail }, now);
};

export async function retryJob(db: Db, admin: Actor, jobId: string, at?: Date): Promise<DeadJob> {
  return transact(db, async (trx) => {
    const job = await lockDeadJob(trx, jobId);
    const now = at ?? (await databaseTime(trx));
    await sql`select graphile_worker.reschedule_jobs(array[${jobId}::bigint], run_at => ${now}::timestamptz,
      attempts => 0)`.execute(trx);
    await record(trx, admin, 'job.retried', job, now);
    return job;
  });
}

/** Deletes a job. A sweep that finds its subject unfinished adds a new one. */
export async function discardJob(db: Db, admin: Actor, jobId: string, at?: Date): Promise<DeadJob> {
  return transact(db, async (trx) => {
    const job = await lockDeadJob(trx, jobId);
    const now = at ?? (await databaseTime(trx));
    await sql`select graphile_worker.complete_jobs(array[${jobId}::bigint])`.execute(trx);
    await record(trx, admin, 'job.discarded', job, now);
    return job;
  });
}

/** Deletes old dead jobs. A sweep has found their subjects since, or they are done. */
export async function deleteOldDeadJobs(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DEAD_JOB_RETENTION_DAYS * 24 * 60 * 60_000);
  await repeatUntilFewer(BATCH_SIZE, () =>
    transact(db, async (trx) => {
      await lockDeadJobs(trx);
      const { rows } = await sql`select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs j where ${isDead} and j.updated_at < ${before} limit ${BATCH_SIZE}))`.execute(
        trx,
      );
      return { numAffectedRows: BigInt(rows.length) };
    }),
  );
}
