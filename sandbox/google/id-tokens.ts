import { type JWTPayload, UnsecuredJWT } from 'jose';
import { takeFault } from '#sandbox/server/faults.ts';
import type { State } from '#sandbox/state.ts';
import type { Provider } from './id-token-faults.ts';
import { type SigningKey, signToken, signWithUnknownKey } from './keys.ts';

const now = () => Math.floor(Date.now() / 1000);
const HOUR = 3600;

/** The claims that each fault changes; undefined removes a claim. */
const FAULTY_CLAIMS: Record<string, () => JWTPayload> = {
  'wrong-issuer': () => ({ iss: 'https://accounts.somebody-else.example' }),
  'wrong-audience': () => ({ aud: 'another-application', azp: undefined }),
  'wrong-party': () => ({ azp: 'another-application' }),
  expired: () => ({ iat: now() - 2 * HOUR, exp: now() - HOUR }),
  old: () => ({ iat: now() - 48 * HOUR }),
  future: () => ({ iat: now() + HOUR, nbf: now() + HOUR, exp: now() + 2 * HOUR }),
  'no-subject': () => ({ sub: undefined }),
  unverified: () => ({ email_verified: false }),
  'no-email': () => ({ email: undefined, email_verified: undefined }),
  'wrong-nonce': () => ({ nonce: 'the nonce of somebody else' }),
  'no-nonce': () => ({ nonce: undefined }),
};

async function signWithFault(
  key: SigningKey,
  claims: JWTPayload,
  header: Record<string, string>,
  fault: string,
) {
  if (fault === 'new-key') await key.rotate();
  const kid = Object.keys(key.certs).at(-1)!;
  const faulty = { ...claims, ...FAULTY_CLAIMS[fault]?.() };
  if (fault === 'wrong-signature') return signWithUnknownKey(faulty, { kid, ...header });
  if (fault === 'unknown-key') return signWithUnknownKey(faulty, { kid: 'never-published', ...header });
  if (fault === 'hs256')
    return signToken(new TextEncoder().encode(key.publicPem()), faulty, { ...header, alg: 'HS256' });
  if (fault === 'alg-none') return new UnsecuredJWT({ iat: now(), exp: now() + HOUR, ...faulty }).encode();
  return key.sign(faulty, header);
}

type IdTokenRequest = {
  provider: Provider;
  claims: JWTPayload;
  /** The text that the `match` of a fault is searched in. */
  matchText: string;
  header?: Record<string, string>;
};

/** Applies an active fault; undefined when the fault removes the token. */
export async function idTokenOf(
  state: State,
  key: SigningKey,
  request: IdTokenRequest,
): Promise<string | undefined> {
  const { provider, claims, matchText, header = {} } = request;
  const prefix = `${provider}.id-token-`;
  const fault =
    takeFault(state, (kind) => kind.startsWith(prefix), matchText)?.kind.slice(prefix.length) ?? '';
  if (fault === 'missing') return undefined;
  const earlier = state.lastIdTokens[provider];
  if (fault === 'replayed' && earlier !== undefined) return earlier;
  const token = await signWithFault(key, claims, header, fault);
  state.lastIdTokens[provider] = token;
  return token;
}
