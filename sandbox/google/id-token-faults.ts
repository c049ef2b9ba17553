/** The texts are shown on the faults page. */
export const ID_TOKEN_FAULTS = {
  'wrong-issuer': 'The id token names another issuer.',
  'wrong-audience': 'The id token is meant for another application.',
  'wrong-party': 'The id token is meant for us, and was issued to another application (azp).',
  'wrong-signature': 'The id token is signed by a stranger, under the name of the published key.',
  'unknown-key': 'The id token is signed by a key that is not published.',
  'new-key': 'The id token is signed by a new key, which is published from now on.',
  'alg-none': 'The id token is not signed at all (alg none).',
  hs256: 'The id token is signed with the public key as a shared secret (HS256).',
  expired: 'The id token ended an hour ago.',
  old: 'The id token was issued two days ago, though it is to last for another hour.',
  future: 'The id token is issued and valid in an hour only.',
  'no-subject': 'The id token names nobody.',
  unverified: 'The id token says that the e-mail address is not verified.',
  'no-email': 'The id token has no e-mail address.',
  replayed: 'The id token is the one that was issued last before.',
  missing: 'The answer of the token endpoint has no id token.',
} as const;

/** Only Google returns the nonce. */
export const NONCE_FAULTS = {
  'wrong-nonce': 'The id token carries another nonce.',
  'no-nonce': 'The id token carries no nonce.',
} as const;

export type Provider = 'google' | 'linkedin';
type NonceFault = keyof typeof NONCE_FAULTS;
export type IdTokenKind =
  | `${Provider}.id-token-${keyof typeof ID_TOKEN_FAULTS}`
  | `google.id-token-${NonceFault}`;
