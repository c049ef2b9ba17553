import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { pool } from '#app/db/client.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { hashToken } from '#app/domain/secrets.ts';
import { clientAddress } from './address.ts';

type Rate = { points: number; seconds: number };
/** What counts for one address and one account together, for the address, and for the account from anywhere. */
type Bucket = { pair: Rate; address: Rate; account?: Rate };

const ADDRESS: Rate = { points: 50, seconds: 60 };
const BUCKETS = {
  'sign-in': { pair: { points: 20, seconds: 60 }, address: ADDRESS, account: { points: 30, seconds: 60 } },
  'sign-up': { pair: { points: 10, seconds: 60 }, address: ADDRESS, account: { points: 20, seconds: 3600 } },
  code: { pair: { points: 20, seconds: 60 }, address: ADDRESS, account: { points: 60, seconds: 3600 } },
  'by-mail': { pair: { points: 20, seconds: 60 }, address: ADDRESS },
  resend: { pair: { points: 10, seconds: 60 }, address: ADDRESS },
  forgot: { pair: { points: 10, seconds: 60 }, address: ADDRESS },
} satisfies Record<string, Bucket>;
export type BucketName = keyof typeof BUCKETS;

/** What a signed-in account may do, wherever it does it from. */
const ACCOUNT_RATES = {
  export: { points: 10, seconds: 600 },
  send: { points: 60, seconds: 600 },
  look: { points: 30, seconds: 600 },
  write: { points: 60, seconds: 600 },
} satisfies Record<string, Rate>;

/** Forms of one address without a session: more than its buckets let through together. */
const VISITOR_FORMS = new RateLimiterMemory({ keyPrefix: 'visitor-forms', points: 300, duration: 60 });

const KNOWN_DAYS = 180;
const limiters = new Map<string, RateLimiterPostgres>();

function limiter(keyPrefix: string, { points, seconds: duration }: Rate): RateLimiterPostgres {
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
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
  });
  limiters.set(keyPrefix, made);
  return made;
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    const wait = retryAfter > 90 ? `${Math.ceil(retryAfter / 60)} minutes` : `${retryAfter} seconds`;
    throw new Refusal(429, 'rate_limited', `Too many attempts. Please wait ${wait} and try again.`, {
      retryAfter,
    });
  }
}

const known = () => limiter('known', { points: 1, seconds: KNOWN_DAYS * 86_400 });

function keysOf(request: Request, account: string) {
  const address = clientAddress(request);
  const accountKey = hashToken(account);
  return { address, account: accountKey, pair: hashToken(`${accountKey} ${address}`) };
}

/**
 * Counts a call, or refuses it with `rate_limited`. `account` is whom it is about (an e-mail). The limit
 * for the account as a whole leaves out addresses that have signed in to it and, with `isKnown`, browsers
 * that prove to be the owner's in another way, so that a flood from elsewhere locks nobody out.
 */
export async function limit(
  request: Request,
  name: BucketName,
  account: string,
  { isKnown = false }: { isKnown?: boolean } = {},
): Promise<void> {
  const bucket: Bucket = BUCKETS[name];
  const keys = keysOf(request, account);
  await consume(limiter(`${name}.pair`, bucket.pair), keys.pair);
  await consume(limiter(`${name}.address`, bucket.address), keys.address);
  if (!bucket.account || isKnown || (await known().get(keys.pair))) return;
  await consume(limiter(`${name}.account`, bucket.account), keys.account);
}

/** Counts what a signed-in account does, from every address alike, or refuses it with `rate_limited`. */
export const limitAccount = (name: keyof typeof ACCOUNT_RATES, userId: string): Promise<void> =>
  consume(limiter(`${name}.account`, ACCOUNT_RATES[name]), hashToken(userId));

/**
 * Counts a form that somebody without a session sends, or refuses it, before its body is looked at. Kept in
 * memory: it bounds what an address may cost this process, not what it may try.
 */
export const limitVisitor = (request: Request): Promise<void> =>
  consume(VISITOR_FORMS, clientAddress(request));

/** After a successful sign-in: the address is known to the account, and the call does not count. */
export async function welcome(request: Request, account: string): Promise<void> {
  const keys = keysOf(request, account);
  await known().set(keys.pair, 1, KNOWN_DAYS * 86_400);
  await limiter('sign-in.pair', BUCKETS['sign-in'].pair).delete(keys.pair);
  await limiter('sign-in.address', BUCKETS['sign-in'].address).reward(keys.address, 1);
}
