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
import { send } from './call-pool.ts';
import { type Claim, claimPost } from './claim.ts';
import { isBusy } from './locks.ts';
import { startWatch } from './monotonic-clock.ts';
import { AGAIN_MS, holdForConnection, postponeUnsent, releaseClaim } from './release-claim.ts';
import { preparePicture } from './upload-image.ts';

/** An error of ours may come again at every try. */
const AFTER_ERROR_MS = 60_000;

/**
 * Publishes one due post, effectively once: claim, picture, attempt written, one call, outcome written.
 * Safe to run again, twice at once, or to die anywhere.
 */
export async function publishPost(db: Db, postId: string, now?: Date): Promise<void> {
  if (!(await isReadyFor(db, jobs.publishPost, { postId }))) return;
  const claim = await claimPost(db, postId, now).catch(async (error) => {
    if (!isBusy(error)) throw error;
    await enqueue(db, jobs.publishPost, { postId }, new Date((await databaseTime(db)).getTime() + AGAIN_MS));
  });
  if (!claim) return;
  try {
    await sendClaimed(db, claim);
  } catch (error) {
    if (isBusy(error)) return releaseClaim(db, claim);
    await releaseClaim(db, claim, AFTER_ERROR_MS).catch(() => {});
    throw error;
  }
}

async function sendClaimed(db: Db, claim: Claim): Promise<void> {
  const access = await accessFor(db, claim);
  if (!access) return;
  const imageUrn = await preparePicture(db, claim, access);
  if (imageUrn === undefined) return;
  const elapsed = startWatch();
  const known = await readIdentity(db);
  const publication = await beginAttempt(db, { ...claim, imageUrn }, access.authorUrn, known);
  if (!publication) {
    await checkClock(db);
    return releaseClaim(db, claim);
  }
  await send(db, publication, access, elapsed);
}

/**
 * Resends an unknown text-only attempt once, inside LinkedIn's duplicate window: its answer tells whether
 * the first one is there.
 */
export async function confirmPublication(db: Db, publicationId: string, now?: Date): Promise<void> {
  if (!(await isReady(db))) return;
  const unknown = await db
    .selectFrom('publishAttempts')
    .select(['id', 'userId', 'postId'])
    .where('id', '=', publicationId)
    .where('state', '=', 'unknown')
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  const access = unknown && (await accessNow(db, unknown.userId));
  if (!access) return;
  const elapsed = startWatch();
  const confirmation = await beginConfirmation(db, unknown, await readIdentity(db), now).catch((error) => {
    // The sweep asks again while the window lasts.
    if (!isBusy(error)) throw error;
  });
  if (confirmation) await send(db, confirmation, access, elapsed);
}

/** As `withAccessToken`; the sweep asks again while the window lasts. */
async function accessNow(db: Db, userId: string): Promise<Access | undefined> {
  try {
    return await withAccessToken(db, userId);
  } catch (error) {
    if (error instanceof AccessDelayed) return undefined;
    throw error;
  }
}

/** What publishing needs; undefined when the claim was given back because it can't be had now. */
async function accessFor(db: Db, claim: Claim): Promise<Access | undefined> {
  try {
    const access = await withAccessToken(db, claim.userId);
    if (!access) await holdForConnection(db, claim, new Date());
    return access;
  } catch (error) {
    if (!(error instanceof AccessDelayed)) throw error;
    await postponeUnsent(db, claim, new Date(), error.retryAfterSeconds);
    return undefined;
  }
}
