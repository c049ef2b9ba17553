import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Algorithm, hash } from '@node-rs/argon2';
import { PASSWORD_MAX } from '#app/domain/accounts/limits.ts';
import { requestNetwork } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** Leaves one core for other requests. */
const CONCURRENCY = Math.max(1, Math.min(2, availableParallelism() - 1));
const QUEUE_MAX = 100;

type Waiter = { resolve(): void; reject(reason: Refusal): void };

let running = 0;
let waiting = 0;
/** A queue for each network. The first network is next. */
const queues = new Map<string, Waiter[]>();

const busy = () =>
  new Refusal(503, 'busy', 'Too many people are signing in right now. Please try again in a minute.', {
    retryAfter: 60,
  });

/** When the queue is full, the network with the most waiting requests loses one to a network with fewer. */
function makeRoom(network: string): void {
  if (waiting < QUEUE_MAX) return;
  const [longest] = [...queues.values()].sort((one, other) => other.length - one.length);
  if (!longest || longest.length <= (queues.get(network)?.length ?? 0) + 1) throw busy();
  waiting -= 1;
  longest.pop()!.reject(busy());
}

async function waitForTurn(network: string): Promise<void> {
  makeRoom(network);
  waiting += 1;
  await new Promise<void>((resolve, reject) => {
    const queue = queues.get(network);
    if (queue) queue.push({ resolve, reject });
    else queues.set(network, [{ resolve, reject }]);
  });
}

/** Round robin over the networks, so that one with many requests does not delay the others. */
function takeNext(): Waiter | undefined {
  const [first] = queues;
  if (!first) return undefined;
  const [network, queue] = first;
  waiting -= 1;
  const next = queue.shift();
  queues.delete(network);
  if (queue.length > 0) queues.set(network, queue);
  return next;
}

/** Limits password hashing to two times 32 MiB, and refuses requests when the queue is full. */
export async function queueHash<T>(work: () => Promise<T>): Promise<T> {
  if (running >= CONCURRENCY) await waitForTurn(requestNetwork() ?? 'nowhere');
  else running += 1;
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next) next.resolve();
    else running -= 1;
  }
}

/** Above OWASP's minimum for argon2id (19 MiB, two passes): a guess costs 50 to 150 ms of a core. */
const COST = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 32_768, timeCost: 8, parallelism: 1 };
const CURRENT = '$argon2id$v=19$m=32768,t=8,p=1$';
/** Parameters, salt and hash. */
const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$/;

/** Longer than any Unicode form of a valid password. */
const NORMALIZE_MAX = 8 * PASSWORD_MAX;

/** Keyboards produce different code points for a character. Normalizing very long texts takes seconds. */
const canonical = (password: string) =>
  password.length > NORMALIZE_MAX ? password : password.normalize('NFC');

/** Uses the salt of `like` if that has the current parameters: then one hash checks a password against both. */
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

/** Takes as long for none, one, or several with the same salt, so the time does not reveal their number. */
export async function matchingHashes(stored: string[], password: string): Promise<string[]> {
  const hashes = stored.filter((each) => STORED.test(each));
  const salts = new Map(hashes.map((stored) => [partsOf(stored).prefix, partsOf(stored)]));
  if (salts.size === 0) await hashPassword(password);
  const computed: string[] = [];
  for (const { cost, salt } of salts.values()) {
    computed.push(await queueHash(() => hash(canonical(password), { ...cost, salt })));
  }
  return hashes.filter((each) => computed.some((own) => isSame(own, each)));
}

/** Without a stored hash it returns false after the same time. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  return (await matchingHashes(stored ? [stored] : [], password)).length > 0;
}

/** Whether a hash has other parameters than a new one. */
export const isOutdated = (stored: string) => !stored.startsWith(CURRENT);

const COMMON_MAX = 10_000;
let common: Set<string> | undefined;

/** The package lists them most frequent first, in lower case. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, COMMON_MAX));
}

/** Throws a Refusal for one of the most common passwords. */
export async function refuseCommon(password: string, field = 'password'): Promise<void> {
  // Caches the result instead of the promise, so that a failed import is retried.
  common ??= await loadCommon();
  if (!common.has(canonical(password).toLowerCase())) return;
  throw new Refusal(422, 'invalid', 'This password is one of the most common ones. Please choose another.', {
    field,
  });
}
