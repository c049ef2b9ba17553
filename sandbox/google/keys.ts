import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import { selfSigned } from '#sandbox/server/certificate.ts';

type Pair = { privateKey: KeyObject; publicKey: KeyObject };

export type SigningKey = {
  /** The public keys for clients that read JSON Web Keys, and as certificates by key id. */
  jwks: { keys: object[] };
  certs: Record<string, string>;
  publicPem(): string;
  /** Signs with the newest key; an `iat` or `exp` among the claims is kept. */
  sign(claims: JWTPayload, header?: Record<string, string>): Promise<string>;
  /** Publishes one more key, which signs from now on. */
  rotate(): Promise<void>;
};

const HOUR = 3600;
const newPair = (): Promise<Pair> => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

/** The claims as a signed token of one hour. */
export function signedBy(key: KeyObject | Uint8Array, claims: JWTPayload, header: Record<string, string>) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iat: now, exp: now + HOUR, ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...header })
    .sign(key);
}

/** A token signed by a key that nobody has published. */
export async function signedByStranger(claims: JWTPayload, header: Record<string, string>) {
  return signedBy((await newPair()).privateKey, claims, header);
}

/** RS256 keys for id tokens, made anew at every start. */
export async function createSigningKey(name: string): Promise<SigningKey> {
  let current: Pair;
  let kid = '';
  const jwks: { keys: object[] } = { keys: [] };
  const certs: Record<string, string> = {};
  async function rotate() {
    current = await newPair();
    kid = `${name}-${jwks.keys.length + 1}`;
    jwks.keys.push({ ...(await exportJWK(current.publicKey)), kid, alg: 'RS256', use: 'sig' });
    certs[kid] = selfSigned(Date.now(), current).cert;
  }
  await rotate();
  return {
    jwks,
    certs,
    publicPem: () => current.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (claims, header = {}) => signedBy(current.privateKey, claims, { kid, ...header }),
    rotate,
  };
}
