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

/** Per minute, counted in memory: it protects this process only. */
const rate = (keyPrefix: string, points: number) =>
  new RateLimiterMemory({ keyPrefix, points, duration: 60 });

/** API calls by token, and by address for all its tokens and for calls without one. */
const TOKEN_LIMITS = { read: rate('calls.read', 1_200), write: rate('calls.write', 300) };
const ADDRESS_LIMITS = {
  read: rate('calls.address.read', 3_000),
  write: rate('calls.address.write', 600),
  /** Pages send these for all users behind one address, so they have a limit of their own. */
  visit: rate('calls.address.visit', 3_000),
};

type Kind = keyof typeof TOKEN_LIMITS;
export type AddressKind = keyof typeof ADDRESS_LIMITS;

export const limitAddress = (request: Request, kind: AddressKind): Promise<void> =>
  consume(ADDRESS_LIMITS[kind], clientAddress(request));

export const limitToken = (sessionId: string, kind: Kind): Promise<void> =>
  consume(TOKEN_LIMITS[kind], sessionId);

type Rate = { points: number; seconds: number };
/** Limits for an address with an account, for an address, for an account, and for an account in its trusted browsers. */
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

/** Requests that send an email, by address and day, so that no address uses up the daily quota for all users. */
const MAIL_RATE: Rate = { points: 300, seconds: 86_400 };
const MAIL_BUCKETS = new Set<BucketName>(['sign-up', 'resend', 'forgot']);

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
 * Support requests without a session: by address, network and email, and in total. It takes fifty networks at their
 * limit to reach the total, so an attacker with a few dozen cannot lock out others.
 */
const SUPPORT_BY_ADDRESS: Rate = { points: 20, seconds: 600 };
const SUPPORT_BY_NETWORK: Rate = { points: 60, seconds: 3600 };
const SUPPORT_BY_EMAIL: Rate = { points: 10, seconds: 3600 };
const SUPPORT_TOTAL: Rate = { points: 3_000, seconds: 3600 };

const VISITOR_FORMS = rate('visitor-forms', 300);
const REPORTS = rate('reports.address', 30);
const ALL_REPORTS = rate('reports', 600);
const CLICKS = rate('clicks', 30);

const KNOWN_DAYS = 180;
/** The library's types leave out this method. */
type Limiter = RateLimiterPostgres & { getInMemoryBlockMsBeforeExpire(key: string): number };
const limiters = new Map<string, Limiter>();

function limiter(keyPrefix: string, { points, seconds: duration }: Rate): Limiter {
  const existing = limiters.get(keyPrefix);
  if (existing) return existing;
  const created = new RateLimiterPostgres({
    storeClient: pool(),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix,
    points,
    duration,
    // After the first refusal it refuses from memory, so that a flood causes no writes.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
  }) as Limiter;
  limiters.set(keyPrefix, created);
  return created;
}

function formatWait(seconds: number): string {
  if (seconds > 5400) return `${Math.ceil(seconds / 3600)} hours`;
  return seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
}

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
  const message = `Too many attempts. Please wait ${formatWait(retryAfter)} and try again.`;
  return new Refusal(429, 'rate_limited', message, { retryAfter });
}

type Count = [limiter: Limiter, key: string];

/** Milliseconds for which this process knows that the limit is reached. Counts nothing. */
const blockedMs = ([limiter, key]: Count) => limiter.getInMemoryBlockMsBeforeExpire(limiter.getKey(key));

/** Refuses a call before counting it, if this process knows that a limit is reached: then nothing is written. */
function refuseBlocked(counts: Count[]): void {
  const blocked = counts.find((count) => blockedMs(count) > 0);
  if (blocked) throw refusalOf(blocked[0], blockedMs(blocked));
}

const knownAddresses = () => limiter('known', { points: 1, seconds: KNOWN_DAYS * 86_400 });

function keysOf(request: Request, account: string) {
  const address = clientAddress(request);
  const accountKey = hashToken(account);
  return { address, account: accountKey, pair: hashToken(`${accountKey} ${address}`) };
}

export const isKnownAddress = async (request: Request, account: string): Promise<boolean> =>
  (await knownAddresses().get(keysOf(request, account).pair)) !== null;

/**
 * Counts a call about an account, given by its email, or throws a Refusal with `rate_limited`. The limit for the whole
 * account does not apply to addresses that have signed in to it, or to trusted browsers (`isKnown`), so that a flood
 * cannot lock out the owner. Trusted browsers have a limit of their own, because their cookie can be copied.
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
  if (MAIL_BUCKETS.has(name)) counts.push([limiter('mailing.address', MAIL_RATE), keys.address]);
  refuseBlocked(counts);
  if (isKnown && bucket.known) counts.push([limiter(`${name}.known`, bucket.known), keys.account]);
  else if (bucket.account && !isKnown && !(await knownAddresses().get(keys.pair)))
    counts.push([limiter(`${name}.account`, bucket.account), keys.account]);
  refuseBlocked(counts);
  for (const [limiter, key] of counts) await consume(limiter, key);
}

export const limitAccount = (name: keyof typeof ACCOUNT_RATES, userId: string): Promise<void> =>
  consume(limiter(`${name}.account`, ACCOUNT_RATES[name]), hashToken(userId));

/**
 * Counts a support request without a session, or throws a Refusal. For an address that has signed in to the account, only
 * the limit of the address applies, so that a flood cannot lock out the owner.
 */
export async function limitSupportRequest(request: Request, email: string): Promise<void> {
  const keys = keysOf(request, email);
  const address: Count = [limiter('asked.address', SUPPORT_BY_ADDRESS), keys.address];
  const others: Count[] = [
    [limiter('asked.network', SUPPORT_BY_NETWORK), clientNetwork(request) || 'unknown'],
    [limiter('asked.email', SUPPORT_BY_EMAIL), keys.account],
    [limiter('asked.all', SUPPORT_TOTAL), 'all'],
  ];
  refuseBlocked([address]);
  const isKnown = await isKnownAddress(request, email);
  if (!isKnown) refuseBlocked(others);
  for (const [limiter, key] of isKnown ? [address] : [address, ...others]) await consume(limiter, key);
}

/** Call before the body of a form without a session is read. */
export const limitVisitor = (request: Request): Promise<void> =>
  consume(VISITOR_FORMS, clientAddress(request));

/** Call after a successful sign-in: remembers the address for the account, and takes the attempt back out of the counts. */
export async function resetAfterSignIn(request: Request, account: string): Promise<void> {
  const keys = keysOf(request, account);
  await knownAddresses().set(keys.pair, 1, KNOWN_DAYS * 86_400);
  await limiter('sign-in.pair', BUCKETS['sign-in'].pair).delete(keys.pair);
  await limiter('sign-in.address', BUCKETS['sign-in'].address).reward(keys.address, 1);
}

/** Counts a CSP report. Returns the seconds to wait if there are too many, else 0. */
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

export const isClickAllowed = (request: Request): Promise<boolean> =>
  CLICKS.consume(clientAddress(request)).then(
    () => true,
    () => false,
  );
