import type { Refused } from '#app/integrations/linkedin-answers.ts';
import type { PostOutcome } from '#app/integrations/linkedin-posts.ts';

export const UNCONFIRMED = 'LinkedIn did not confirm this post. Look at your profile before you try again';

const NOT_ALLOWED = 'LinkedIn does not allow us to post for you. Connect LinkedIn again and allow posting';

/** Why LinkedIn refused, in words a user can act on. Every such post is not on LinkedIn. */
export function explainRefusal(outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>): string {
  if (outcome.kind === 'duplicate')
    return 'LinkedIn says that you already posted this text. Change it and try again';
  const { code, status } = outcome;
  if (status === 403) return NOT_ALLOWED;
  if (code === 'MEDIA_ASSET_PROCESSING_FAILED')
    return 'LinkedIn could not read the picture. Choose another one';
  if (/TOO_LONG|TOO_HIGH/.test(code ?? ''))
    return 'LinkedIn says that the text is too long. Shorten it and try again';
  if (/BLANK/.test(code ?? '')) return 'LinkedIn does not take an empty post. Write something and try again';
  if (status === 413) return 'LinkedIn says that the post is too large. Choose a smaller picture';
  return `LinkedIn refused this post (${code ?? status}). Change it and try again`;
}

/** Why LinkedIn refused the picture of a post. The post was not sent. */
export function explainPicture({ status }: Refused): string {
  if (status === 403) return NOT_ALLOWED;
  if (status === 413) return 'The picture is too large for LinkedIn. Choose a smaller one';
  if (status === 415) return 'LinkedIn could not read the picture. Choose another one';
  return 'LinkedIn refused the picture';
}
