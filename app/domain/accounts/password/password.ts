import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Algorithm, hash } from '@node-rs/argon2';
import { PASSWORD_MAX } from '#app/domain/accounts/limits.ts';
import { requestNetwork } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** One core is left to the pages of those who are signed in. */
const MOST_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const MOST_WAITING = 100;

type Waiting = { go(): void; refuse(reason: Refusal): void };

let running = 0;
let waiting = 0;
/** A line for each network that somebody waits from. The first one has the next turn. */
const lines = new Map<string, Waiting[]>();

const busy = () =>
  new Refusal(503, 'busy', 'Too many people are signing in right now. Please try again in a minute.', {
    retryAfter: 60,
  });

/** Whose network waits the most gives a place up to somebody whose network has fewer. */
function makeRoom(network: string): void {
  if (waiting < MOST_WAITING) return;
  const [longest] = [...lines.values()].sort((one, other) => other.length - one.length);
  if (!longest || longest.length <= (lines.get(network)?.length ?? 0) + 1) throw busy();
  waiting -= 1;
  longest.pop()!.refuse(busy());
}

async function standInLine(network: string): Promise<void> {
  makeRoom(network);
  waiting += 1;
  await new Promise<void>((go, refuse) => {
    const line = lines.get(network);
    if (line) line.push({ go, refuse });
    else lines.set(network, [{ go, refuse }]);
  });
}

/** Of each network one after the other: who sends a hundred from a few of them keeps nobody else waiting for all these. */
function takeNext(): Waiting | undefined {
  const [first] = lines;
  if (!first) return undefined;
  const [network, line] = first;
  waiting -= 1;
  const next = line.shift();
  lines.delete(network);
  if (line.length > 0) lines.set(network, line);
  return next;
}

/** A storm of sign-ins holds at most two times 32 MiB, leaves threads to others, and is turned away in time. */
export async function queueHash<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) await standInLine(requestNetwork() ?? 'nowhere');
  else running += 1;
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next) next.go();
    else running -= 1;
  }
}

/** More than OWASP's least for argon2id (19 MiB, two passes), so that a guess costs 50 to 150 ms of a core. */
const COST = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 32_768, timeCost: 8, parallelism: 1 };
const CURRENT = '$argon2id$v=19$m=32768,t=8,p=1$';
/** Costs, salt and hash of what is stored. */
const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$/;

/** More than a password takes in any spelling of its characters. */
const LONGEST_SPELLED = 8 * PASSWORD_MAX;

/**
 * The same characters can be typed as different code points, depending on the keyboard. What is longer than a password
 * can be spelled is nobody's, and to bring thousands of accents into order takes seconds.
 */
const canonical = (password: string) =>
  password.length > LONGEST_SPELLED ? password : password.normalize('NFC');

/** With the salt of `like`, if that was made with today's costs: then both are checked for the price of one. */
export function hashPassword(password: string, like?: string): Promise<string> {
  const salt = like?.startsWith(CURRENT) ? { salt: partsOf(like).salt } : {};
  return queueHash(() => hash(canonical(password), { ...COST, ...salt }));
}

function partsOf(stored: string) {
  const [prefix = '', memoryCost, timeCost, parallelism, salt = ''] = STORED.exec(stored) ?? [];
  const cost = {
    memoryCost: Number(memoryCost),
    timeCost: Number(timeCost),
    parallelism: Number(parallelism),
  };
  return { prefix, cost: { algorithm: COST.algorithm, ...cost }, salt: Buffer.from(salt, 'base64') };
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Those of the stored hashes that are of this password. It takes as long for none, for one and for many that share their
 * salt, so it tells nobody how many there are.
 */
export async function matchingHashes(stored: string[], password: string): Promise<string[]> {
  const hashes = stored.filter((each) => STORED.test(each));
  const salts = new Map(hashes.map((each) => [partsOf(each).prefix, partsOf(each)]));
  if (salts.size === 0) await hashPassword(password);
  const made: string[] = [];
  for (const { cost, salt } of salts.values()) {
    made.push(await queueHash(() => hash(canonical(password), { ...cost, salt })));
  }
  return hashes.filter((each) => made.some((own) => isSame(own, each)));
}

/** Checks a password; without a hash (nobody is there) it answers false after the same time. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  return (await matchingHashes(stored ? [stored] : [], password)).length > 0;
}

/** Whether a stored hash was made with other costs than a new one would be. */
export const isOutdated = (stored: string) => !stored.startsWith(CURRENT);

const MOST_COMMON = 10_000;
let common: Set<string> | undefined;

/** The package lists them most frequent first, in lower case, between words of all kinds: loaded for the first password. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, MOST_COMMON));
}

/** Refuses, beside its field, a password that is tried first. */
export async function refuseCommon(password: string, field = 'password'): Promise<void> {
  // The words, and not the way to them: what fails once is loaded the next time.
  common ??= await loadCommon();
  if (!common.has(canonical(password).toLowerCase())) return;
  throw new Refusal(422, 'invalid', 'This password is one of the most common ones. Please choose another.', {
    field,
  });
}
