import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import { selfSigned } from '#sandbox/server/certificate.ts';

type Pair = { privateKey: KeyObject; publicKey: KeyObject };

export type SigningKey = {
  /** The public keys as JSON Web Keys, and below as certificates by key id. */
  jwks: { keys: object[] };
  certs: Record<string, string>;
  publicPem(): string;
  /** Signs with the newest key. `iat` and `exp` of the claims win over the defaults. */
  sign(claims: JWTPayload, header?: Record<string, string>): Promise<string>;
  /** Publishes a new key, which signs from now on. */
  rotate(): Promise<void>;
};

const HOUR = 3600;
const newPair = (): Promise<Pair> => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

/** The token is valid for one hour by default. */
export function signToken(key: KeyObject | Uint8Array, claims: JWTPayload, header: Record<string, string>) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iat: now, exp: now + HOUR, ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...header })
    .sign(key);
}

export async function signWithUnknownKey(claims: JWTPayload, header: Record<string, string>) {
  return signToken((await newPair()).privateKey, claims, header);
}

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
    sign: (claims, header = {}) => signToken(current.privateKey, claims, { kid, ...header }),
    rotate,
  };
}
