import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { AccessDelayed } from '#app/domain/linkedin/access-delayed.ts';
import { type Access, withAccessToken } from '#app/domain/linkedin/connection.ts';
import { forgetImage } from '#app/domain/posts/rows.ts';
import { createPost, type PostOutcome } from '#app/integrations/linkedin-posts.ts';
import { keepAnswer } from './answers.ts';
import { beginAttempt, type Publication } from './attempt.ts';
import { type Claim, claimPost } from './claim.ts';
import { checkClock } from './clock-fault.ts';
import { beginConfirmation } from './confirm.ts';
import { knownEpoch } from './epoch.ts';
import { AGAIN_MS, giveBack, holdForConnection, postponeUnsent } from './give-back.ts';
import { preparePicture } from './picture.ts';
import { isReady, isReadyFor } from './ready.ts';
import { startWatch } from './stopwatch.ts';
import { noteVersions, tryVersions } from './versions.ts';
import { isBusy } from './wishes.ts';

/** A call that has not begun this long after its attempt was written is not made. */
export const BEGIN_WITHIN_MS = 15_000;
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
    if (isBusy(error)) return giveBack(db, claim);
    await giveBack(db, claim, AFTER_ERROR_MS).catch(() => {});
    throw error;
  }
}

async function sendClaimed(db: Db, claim: Claim): Promise<void> {
  const access = await accessFor(db, claim);
  if (!access) return;
  const imageUrn = await preparePicture(db, claim, access);
  if (imageUrn === undefined) return;
  const elapsed = startWatch();
  const known = await knownEpoch(db);
  const publication = await beginAttempt(db, { ...claim, imageUrn }, access.authorUrn, known);
  if (!publication) {
    await checkClock(db);
    return giveBack(db, claim);
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
    .selectFrom('publications')
    .select(['id', 'userId', 'postId'])
    .where('id', '=', publicationId)
    .where('state', '=', 'unknown')
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  const access = unknown && (await accessNow(db, unknown.userId));
  if (!access) return;
  const elapsed = startWatch();
  const confirmation = await beginConfirmation(db, unknown, await knownEpoch(db), now);
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

/**
 * The one call of an attempt, and what became of it written. `elapsed` since before the attempt was written.
 * Answers of what kind it is.
 */
export async function send(
  db: Db,
  publication: Publication,
  access: Access,
  elapsed: () => number,
): Promise<PostOutcome['kind']> {
  // A process that was stopped in between must not send: somebody may have given up on it.
  if (elapsed() > BEGIN_WITHIN_MS) {
    await keepAnswer(db, publication, { kind: 'not_sent', message: 'too slow', isOurs: true });
    return 'not_sent';
  }
  const { authorUrn, body: commentary, imageUrn, altText, visibility } = publication;
  const tried = await tryVersions(
    access,
    (caller) => createPost({ ...caller, authorUrn, commentary, imageUrn, altText, visibility }),
    () => elapsed() <= BEGIN_WITHIN_MS,
  );
  await keepAnswer(db, { ...publication, tokenSealed: access.tokenSealed }, tried.outcome);
  if (hasLostPicture(tried.outcome)) await forgetImage(db, publication.postId);
  await noteVersions(db, tried, new Date());
  return tried.outcome.kind;
}

/** The same picture would be refused again: the next attempt uploads it anew. */
const hasLostPicture = (outcome: PostOutcome) =>
  (outcome.kind === 'media_waiting' && outcome.isUploadEnded) ||
  (outcome.kind === 'refused' && outcome.code === 'MEDIA_ASSET_PROCESSING_FAILED');

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
