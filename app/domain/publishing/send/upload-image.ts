import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import { inWords } from '#app/domain/posts/failures.ts';
import { explainPicture } from '#app/domain/publishing/outcome/settle.ts';
import { nextUtcMidnight, pausePublishing } from '#app/domain/publishing/safety/pause.ts';
import { storeImageUrn } from '#app/domain/publishing/state/schedule.ts';
import { type FetchedImage, fetchImage, ImageRefused } from '#app/integrations/http/fetch-image.ts';
import { type UploadOutcome, uploadImage } from '#app/integrations/linkedin/images.ts';
import { noteVersions, tryVersions } from './call.ts';
import type { Claim } from './claim.ts';
import { failUnsent, holdForConnection, postponeUnsent, postponeUntil } from './claim.ts';

/**
 * The picture's urn, null for a post without one, undefined when the claim was given back because the post
 * can't go out now. A picture that LinkedIn has already from the same member is not uploaded again.
 */
export async function preparePicture(
  db: Db,
  claim: Claim,
  access: Access,
): Promise<string | null | undefined> {
  const { imageUrl } = claim;
  if (!imageUrl) return null;
  if (claim.imageUrn && claim.imageAuthorUrn === access.authorUrn) return claim.imageUrn;
  try {
    const image = await fetchImage(imageUrl);
    const askedAt = await databaseTime(db);
    const upload = await handOver(db, image, access);
    if (upload.kind !== 'uploaded') {
      await giveUp(db, claim, upload, access.tokenSealed, askedAt);
      return undefined;
    }
    const { imageUrn } = upload;
    const kept = { imageUrl, imageUrn, imageAuthorUrn: access.authorUrn };
    await storeImageUrn(db, { id: claim.postId, userId: claim.userId }, claim.leaseToken, kept);
    return imageUrn;
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    await failUnsent(db, claim, inWords('no_picture', error.message));
    return undefined;
  }
}

async function handOver(db: Db, image: FetchedImage, access: Access): Promise<UploadOutcome> {
  const tried = await tryVersions(access, (caller) =>
    uploadImage({ ...image, ...caller, ownerUrn: access.authorUrn }),
  );
  await noteVersions(db, tried, new Date());
  return tried.outcome;
}

type NotUploaded = Exclude<UploadOutcome, { kind: 'uploaded' }>;

async function giveUp(
  db: Db,
  claim: Claim,
  upload: NotUploaded,
  tokenSealed: string,
  askedAt: Date,
): Promise<void> {
  const now = new Date();
  switch (upload.kind) {
    case 'unauthorized':
      return holdForConnection(db, claim, now, tokenSealed);
    case 'refused':
      return failUnsent(db, claim, explainPicture(upload));
    case 'throttled': {
      if (upload.scope === 'short') return postponeUnsent(db, claim, now, upload.retryAfterSeconds);
      // Of the day in which LinkedIn was asked: the answer can be read in the next one.
      const midnight = nextUtcMidnight(askedAt);
      const reason = 'LinkedIn takes no more pictures from Tidepost for now.';
      if (upload.scope === 'app_day') await pausePublishing(db, midnight, reason, now);
      return postponeUntil(db, claim, midnight);
    }
    case 'version':
    case 'not_sent':
      return postponeUnsent(db, claim, now);
    default:
      return upload satisfies never;
  }
}
