import { FAILURES, refusedFor } from '#app/domain/posts/failures.ts';
import type { Refused } from '#app/integrations/linkedin-answers.ts';
import type { PostOutcome } from '#app/integrations/linkedin-posts.ts';

export const UNCONFIRMED = FAILURES.unconfirmed.reason;

/** Why LinkedIn refused, in words a user can act on. */
export function explainRefusal(outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>): string {
  if (outcome.kind === 'duplicate') return FAILURES.duplicate.reason;
  const { code, status } = outcome;
  if (status === 403) return FAILURES.forbidden.reason;
  if (code === 'MEDIA_ASSET_PROCESSING_FAILED') return FAILURES.unreadable.reason;
  if (/TOO_LONG|TOO_HIGH/.test(code ?? '')) return FAILURES.tooLong.reason;
  if (/BLANK/.test(code ?? '')) return FAILURES.empty.reason;
  if (status === 413) return FAILURES.tooLarge.reason;
  return refusedFor(code ?? status);
}

/** Why LinkedIn refused the picture of a post. The post was not sent. */
export function explainPicture({ status }: Refused): string {
  if (status === 403) return FAILURES.forbidden.reason;
  if (status === 413) return FAILURES.tooLargePicture.reason;
  if (status === 415) return FAILURES.unreadable.reason;
  return FAILURES.refusedPicture.reason;
}
