import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { isInactive } from '#app/domain/accounts/predicates.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { countOfRun } from '#app/domain/posts/predicates.ts';
import type { RunSource } from './run-slots.ts';

/** Longer than a job takes. A run whose process was killed waits this long. */
const LEASE_MS = 180_000;

/** `leaseUntil` identifies the claim: a process that was frozen may continue after a later claim. */
export type ClaimedRun = RunSource & {
  topicId: string | null;
  createdAt: Date;
  postId: string | null;
  instruction: string | null;
  postRevision: number | null;
  /** When the run was claimed first. Before that it may have waited for other runs of the user. */
  claimedAt: Date | null;
  /** The user requested it for one topic, which may be deleted since. */
  isForTopic: boolean;
};

type OwnRun = Pick<ClaimedRun, 'id' | 'userId'>;

const rowOf = (db: Db, { id, userId }: OwnRun) =>
  db.updateTable('generationRuns').where('id', '=', id).where('userId', '=', userId);

const CLAIM_COLUMNS = [
  'id',
  'userId',
  'topicId',
  'scheduledFor',
  'createdAt',
  'leaseUntil',
  'slotDate',
  'slotNumber',
  'postId',
  'instruction',
  'postRevision',
  'claimedAt',
  'isForTopic',
] as const;

/** Of one user, beside one other run. */
const CONCURRENT_REWRITES = 3;

const isAtConcurrencyLimit = (now: Date) =>
  sql<boolean>`(select count(*) from generation_runs r where r.user_id = generation_runs.user_id and r.id <> generation_runs.id
    and r.status = 'running' and r.lease_until > ${now} and (r.post_id is null) = (generation_runs.post_id is null))
    >= case when generation_runs.post_id is null then 1 else ${CONCURRENT_REWRITES} end`;

/**
 * Claims the run until its lease ends. Returns undefined when another job has it, when it is complete, or when it has to
 * wait for other runs of the user; the end of one of those enqueues it again.
 */
export async function claimRun(db: Db, runId: string, now: Date): Promise<ClaimedRun | undefined> {
  return transact(db, async (trx) => {
    const run = await trx
      .selectFrom('generationRuns')
      .select('userId')
      .where('id', '=', runId)
      .executeTakeFirst();
    if (!run) return undefined;
    // Serialises the claims of a user, so that the concurrency limit holds.
    await lockUser(trx, run.userId);
    const own = { id: runId, ...run };
    await endIfInactive(trx, own);
    return claim(trx, own, now);
  });
}

/** Ends a run that was created while its user was being disabled or was requesting the deletion of the account. */
async function endIfInactive(trx: Trx, run: OwnRun): Promise<void> {
  await rowOf(trx, run)
    .set(completion(null))
    .where('status', '<>', 'complete')
    .where(isInactive('generationRuns.userId'))
    .execute();
}

const claim = (trx: Trx, run: OwnRun, now: Date): Promise<ClaimedRun | undefined> =>
  rowOf(trx, run)
    .set((eb) => ({
      status: 'running',
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      claimedAt: eb.fn.coalesce('claimedAt', eb.val(now)),
    }))
    .where('status', '<>', 'complete')
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .where((eb) => eb.not(isAtConcurrencyLimit(now)))
    .returning(CLAIM_COLUMNS)
    .executeTakeFirst();

/** Returns the unfinished runs of a user that no worker has claimed, as payloads of jobs. */
export async function listWaitingRuns(db: Db, { userId }: { userId: string }): Promise<{ runId: string }[]> {
  return db
    .selectFrom('generationRuns')
    .select('id as runId')
    .where('userId', '=', userId)
    .where('status', '<>', 'complete')
    .where('leaseUntil', 'is', null)
    .orderBy('id')
    .execute();
}

/** Whether the claim is still valid: the run was not stopped, and no later claim has replaced it. */
export async function isStillClaimed(db: Db, { id, userId, leaseUntil }: ClaimedRun): Promise<boolean> {
  const run = await db
    .selectFrom('generationRuns')
    .select('id')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('status', '=', 'running')
    .where('leaseUntil', 'is not distinct from', leaseUntil)
    .executeTakeFirst();
  return run !== undefined;
}

/** Records the time at which the post is published when the requested slot was taken or past. */
export async function recordOtherSlot(db: Db, run: OwnRun, insteadAt: Date): Promise<void> {
  await rowOf(db, run).set({ insteadAt }).execute();
}

export async function recordRewritten(db: Db, run: OwnRun): Promise<void> {
  await rowOf(db, run).set({ done: 1 }).execute();
}

/** Counts posts of a run that were not written. `error` is a sentence for the user. */
export async function recordFailure(db: Db, run: OwnRun, error: string, posts = 1): Promise<void> {
  await rowOf(db, run)
    .set((eb) => ({ error, failed: eb('failed', '+', posts) }))
    .execute();
}

/** Counts the posts of the run, even when the claim is no longer valid. */
export async function countDone(db: Db, run: ClaimedRun): Promise<void> {
  // A rewritten post belongs to the run that created it.
  await rowOf(db, run)
    .set({ done: countOfRun('generationRuns.id') })
    .where('postId', 'is', null)
    .execute();
}

const claimedRowOf = (db: Db, run: ClaimedRun) =>
  rowOf(db, run).where('status', '=', 'running').where('leaseUntil', '=', run.leaseUntil);

/** Releases the claim. With `leaseUntil` the run can't be claimed before. Returns false when another worker has it. */
export async function release(db: Db, run: ClaimedRun, leaseUntil: Date | null = null): Promise<boolean> {
  const { numUpdatedRows } = await claimedRowOf(db, run)
    .set({ leaseUntil, status: leaseUntil ? 'queued' : 'running' })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The values that complete a run. An error that was recorded before stays when `error` is null. */
export const completion = (error: string | null) => ({
  ...({ status: 'complete', leaseUntil: null } as const),
  finishedAt: new Date(),
  // Zero for a rewrite, which requests no posts.
  failed: sql<number>`greatest(requested - done, 0)`,
  error: error ?? sql<string | null>`error`,
});

export async function finishRun(trx: Trx, run: ClaimedRun, error: string | null): Promise<boolean> {
  const { numUpdatedRows } = await claimedRowOf(trx, run).set(completion(error)).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
