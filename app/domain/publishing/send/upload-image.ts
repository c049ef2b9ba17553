import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import { failureText } from '#app/domain/posts/failures.ts';
import { explainImageRefusal } from '#app/domain/publishing/outcome/settle.ts';
import { nextUtcMidnight, pauseForAppLimit } from '#app/domain/publishing/safety/pause.ts';
import { storeImageUrn } from '#app/domain/publishing/state/schedule.ts';
import { type FetchedImage, fetchImage, ImageRefused } from '#app/integrations/http/fetch-image.ts';
import { type UploadOutcome, uploadImage } from '#app/integrations/linkedin/images.ts';
import { recordVersions, tryVersions } from './call.ts';
import type { Claim } from './claim.ts';
import { failClaim, holdForConnection, postponeClaim, postponeClaimUntil } from './claim.ts';

/**
 * Uploads the image of a post and returns its urn, or null for a post without one. Ends the claim and returns undefined
 * when the post cannot be sent now. An image that LinkedIn already has from the same member is not uploaded again.
 */
export async function prepareImage(db: Db, claim: Claim, access: Access): Promise<string | null | undefined> {
  const { imageUrl } = claim;
  if (!imageUrl) return null;
  if (claim.imageUrn && claim.imageAuthorUrn === access.authorUrn) return claim.imageUrn;
  try {
    const image = await fetchImage(imageUrl);
    const calledAt = await databaseTime(db);
    const outcome = await upload(db, image, access);
    if (outcome.kind !== 'uploaded') {
      await endClaim(db, claim, outcome, access.tokenSealed, calledAt);
      return undefined;
    }
    const { imageUrn } = outcome;
    const uploaded = { imageUrl, imageUrn, imageAuthorUrn: access.authorUrn };
    await storeImageUrn(db, { id: claim.postId, userId: claim.userId }, claim.leaseToken, uploaded);
    return imageUrn;
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    await failClaim(db, claim, failureText('no_picture', error.message));
    return undefined;
  }
}

async function upload(db: Db, image: FetchedImage, access: Access): Promise<UploadOutcome> {
  const tried = await tryVersions(access, (caller) =>
    uploadImage({ ...image, ...caller, ownerUrn: access.authorUrn }),
  );
  await recordVersions(db, tried, new Date());
  return tried.outcome;
}

type NotUploaded = Exclude<UploadOutcome, { kind: 'uploaded' }>;

async function endClaim(
  db: Db,
  claim: Claim,
  outcome: NotUploaded,
  tokenSealed: string,
  calledAt: Date,
): Promise<void> {
  const now = new Date();
  switch (outcome.kind) {
    case 'unauthorized':
      return holdForConnection(db, claim, now, tokenSealed);
    case 'refused':
      return failClaim(db, claim, explainImageRefusal(outcome));
    case 'throttled': {
      if (outcome.scope === 'short') return postponeClaim(db, claim, now, outcome.retryAfterSeconds);
      // The end of the day of the call: the response can be read on the next day.
      const midnight = nextUtcMidnight(calledAt);
      const reason = 'LinkedIn takes no more pictures from Tidepost for now.';
      if (outcome.scope === 'app_day') await pauseForAppLimit(db, midnight, reason, now);
      return postponeClaimUntil(db, claim, midnight);
    }
    case 'version':
    case 'not_sent':
      return postponeClaim(db, claim, now);
    default:
      return outcome satisfies never;
  }
}
