import { type Db, type Trx, transact } from '#app/db/client.ts';
import { takeLease } from '#app/domain/queue/deliveries.ts';
import { failLate, isLate, moveLatePosts } from '#app/domain/queue/late.ts';
import { isFree, isItsTurn, mayGo } from '#app/domain/queue/may-go.ts';

/** What must be left of a lease when the call begins; longer than the call can take. */
export const LEASE_LEFT_MS = 60_000;

export type Claim = {
  postId: string;
  userId: string;
  leaseToken: string;
  imageUrl: string | null;
  imageUrn: string | null;
};

type Candidate = NonNullable<Awaited<ReturnType<typeof lockDue>>>;

/**
 * The post and its delivery under lock, when it is its turn and it may go: what the tick saw, seen again. In
 * two statements, because one that waits for a lock goes on seeing other tables as they were before.
 */
async function lockDue(trx: Trx, postId: string, now: Date) {
  const queued = trx.selectFrom('posts').innerJoin('deliveries', 'deliveries.postId', 'posts.id');
  const post = await queued
    .selectAll('posts')
    .select(['dueAt', 'isByHand', 'leaseToken', 'leaseUntil', 'imageUrn'])
    .where('posts.id', '=', postId)
    .forUpdate(['posts', 'deliveries'])
    .executeTakeFirst();
  if (!post) return undefined;
  const standing = await queued
    .select(isFree(now).as('isFree'))
    .where('posts.id', '=', postId)
    .where(isItsTurn(now))
    .where(mayGo(now))
    .executeTakeFirst();
  return standing && { ...post, ...standing };
}

/**
 * Takes a due post for five minutes. Undefined when there is nothing to do: it is out, held, taken by
 * another worker, or too late and therefore moved.
 */
export async function claimPost(db: Db, postId: string, now: Date): Promise<Claim | undefined> {
  const claim = await transact<Claim | { lateUserId: string } | undefined>(db, async (trx) => {
    const post = await lockDue(trx, postId, now);
    if (!post?.isFree) return undefined;
    if (isLate(post, now)) {
      if (!post.isByHand && post.slotDate !== null) return { lateUserId: post.userId };
      await failLate(trx, post);
      return undefined;
    }
    const { userId, imageUrl, imageUrn } = post;
    return { postId, userId, leaseToken: await takeLease(trx, postId, now), imageUrl, imageUrn };
  });
  if (!claim || !('lateUserId' in claim)) return claim;
  await moveLatePosts(db, claim.lateUserId, now);
  return undefined;
}

/**
 * The post under lock, when the claim still stands with time to spare and nothing has changed its mind.
 * The last look before an attempt is written.
 */
export async function lockClaimed(trx: Trx, claim: Claim, now: Date): Promise<Candidate | undefined> {
  const post = await lockDue(trx, claim.postId, now);
  if (!post || post.leaseToken !== claim.leaseToken || !post.leaseUntil) return undefined;
  if (post.leaseUntil.getTime() - now.getTime() < LEASE_LEFT_MS) return undefined;
  const isSamePicture = post.imageUrl === claim.imageUrl && post.imageUrn === claim.imageUrn;
  return isSamePicture ? post : undefined;
}
