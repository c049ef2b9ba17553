import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import type { FailureText } from '#app/domain/posts/failures.ts';
import { failUnasked } from '#app/domain/queue/fail.ts';
import { lockPost } from '#app/domain/queue/post-state.ts';
import { holdDelivery, isLeased, tryLater, waitUntil } from '#app/domain/queue/schedule.ts';
import type { Claim } from './claim.ts';
import { retryAfter } from './retry-later.ts';

const LATER_SECONDS = 60;
export const AGAIN_MS = 5_000;

/** Ways to end a claim before anything was sent. Each leaves the post as it is when the claim is no longer ours. */

/** `tokenSealed` is the token that LinkedIn does not take, when there was one. */
export async function holdForConnection(
  db: Db,
  claim: Claim,
  now: Date,
  tokenSealed?: string,
): Promise<void> {
  await transact(db, async (trx) => {
    await holdDelivery(trx, claim.postId, now, claim.leaseToken);
    if (tokenSealed) await markConnectionExpired(trx, claim.userId, tokenSealed);
  });
}

export async function failUnsent(db: Db, claim: Claim, told: FailureText): Promise<void> {
  await transact(db, async (trx) => {
    const post = await lockPost(trx, claim.postId, claim.userId);
    if (!post || !(await isLeased(trx, post, claim.leaseToken))) return;
    await failUnasked(trx, post, { ...told, dedupeKey: `failed:${post.id}:${claim.leaseToken}` });
  });
}

/** In a minute, or when LinkedIn asks for it. */
export async function postponeUnsent(
  db: Db,
  claim: Claim,
  now: Date,
  asked: number | null = null,
): Promise<void> {
  const seconds = { own: LATER_SECONDS, asked };
  await transact(db, (trx) => retryAfter(trx, claim.postId, seconds, now, claim.leaseToken));
}

/** At the instant that LinkedIn has named. */
export async function postponeUntil(db: Db, claim: Claim, at: Date): Promise<void> {
  await transact(db, (trx) => waitUntil(trx, claim.postId, at, claim.leaseToken));
}

/** What changed since the claim is seen by the next one, which this makes room for. */
export async function releaseClaim(db: Db, claim: Claim, ms = AGAIN_MS): Promise<void> {
  const at = new Date((await databaseTime(db)).getTime() + ms);
  await transact(db, (trx) => tryLater(trx, claim.postId, at, claim.leaseToken));
}
