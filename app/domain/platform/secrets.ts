import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { CODE_LENGTH } from '#app/domain/accounts/limits.ts';
import { env } from '#app/env.ts';

/** 256 random bits as 43 characters of base64url. */
export const randomToken = () => randomBytes(32).toString('base64url');

/** SHA-256 suffices for tokens with 256 bits of entropy. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');

export const randomCode = () => String(randomInt(0, 10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');

/** A separate key, so that no other HMAC with ours is a signature. */
const macOf = (key: Buffer, text: string) =>
  createHmac('sha256', createHmac('sha256', key).update('signatures').digest())
    .update(text)
    .digest('base64url');

export const keyFor = (purpose: string): Buffer =>
  createHmac('sha256', env().SECRET_KEYS[0]!.key).update(purpose).digest();

/** Returns `mac.keyId`: it stays valid after a key rotation. */
export function sign(text: string): string {
  const { id, key } = env().SECRET_KEYS[0]!;
  return `${macOf(key, text)}.${id}`;
}

/** Whether `sign` made this with a key that is still configured. */
export function isSigned(text: string, signature: string): boolean {
  const [mac = '', ...id] = signature.split('.');
  const key = env().SECRET_KEYS.find((candidate) => candidate.id === id.join('.'))?.key;
  if (!key) return false;
  const [actual, expected] = [Buffer.from(mac), Buffer.from(macOf(key, text))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * Encrypts a secret for the database: AES-256-GCM with a random 96-bit IV. `context` (row and column) is
 * authenticated, so a value moved to another row can't be opened. Returns `keyId.iv.tag.ciphertext`, base64url.
 */
export function seal(plain: string, context: string): string {
  const { id, key } = env().SECRET_KEYS[0]!;
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${id}:${context}`));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
}

export const keyIdOf = (sealed: Expression<string | null>): RawBuilder<string> =>
  sql`split_part(${sealed}, '.', 1)`;

/** An SQL condition: sealed with a key that is no longer the current one. */
export const isSealedBefore = (sealed: Expression<string | null>): RawBuilder<boolean> =>
  sql`${keyIdOf(sealed)} <> ${env().SECRET_KEYS[0]!.id}`;

export type Resealed = { renewed: number; unreadable: number };

/** `write` must not overwrite a row that changed meanwhile. Unreadable rows stay unchanged and are counted. */
export async function resealEach<Row, Value>(
  rows: Row[],
  reseal: (row: Row) => Value,
  write: (row: Row, value: Value) => Promise<unknown>,
): Promise<Resealed> {
  const counts = { renewed: 0, unreadable: 0 };
  for (const row of rows) {
    let resealed: Value;
    try {
      resealed = reseal(row);
    } catch {
      counts.unreadable += 1;
      continue;
    }
    await write(row, resealed);
    counts.renewed += 1;
  }
  return counts;
}

/** The key of a stored secret is not configured: an operator has to fix it. */
export class SecretUnreadable extends Error {}

/** Decrypts the result of `seal`. Throws SecretUnreadable without its key, and an Error when the context differs. */
export function open(sealed: string, context: string): string {
  const [id, iv, tag, text] = sealed.split('.');
  const key = env().SECRET_KEYS.find((candidate) => candidate.id === id)?.key;
  if (!key || !iv || !tag || text === undefined) {
    throw new SecretUnreadable(`A stored secret names the key "${id}", which SECRET_KEYS does not have.`);
  }
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
    .setAAD(Buffer.from(`${id}:${context}`))
    .setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
}
