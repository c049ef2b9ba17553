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
import { CODE_LENGTH } from '#app/domain/accounts/limits.ts';
import { env } from '#app/env.ts';

/** 256 random bits for a session, a bearer token or an OAuth state; 43 characters of base64url. */
export const randomToken = () => randomBytes(32).toString('base64url');

/** What the database keeps of a random token: SHA-256, which is enough for 256 bits of entropy. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');

/** The digits that prove an e-mail address. */
export const randomCode = () => String(randomInt(0, 10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');

/** With a key of its own, so that nothing else that is hashed with ours is a signature. */
const macOf = (key: Buffer, text: string) =>
  createHmac('sha256', createHmac('sha256', key).update('signatures').digest())
    .update(text)
    .digest('base64url');

/** A key for one purpose, so that nothing else that is hashed with ours comes to the same. */
export const keyFor = (purpose: string): Buffer =>
  createHmac('sha256', env().SECRET_KEYS[0]!.key).update(purpose).digest();

/** Proves later that we wrote this text. It names its key, so it stands while another one writes: `mac.keyId`. */
export function sign(text: string): string {
  const { id, key } = env().SECRET_KEYS[0]!;
  return `${macOf(key, text)}.${id}`;
}

/** Whether `sign` made this of the text, with a key that is configured still. */
export function isSigned(text: string, signature: string): boolean {
  const [mac = '', ...id] = signature.split('.');
  const key = env().SECRET_KEYS.find((candidate) => candidate.id === id.join('.'))?.key;
  if (!key) return false;
  const [given, ours] = [Buffer.from(mac), Buffer.from(macOf(key, text))];
  return given.length === ours.length && timingSafeEqual(given, ours);
}

/**
 * Encrypts a secret for the database: AES-256-GCM, random 96-bit IV. `context` (row and column) is
 * authenticated, so a sealed value moved to another row does not open.
 * The answer names its key: `keyId.iv.tag.ciphertext`, base64url.
 */
export function seal(plain: string, context: string): string {
  const { id, key } = env().SECRET_KEYS[0]!;
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${id}:${context}`));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
}

/** The id of the key that a sealed value names, in SQL. */
export const keyIdOf = (sealed: Expression<string | null>): RawBuilder<string> =>
  sql`split_part(${sealed}, '.', 1)`;

/** Whether a value is sealed with a key that does not write any more, in SQL. */
export const isSealedBefore = (sealed: Expression<string | null>): RawBuilder<boolean> =>
  sql`${keyIdOf(sealed)} <> ${env().SECRET_KEYS[0]!.id}`;

export type Resealed = { renewed: number; unreadable: number };

/**
 * Seals rows anew with the key that writes. `write` must leave a row alone that was changed meanwhile: whoever did so has
 * sealed it anew. What cannot be opened stays as it is, and is counted.
 */
export async function resealEach<Row, Fresh>(
  rows: Row[],
  reseal: (row: Row) => Fresh,
  write: (row: Row, fresh: Fresh) => Promise<unknown>,
): Promise<Resealed> {
  const done = { renewed: 0, unreadable: 0 };
  for (const row of rows) {
    let fresh: Fresh;
    try {
      fresh = reseal(row);
    } catch {
      done.unreadable += 1;
      continue;
    }
    await write(row, fresh);
    done.renewed += 1;
  }
  return done;
}

/** A stored secret can't be opened: its key is not configured any more. The operator's fault. */
export class SecretUnreadable extends Error {}

/** Decrypts what `seal` made. Throws SecretUnreadable without its key, and an Error when the context differs. */
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
