import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { AccessDelayed } from '#app/domain/linkedin/access-delayed.ts';
import { type Access, withAccessToken } from '#app/domain/linkedin/connection.ts';
import { keepImage } from '#app/domain/queue/deliveries.ts';
import { env } from '#app/env.ts';
import { type FetchedImage, fetchImage, ImageRefused } from '#app/integrations/image-guard.ts';
import { type UploadOutcome, uploadImage } from '#app/integrations/linkedin-images.ts';
import { createPost, type PostOutcome } from '#app/integrations/linkedin-posts.ts';
import { keepAnswer } from './answers.ts';
import { beginAttempt, type Publication } from './attempt.ts';
import { type Claim, claimPost } from './claim.ts';
import { checkClock } from './clock-fault.ts';
import { beginConfirmation } from './confirm.ts';
import { knownEpoch } from './epoch.ts';
import { clearByPublishing, reportVersion } from './faults.ts';
import { failUnsent, giveBack, holdForConnection, postponeUnsent } from './give-back.ts';
import { startWatch } from './stopwatch.ts';

/** A call that has not begun this long after its attempt was written is not made. */
export const BEGIN_WITHIN_MS = 15_000;

/**
 * Publishes one due post, effectively once: claim, picture, attempt written, one call, outcome written.
 * Safe to run again, twice at once, or to die anywhere.
 */
export async function publishPost(db: Db, postId: string, now?: Date): Promise<void> {
  const claim = await claimPost(db, postId, now);
  if (!claim) return;
  try {
    await sendClaimed(db, claim, now ?? (await databaseTime(db)));
  } catch (error) {
    await giveBack(db, claim).catch(() => {});
    throw error;
  }
}

async function sendClaimed(db: Db, claim: Claim, now: Date): Promise<void> {
  const access = await accessFor(db, claim);
  if (!access) return;
  const imageUrn = await preparePicture(db, claim, access, now);
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

async function send(db: Db, publication: Publication, access: Access, elapsed: () => number): Promise<void> {
  // A process that was stopped in between must not send: somebody may have given up on it.
  if (elapsed() > BEGIN_WITHIN_MS) {
    return keepAnswer(db, publication, { kind: 'not_sent', message: 'too slow' });
  }
  const { authorUrn, body, imageUrn, altText } = publication;
  let outcome: PostOutcome | undefined;
  let used = '';
  for (const version of env().LINKEDIN_VERSIONS) {
    used = version;
    outcome = await createPost({
      accessToken: access.token,
      version,
      authorUrn,
      commentary: body,
      imageUrn,
      altText,
    });
    if (outcome.kind !== 'version') break;
    await reportVersion(db, version).catch(() => {});
    if (elapsed() > BEGIN_WITHIN_MS) break;
  }
  await keepAnswer(db, publication, outcome!);
  if (outcome!.kind === 'published') await clearByPublishing(db, used);
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

/** With the newest version of the API that LinkedIn takes. */
async function handOver(image: FetchedImage, access: Access): Promise<UploadOutcome> {
  let outcome: UploadOutcome | undefined;
  for (const version of env().LINKEDIN_VERSIONS) {
    outcome = await uploadImage({ ...image, accessToken: access.token, version, ownerUrn: access.authorUrn });
    if (outcome.kind !== 'version') break;
  }
  return outcome!;
}

/** The picture's urn, null for a post without one, undefined when the post can't go out now. */
async function preparePicture(
  db: Db,
  claim: Claim,
  access: Access,
  now: Date,
): Promise<string | null | undefined> {
  if (!claim.imageUrl) return null;
  if (claim.imageUrn) return claim.imageUrn;
  try {
    const upload = await handOver(await fetchImage(claim.imageUrl), access);
    if (upload.kind === 'uploaded') {
      await keepImage(db, claim.postId, claim.leaseToken, upload.imageUrn);
      return upload.imageUrn;
    }
    if (upload.kind === 'unauthorized') await holdForConnection(db, claim, new Date(), now);
    else if (upload.kind === 'refused') await failUnsent(db, claim, 'LinkedIn refused the picture');
    else await postponeUnsent(db, claim, new Date());
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    await failUnsent(db, claim, error.message);
  }
  return undefined;
}
