import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { failLate, isLate, moveLatePosts } from './late.ts';
import { findPause } from './pause.ts';
import { hasOpenAttempt, isConnected } from './standing.ts';

const LEASE_MS = 5 * 60_000;
/** What must be left of a lease when the call begins; longer than the call can take. */
const LEASE_LEFT_MS = 60_000;

export type Claim = {
  postId: string;
  userId: string;
  leaseToken: string;
  imageUrl: string | null;
  imageUrn: string | null;
};

type Candidate = NonNullable<Awaited<ReturnType<typeof lockPost>>>;

function lockPost(trx: Trx, postId: string) {
  return trx
    .selectFrom('posts')
    .innerJoin('deliveries', 'deliveries.postId', 'posts.id')
    .selectAll('posts')
    .select(['dueAt', 'isByHand', 'heldAt', 'notBefore', 'leaseToken', 'leaseUntil', 'imageUrn'])
    .where('posts.id', '=', postId)
    .where('posts.deletedAt', 'is', null)
    .forUpdate(['posts', 'deliveries'])
    .executeTakeFirst();
}

/** Whether a post may go out now: everything the tick looked at, looked at again under the lock. */
async function mayGo(trx: Trx, post: Candidate, now: Date): Promise<boolean> {
  const isReady = post.status === 'generated' && post.heldAt === null && post.dueAt <= now;
  if (!isReady || (await findPause(trx, now))) return false;
  if (await hasOpenAttempt(trx, post.id)) return false;
  if (!(await isConnected(trx, post.userId))) return false;
  if (post.isByHand) return true;
  const settings = await trx
    .selectFrom('automationSettings')
    .select('isEnabled')
    .where('userId', '=', post.userId)
    .executeTakeFirst();
  return settings?.isEnabled === true && (await findActivePlan(trx, post.userId, now)) !== undefined;
}

const isFree = ({ leaseUntil, notBefore }: Candidate, now: Date) =>
  !(leaseUntil && leaseUntil > now) && !(notBefore && notBefore > now);

/**
 * Takes a due post for five minutes. Undefined when there is nothing to do: it is out, held, taken by
 * another worker, or too late and therefore moved.
 */
export async function claimPost(db: Db, postId: string, now: Date): Promise<Claim | undefined> {
  const claim = await transact<Claim | { lateUserId: string } | undefined>(db, async (trx) => {
    const post = await lockPost(trx, postId);
    if (!post || !isFree(post, now) || !(await mayGo(trx, post, now))) return undefined;
    if (isLate(post, now)) {
      if (!post.isByHand && post.slotDate !== null) return { lateUserId: post.userId };
      await failLate(trx, post);
      return undefined;
    }
    const { leaseToken } = await trx
      .updateTable('deliveries')
      .set({
        leaseToken: sql`nextval('lease_seq')`,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
      })
      .where('postId', '=', postId)
      .returning('leaseToken')
      .executeTakeFirstOrThrow();
    const { userId, imageUrl, imageUrn } = post;
    return { postId, userId, leaseToken: leaseToken!, imageUrl, imageUrn };
  });
  if (!claim || !('lateUserId' in claim)) return claim;
  await moveLatePosts(db, claim.lateUserId, now);
  return undefined;
}

/** Keeps an uploaded picture, so that another attempt sends the same one. */
export async function keepImage(db: Db, claim: Claim, imageUrn: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ imageUrn })
    .where('postId', '=', claim.postId)
    .where('leaseToken', '=', claim.leaseToken)
    .execute();
}

/**
 * The post under lock, when the claim still stands with time to spare and nothing has changed its mind.
 * The last look before an attempt is written.
 */
export async function lockClaimed(trx: Trx, claim: Claim, now: Date): Promise<Candidate | undefined> {
  const post = await lockPost(trx, claim.postId);
  if (!post || post.leaseToken !== claim.leaseToken || !post.leaseUntil) return undefined;
  if (post.leaseUntil.getTime() - now.getTime() < LEASE_LEFT_MS) return undefined;
  const isSamePicture = post.imageUrl === claim.imageUrl && post.imageUrn === claim.imageUrn;
  return isSamePicture && (await mayGo(trx, post, now)) ? post : undefined;
}
