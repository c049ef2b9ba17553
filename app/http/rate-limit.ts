import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { pool } from '#app/db/client.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hashToken } from '#app/domain/platform/secrets.ts';
import { clientAddress, clientNetwork } from './client-ip.ts';

const MINUTE = 60;
const rate = (keyPrefix: string, points: number) =>
  new RateLimiterMemory({ keyPrefix, points, duration: MINUTE });

/** Calls of one token, and of one address whatever its tokens. Who calls without one has the address alone. */
const OF_TOKEN = { read: rate('calls.read', 1_200), write: rate('calls.write', 300) };
const OF_ADDRESS = {
  read: rate('calls.address.read', 3_000),
  write: rate('calls.address.write', 600),
  /** Pages send these for everybody behind an address, so they are counted apart from its programs. */
  visit: rate('calls.address.visit', 3_000),
};

type Kind = keyof typeof OF_TOKEN;
export type AddressKind = keyof typeof OF_ADDRESS;

/** Counts a call of an address, before anything else is asked of it, or refuses it. Kept in memory: it bounds what a process does. */
export const limitAddress = (request: Request, kind: AddressKind): Promise<void> =>
  consume(OF_ADDRESS[kind], clientAddress(request));

/** Counts a call of a token, or refuses it. */
export const limitToken = (sessionId: string, kind: Kind): Promise<void> =>
  consume(OF_TOKEN[kind], sessionId);

type Rate = { points: number; seconds: number };
/**
 * What counts for one address and one account together, for the address, for the account from anywhere, and for it in
 * browsers that it knows.
 */
type Bucket = { pair: Rate; address: Rate; account?: Rate; known?: Rate };

const ADDRESS: Rate = { points: 50, seconds: 60 };
const BUCKETS = {
  'sign-in': {
    pair: { points: 20, seconds: 60 },
    address: ADDRESS,
    account: { points: 30, seconds: 60 },
    known: { points: 30, seconds: 60 },
  },
  'sign-up': { pair: { points: 10, seconds: 60 }, address: ADDRESS, account: { points: 20, seconds: 3600 } },
  code: { pair: { points: 20, seconds: 60 }, address: ADDRESS, account: { points: 60, seconds: 3600 } },
  'by-mail': { pair: { points: 20, seconds: 60 }, address: ADDRESS },
  resend: { pair: { points: 10, seconds: 60 }, address: ADDRESS },
  passkey: { pair: { points: 20, seconds: 60 }, address: ADDRESS },
  forgot: { pair: { points: 10, seconds: 60 }, address: ADDRESS },
  social: { pair: { points: 30, seconds: 60 }, address: ADDRESS },
} satisfies Record<string, Bucket>;
export type BucketName = keyof typeof BUCKETS;

/** What makes us mail somebody: of one address in a day, so that none uses up what all together are mailed. */
const MAILING: Rate = { points: 300, seconds: 86_400 };
const MAILS = new Set<BucketName>(['sign-up', 'resend', 'forgot']);

/** What a signed-in account may do, wherever it does it from. */
const ACCOUNT_RATES = {
  export: { points: 10, seconds: 600 },
  send: { points: 60, seconds: 600 },
  look: { points: 30, seconds: 600 },
  write: { points: 60, seconds: 600 },
  address: { points: 10, seconds: 3600 },
  ask: { points: 20, seconds: 3600 },
  resend: { points: 60, seconds: 3600 },
} satisfies Record<string, Rate>;

/**
 * What asks us something without a session: of one address, of its network, in the name of one e-mail, and of all together.
 * Fifty networks that are used up make the whole: whoever has some dozen of them closes the door to nobody else.
 */
const ASKED_BY_ADDRESS: Rate = { points: 20, seconds: 600 };
const ASKED_BY_NETWORK: Rate = { points: 60, seconds: 3600 };
const ASKED_BY_EMAIL: Rate = { points: 10, seconds: 3600 };
const ASKED_BY_ALL: Rate = { points: 3_000, seconds: 3600 };

/** Forms of one address without a session: more than its buckets let through together. */
const VISITOR_FORMS = new RateLimiterMemory({ keyPrefix: 'visitor-forms', points: 300, duration: 60 });

/** Reports of browsers: of one address, and of all together. */
const REPORTS = new RateLimiterMemory({ keyPrefix: 'reports.address', points: 30, duration: 60 });
const ALL_REPORTS = new RateLimiterMemory({ keyPrefix: 'reports', points: 600, duration: 60 });

/** Links of our mails that an address opens: of more none is written down. */
const CLICKS = new RateLimiterMemory({ keyPrefix: 'clicks', points: 30, duration: 60 });

const KNOWN_DAYS = 180;
/** The types of the library leave out how it says what it refuses from memory. */
type Limiter = RateLimiterPostgres & { getInMemoryBlockMsBeforeExpire(key: string): number };
const limiters = new Map<string, Limiter>();

function limiter(keyPrefix: string, { points, seconds: duration }: Rate): Limiter {
  const found = limiters.get(keyPrefix);
  if (found) return found;
  const made = new RateLimiterPostgres({
    storeClient: pool(),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix,
    points,
    duration,
    // Once it has refused, it refuses from memory until the time is over: a flood writes nothing.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
  }) as Limiter;
  limiters.set(keyPrefix, made);
  return made;
}

function inWords(seconds: number): string {
  if (seconds > 5400) return `${Math.ceil(seconds / 3600)} hours`;
  return seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
}

/** Counts one for a key, or refuses it with `rate_limited`. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    throw error instanceof RateLimiterRes ? refusalOf(limiter, error.msBeforeNext) : error;
  }
}

function refusalOf({ keyPrefix }: RateLimiterAbstract, ms: number): Refusal {
  emitEvent('limit_hit', { limit: keyPrefix });
  const retryAfter = Math.max(1, Math.ceil(ms / 1000));
  const wait = inWords(retryAfter);
  const sentence = `Too many attempts. Please wait ${wait} and try again.`;
  return new Refusal(429, 'rate_limited', sentence, { retryAfter });
}

type Count = [limiter: Limiter, key: string];

/** How long this process knows it to be used up, in milliseconds: nothing is counted for that. */
const usedUpFor = ([limiter, key]: Count) => limiter.getInMemoryBlockMsBeforeExpire(limiter.getKey(key));

/** Refuses what this process knows to be used up, before anything is counted: a refused call writes nothing. */
function refuseUsedUp(counts: Count[]): void {
  const full = counts.find((count) => usedUpFor(count) > 0);
  if (full) throw refusalOf(full[0], usedUpFor(full));
}

const knownAddresses = () => limiter('known', { points: 1, seconds: KNOWN_DAYS * 86_400 });

function keysOf(request: Request, account: string) {
  const address = clientAddress(request);
  const accountKey = hashToken(account);
  return { address, account: accountKey, pair: hashToken(`${accountKey} ${address}`) };
}

/** Whether somebody has signed in to the account from this address. */
export const isKnownAddress = async (request: Request, account: string): Promise<boolean> =>
  (await knownAddresses().get(keysOf(request, account).pair)) !== null;

/**
 * Counts a call, or refuses it with `rate_limited`. `account` is whom it is about (an e-mail). The limit
 * for the account as a whole leaves out addresses that have signed in to it and, with `isKnown`, browsers
 * that prove to be the owner's in another way, so that a flood from elsewhere locks nobody out. Whoever takes the cookie of
 * such a browser along to many addresses has a limit of their own.
 */
export async function limit(
  request: Request,
  name: BucketName,
  account: string,
  { isKnown = false }: { isKnown?: boolean } = {},
): Promise<void> {
  const bucket: Bucket = BUCKETS[name];
  const keys = keysOf(request, account);
  const counts: Count[] = [
    [limiter(`${name}.pair`, bucket.pair), keys.pair],
    [limiter(`${name}.address`, bucket.address), keys.address],
  ];
  if (MAILS.has(name)) counts.push([limiter('mailing.address', MAILING), keys.address]);
  refuseUsedUp(counts);
  if (isKnown && bucket.known) counts.push([limiter(`${name}.known`, bucket.known), keys.account]);
  else if (bucket.account && !isKnown && !(await knownAddresses().get(keys.pair)))
    counts.push([limiter(`${name}.account`, bucket.account), keys.account]);
  refuseUsedUp(counts);
  for (const [limiter, key] of counts) await consume(limiter, key);
}

/** Counts what a signed-in account does, from every address alike, or refuses it with `rate_limited`. */
export const limitAccount = (name: keyof typeof ACCOUNT_RATES, userId: string): Promise<void> =>
  consume(limiter(`${name}.account`, ACCOUNT_RATES[name]), hashToken(userId));

/**
 * Counts what somebody without a session asks us in the name of an e-mail, or refuses it. A flood in the name of an account,
 * or from next door, keeps nobody from asking who has signed in to it from where they are.
 */
export async function limitSupportRequest(request: Request, email: string): Promise<void> {
  const keys = keysOf(request, email);
  const address: Count = [limiter('asked.address', ASKED_BY_ADDRESS), keys.address];
  const bounds: Count[] = [
    [limiter('asked.network', ASKED_BY_NETWORK), clientNetwork(request) || 'unknown'],
    [limiter('asked.email', ASKED_BY_EMAIL), keys.account],
    [limiter('asked.all', ASKED_BY_ALL), 'all'],
  ];
  refuseUsedUp([address]);
  const isKnown = await isKnownAddress(request, email);
  if (!isKnown) refuseUsedUp(bounds);
  for (const [limiter, key] of isKnown ? [address] : [address, ...bounds]) await consume(limiter, key);
}

/**
 * Counts a form that somebody without a session sends, or refuses it, before its body is looked at. Kept in
 * memory: it bounds what an address may cost this process, not what it may try.
 */
export const limitVisitor = (request: Request): Promise<void> =>
  consume(VISITOR_FORMS, clientAddress(request));

/** After a successful sign-in: the address is known to the account, and the call does not count. */
export async function resetAfterSignIn(request: Request, account: string): Promise<void> {
  const keys = keysOf(request, account);
  await knownAddresses().set(keys.pair, 1, KNOWN_DAYS * 86_400);
  await limiter('sign-in.pair', BUCKETS['sign-in'].pair).delete(keys.pair);
  await limiter('sign-in.address', BUCKETS['sign-in'].address).reward(keys.address, 1);
}

/** Counts a report of a browser; answers how many seconds to wait when there are too many, and 0 when not. */
export async function limitReports(request: Request): Promise<number> {
  try {
    await REPORTS.consume(clientAddress(request));
    await ALL_REPORTS.consume('all');
    return 0;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
  }
}

/** Counts a link that was opened; answers whether it may be written down. */
export const isClickAllowed = (request: Request): Promise<boolean> =>
  CLICKS.consume(clientAddress(request)).then(
    () => true,
    () => false,
  );
