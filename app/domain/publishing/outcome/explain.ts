import { FAILURES, type FailureText, inWords, refusedFor } from '#app/domain/posts/failures.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import type { Refused } from '#app/integrations/linkedin/responses.ts';

export const UNCONFIRMED = FAILURES.unconfirmed.reason;

/** Why LinkedIn refused, in words a user can act on. */
export function explainRefusal(
  outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>,
): FailureText {
  if (outcome.kind === 'duplicate') return inWords('duplicate');
  const { code, status } = outcome;
  if (status === 403) return inWords('forbidden');
  if (code === 'MEDIA_ASSET_PROCESSING_FAILED') return inWords('unreadable');
  if (/TOO_LONG|TOO_HIGH/.test(code ?? '')) return inWords('too_long');
  if (/BLANK/.test(code ?? '')) return inWords('empty');
  if (status === 413) return inWords('too_large');
  return refusedFor(code);
}

/** Why LinkedIn refused the picture of a post. The post was not sent. */
export function explainPicture({ status }: Refused): FailureText {
  if (status === 403) return inWords('forbidden');
  if (status === 413) return inWords('too_large_picture');
  if (status === 415) return inWords('unreadable');
  return inWords('refused_picture');
}
