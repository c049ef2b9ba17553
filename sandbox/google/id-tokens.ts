import { type JWTPayload, UnsecuredJWT } from 'jose';
import { strike } from '#sandbox/server/faults.ts';
import type { State } from '#sandbox/state.ts';
import type { Provider } from './id-token-faults.ts';
import { type SigningKey, signedBy, signedByStranger } from './keys.ts';

const now = () => Math.floor(Date.now() / 1000);
const HOUR = 3600;

/** The claims as a fault has them; undefined takes one away. */
const SPOILT: Record<string, () => JWTPayload> = {
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

async function signed(key: SigningKey, claims: JWTPayload, header: Record<string, string>, fault: string) {
  if (fault === 'new-key') await key.rotate();
  const kid = Object.keys(key.certs).at(-1)!;
  const spoilt = { ...claims, ...SPOILT[fault]?.() };
  if (fault === 'wrong-signature') return signedByStranger(spoilt, { kid, ...header });
  if (fault === 'unknown-key') return signedByStranger(spoilt, { kid: 'never-published', ...header });
  if (fault === 'hs256')
    return signedBy(new TextEncoder().encode(key.publicPem()), spoilt, { ...header, alg: 'HS256' });
  if (fault === 'alg-none') return new UnsecuredJWT({ iat: now(), exp: now() + HOUR, ...spoilt }).encode();
  return key.sign(spoilt, header);
}

type Wanted = {
  provider: Provider;
  claims: JWTPayload;
  /** What the match of a fault is looked for in. */
  seen: string;
  header?: Record<string, string>;
};

/** The id token of an answer, as a fault has it; undefined when the fault leaves it out. */
export async function idTokenOf(state: State, key: SigningKey, wanted: Wanted): Promise<string | undefined> {
  const { provider, claims, seen, header = {} } = wanted;
  const prefix = `${provider}.id-token-`;
  const fault = strike(state, (kind) => kind.startsWith(prefix), seen)?.kind.slice(prefix.length) ?? '';
  if (fault === 'missing') return undefined;
  const earlier = state.lastIdTokens[provider];
  if (fault === 'replayed' && earlier !== undefined) return earlier;
  const token = await signed(key, claims, header, fault);
  state.lastIdTokens[provider] = token;
  return token;
}
