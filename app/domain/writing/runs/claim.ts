import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { isInactive } from '#app/domain/accounts/predicates.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { countOfRun } from '#app/domain/posts/predicates.ts';
import type { RunWithPlaces } from './run-slots.ts';

/** Longer than a job takes, and no longer than a run may lie when its process is killed. */
const LEASE_MS = 180_000;

/** `leaseUntil` tells this claim from any later one: a process that was frozen may come back after it. */
export type ClaimedRun = RunWithPlaces & {
  topicId: string | null;
  createdAt: Date;
  /** The post that is written again. */
  postId: string | null;
  instruction: string | null;
  postRevision: number | null;
  /** When it was begun; before that it may have waited for others. */
  claimedAt: Date | null;
  /** It was asked for about one topic. */
  isForTopic: boolean;
};

type OwnRun = Pick<ClaimedRun, 'id' | 'userId'>;

const rowOf = (db: Db, { id, userId }: OwnRun) =>
  db.updateTable('generationRuns').where('id', '=', id).where('userId', '=', userId);

const CLAIMED = [
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

/** So many posts of a user are written again at once. */
const REWRITTEN_AT_ONCE = 3;

/** What the user has in hand is enough at once: one run, and a few posts that are written again. */
const hasEnough = (now: Date) =>
  sql<boolean>`(select count(*) from generation_runs r where r.user_id = generation_runs.user_id and r.id <> generation_runs.id
    and r.status = 'running' and r.lease_until > ${now} and (r.post_id is null) = (generation_runs.post_id is null))
    >= case when generation_runs.post_id is null then 1 else ${REWRITTEN_AT_ONCE} end`;

/**
 * Takes the run for a while; a second worker, or a second job for it, gets nothing. One that waits for others of its
 * user is looked at again when one of them ends.
 */
export async function claimRun(db: Db, runId: string, now: Date): Promise<ClaimedRun | undefined> {
  return transact(db, async (trx) => {
    const run = await trx
      .selectFrom('generationRuns')
      .select('userId')
      .where('id', '=', runId)
      .executeTakeFirst();
    if (!run) return undefined;
    // Of two that come at once the second sees the first.
    await lockUser(trx, run.userId);
    const own = { id: runId, ...run };
    await endIfStill(trx, own);
    return claim(trx, own, now);
  });
}

/** A run that was begun while its user was being stopped, or asked to leave, was not seen by whoever did that. */
async function endIfStill(trx: Trx, run: OwnRun): Promise<void> {
  await rowOf(trx, run)
    .set(over(null))
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
    .where((eb) => eb.not(hasEnough(now)))
    .returning(CLAIMED)
    .executeTakeFirst();

/** The runs of the same user that are not over and that nobody has, as jobs. */
export async function listOtherRuns(db: Db, { userId }: { userId: string }): Promise<{ runId: string }[]> {
  return db
    .selectFrom('generationRuns')
    .select('id as runId')
    .where('userId', '=', userId)
    .where('status', '<>', 'complete')
    .where('leaseUntil', 'is', null)
    .orderBy('id')
    .execute();
}

/** Nobody has stopped it, and no later claim has it. */
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

/** The slot that the run was to fill was taken or past, and its post goes out then instead. */
export async function recordInstead(db: Db, run: OwnRun, insteadAt: Date): Promise<void> {
  await rowOf(db, run).set({ insteadAt }).execute();
}

/** The post that was written again has its new text. */
export async function recordRewritten(db: Db, run: OwnRun): Promise<void> {
  await rowOf(db, run).set({ done: 1 }).execute();
}

/** Counts posts of a run that were not written; `error` is the sentence for its user. */
export async function recordFailure(db: Db, run: OwnRun, error: string, posts = 1): Promise<void> {
  await rowOf(db, run)
    .set((eb) => ({ error, failed: eb('failed', '+', posts) }))
    .execute();
}

/** Counts the posts that the run has, whoever has it by now. */
export async function countDone(db: Db, run: ClaimedRun): Promise<void> {
  // A post that was written again is none of the run's own.
  await rowOf(db, run)
    .set({ done: countOfRun('generationRuns.id') })
    .where('postId', 'is', null)
    .execute();
}

/** Gives the run back, at once or later; until then it is in nobody's hands. False when another worker has it. */
export async function release(db: Db, run: ClaimedRun, leaseUntil: Date | null = null): Promise<boolean> {
  const { numUpdatedRows } = await rowOf(db, run)
    .set({ leaseUntil, status: leaseUntil ? 'queued' : 'running' })
    .where('status', '=', 'running')
    .where('leaseUntil', '=', run.leaseUntil)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** What ends a run, whoever ends it. */
export const over = (error: string | null) => ({
  ...({ status: 'complete', leaseUntil: null } as const),
  finishedAt: new Date(),
  // A post that is written again is none of those that were requested.
  failed: sql<number>`greatest(requested - done, 0)`,
  error: error ?? sql<string | null>`error`,
});

/**
 * Ends a run for the one who holds it; false when another worker has it, or it is over. An error that was recorded
 * before stays when there is none now.
 */
export async function finishRun(trx: Trx, run: ClaimedRun, error: string | null): Promise<boolean> {
  const { numUpdatedRows } = await rowOf(trx, run)
    .set(over(error))
    .where('status', '=', 'running')
    .where('leaseUntil', '=', run.leaseUntil)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
