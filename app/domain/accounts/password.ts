import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { Refusal } from '#app/domain/refusal.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$';
/** What a password is checked against when nobody is there: it takes as long as against a real one. */
let dummy: Promise<string> | undefined;

const MOST_AT_ONCE = 2;
const MOST_WAITING = 100;
let running = 0;
const waiting: (() => void)[] = [];

/** A storm of sign-ins holds at most two times 19 MiB, leaves threads to others, and is turned away in time. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) {
      throw new Refusal(
        503,
        'busy',
        'Too many people are signing in right now. Please try again in a minute.',
        {
          retryAfter: 60,
        },
      );
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The same characters can be typed as different code points, depending on the keyboard. */
const canonical = (password: string) => password.normalize('NFC');

export const hashPassword = (password: string) => inTurn(() => hash(canonical(password), COST));

/** Checks a password; without a hash (nobody is there) it answers false after the same time. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  dummy ??= hash(crypto.randomUUID(), COST);
  const fallback = await dummy;
  const isRight = await inTurn(() => verify(stored ?? fallback, canonical(password)));
  return isRight && Boolean(stored);
}

/** Whether a stored hash was made with other costs than a new one would be. */
export const isOutdated = (stored: string) => !stored.startsWith(CURRENT);

const MOST_COMMON = 10_000;
let common: Set<string> | undefined;

/** Refuses, beside its field, a password that is tried first. The package lists them most frequent first, in lower case. */
export function refuseCommon(password: string, field = 'password'): void {
  common ??= new Set(dictionary['passwords-common'].slice(0, MOST_COMMON));
  if (!common.has(canonical(password).toLowerCase())) return;
  throw new Refusal(422, 'invalid', 'This password is one of the most common ones. Please choose another.', {
    field,
  });
}
