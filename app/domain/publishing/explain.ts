import type { PostOutcome } from '#app/integrations/linkedin-posts.ts';

export const UNCONFIRMED = 'LinkedIn did not confirm this post. Look at your profile before you try again';

/** Why LinkedIn refused, in words a user can act on. Every such post is not on LinkedIn. */
export function explainRefusal(outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>): string {
  if (outcome.kind === 'duplicate')
    return 'LinkedIn says that you already posted this text. Change it and try again';
  const { code, status } = outcome;
  if (status === 403) {
    return 'LinkedIn does not allow us to post for you. Connect LinkedIn again and allow posting';
  }
  if (code === 'MEDIA_ASSET_PROCESSING_FAILED')
    return 'LinkedIn could not read the picture. Choose another one';
  if (/TOO_LONG|TOO_HIGH/.test(code ?? ''))
    return 'LinkedIn says that the text is too long. Shorten it and try again';
  if (/BLANK/.test(code ?? '')) return 'LinkedIn does not take an empty post. Write something and try again';
  if (status === 413) return 'LinkedIn says that the post is too large. Choose a smaller picture';
  return `LinkedIn refused this post (${code ?? status}). Change it and try again`;
}
