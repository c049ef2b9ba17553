import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { AccessDelayed } from '#app/domain/linkedin/access/delayed.ts';
import { type Access, withAccessToken } from '#app/domain/linkedin/connection.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { beginConfirmation } from '#app/domain/publishing/outcome/confirm.ts';
import { checkClock } from '#app/domain/publishing/safety/clock-skew.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { isReady, isReadyFor } from '#app/domain/publishing/safety/ready.ts';
import { beginAttempt } from './attempt.ts';
import { sendAttempt } from './call.ts';
import {
  type Claim,
  claimPost,
  holdForConnection,
  postponeClaim,
  RETRY_CLAIM_MS,
  releaseClaim,
} from './claim.ts';
import { isLockTimeout } from './locks.ts';
import { startStopwatch } from './monotonic-clock.ts';
import { prepareImage } from './upload-image.ts';

/** An unexpected error may come again at every retry. */
const AFTER_ERROR_MS = 60_000;

/**
 * Publishes one due post, effectively once: claim it, upload its image, write the attempt, make the call, write the
 * response. Safe to run again or in parallel, and the process may die at any point.
 */
export async function publishPost(db: Db, postId: string, now?: Date): Promise<void> {
  if (!(await isReadyFor(db, jobs.publishPost, { postId }))) return;
  const claim = await claimPost(db, postId, now).catch(async (error) => {
    if (!isLockTimeout(error)) throw error;
    await enqueue(
      db,
      jobs.publishPost,
      { postId },
      new Date((await databaseTime(db)).getTime() + RETRY_CLAIM_MS),
    );
  });
  if (!claim) return;
  try {
    await sendClaimed(db, claim);
  } catch (error) {
    if (isLockTimeout(error)) return releaseClaim(db, claim);
    await releaseClaim(db, claim, AFTER_ERROR_MS).catch(() => {});
    throw error;
  }
}

async function sendClaimed(db: Db, claim: Claim): Promise<void> {
  const access = await accessForClaim(db, claim);
  if (!access) return;
  const imageUrn = await prepareImage(db, claim, access);
  if (imageUrn === undefined) return;
  const elapsed = startStopwatch();
  const identity = await readIdentity(db);
  const attempt = await beginAttempt(db, { ...claim, imageUrn }, access.authorUrn, identity);
  if (!attempt) {
    await checkClock(db);
    return releaseClaim(db, claim);
  }
  await sendAttempt(db, attempt, access, elapsed);
}

/**
 * Resends an unknown text-only attempt once, within LinkedIn's duplicate window: the response shows whether the first one
 * was accepted.
 */
export async function confirmAttempt(db: Db, attemptId: string, now?: Date): Promise<void> {
  if (!(await isReady(db))) return;
  const unknown = await db
    .selectFrom('publishAttempts')
    .select(['id', 'userId', 'postId'])
    .where('id', '=', attemptId)
    .where('state', '=', 'unknown')
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  const access = unknown && (await accessIfAvailable(db, unknown.userId));
  if (!access) return;
  const elapsed = startStopwatch();
  const confirmation = await beginConfirmation(db, unknown, await readIdentity(db), now).catch((error) => {
    // The sweep tries again while the window lasts.
    if (!isLockTimeout(error)) throw error;
  });
  if (confirmation) await sendAttempt(db, confirmation, access, elapsed);
}

/** Returns undefined when the access cannot be had now: the sweep tries again while the window lasts. */
async function accessIfAvailable(db: Db, userId: string): Promise<Access | undefined> {
  try {
    return await withAccessToken(db, userId);
  } catch (error) {
    if (error instanceof AccessDelayed) return undefined;
    throw error;
  }
}

/** Returns the access of the claim's user, or ends the claim and returns undefined when it cannot be had now. */
async function accessForClaim(db: Db, claim: Claim): Promise<Access | undefined> {
  try {
    const access = await withAccessToken(db, claim.userId);
    if (!access) await holdForConnection(db, claim, new Date());
    return access;
  } catch (error) {
    if (!(error instanceof AccessDelayed)) throw error;
    await postponeClaim(db, claim, new Date(), error.retryAfterSeconds);
    return undefined;
  }
}
