/** Every failure that can be switched on, with the sentence the faults page shows. */
export const FAULT_KINDS = {
  'linkedin.429': 'Create post answers 429 for a short throttle. Nothing is posted.',
  'linkedin.429-day': 'Create post answers 429: the member’s DAY limit is reached. Nothing is posted.',
  'linkedin.429-app-day': 'Create post answers 429: the application’s DAY limit is reached, for everybody.',
  'linkedin.500-before': 'Create post answers 500 and nothing is posted.',
  'linkedin.500-after': 'The post goes live, then the answer is 500.',
  'linkedin.drop-before': 'The connection is cut and nothing is posted.',
  'linkedin.drop-after': 'The post goes live, then the connection is cut without an answer.',
  'linkedin.hang-before': 'Nothing is posted and no answer ever comes.',
  'linkedin.hang-after': 'The post goes live and no answer ever comes.',
  'linkedin.slow': 'Create post answers late (delay in milliseconds, 5,000 if not given).',
  'linkedin.401-revoked': 'Create post answers 401: the member has revoked the token.',
  'linkedin.401-expired': 'Create post answers 401: the token has expired.',
  'linkedin.403-empty': 'Create post answers 403 with an empty message, as for a foreign author.',
  'linkedin.403-scope': 'Create post answers 403: the permission is missing.',
  'linkedin.422': 'Create post answers 422 with a schema error.',
  'linkedin.426': 'Create post answers 426: the API version is not active.',
  'linkedin.201-no-id': 'The post goes live, but the answer carries no id.',
  'linkedin.html-502': 'Create post answers 502 with an HTML page. Nothing is posted.',
  'linkedin.media-waiting': 'Create post with a picture answers 400: the picture is still being processed.',
  'linkedin.upload-needs-token': 'The picture upload answers 401 unless it carries the access token.',
  'linkedin.upload-refuses-token':
    'The picture upload answers 400 with HTML when it carries the access token.',
  'linkedin.oauth-error': 'Connecting ends with a server error instead of a code.',
  'writer.401': 'The writer answers 401: incorrect API key.',
  'writer.429': 'The writer answers 429 with Retry-After (delay in milliseconds, 1,000 if not given).',
  'writer.429-quota': 'The writer answers 429: no quota is left.',
  'writer.500': 'The writer answers 500.',
  'writer.slow': 'The writer answers late (delay in milliseconds, 10,000 if not given).',
  'writer.malformed': 'The writer answers with broken JSON.',
  'writer.refusal': 'The writer refuses to write.',
  'writer.truncated': 'The writer stops in the middle of its answer.',
  'writer.too-short': 'The writer answers with far too short a post.',
  'writer.markdown': 'The writer answers with Markdown in the post.',
  'writer.placeholder': 'The writer leaves a placeholder in the post.',
  'mail.451': 'The mail server refuses the mail for now (451).',
  'mail.550': 'The mail server refuses the recipient for good (550).',
  'mail.down': 'The mail server closes every connection.',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export function isFaultKind(value: unknown): value is FaultKind {
  return typeof value === 'string' && Object.hasOwn(FAULT_KINDS, value);
}
