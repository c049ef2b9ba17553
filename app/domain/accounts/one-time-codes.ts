import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { CODE_MINUTES } from '#app/domain/accounts/limits.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSigned, randomCode, sign } from '#app/domain/platform/secrets.ts';

export const MOST_TRIES = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** To one address, whatever the codes are for: the first one and five more; as many for those who are known to it. */
const MOST_IN_AN_HOUR = 6;
const MOST_IN_A_DAY = 10;
/** To all addresses together: what a flood of made-up ones may cost in mails. */
export const MOST_OF_ALL = 10_000;

const MOMENT = 'A code was sent a moment ago. Please wait a minute before you ask again.';
const HOUR = 'Several codes were sent within the hour. Please try again later.';
const DAY = 'Many codes were sent within a day. Please try again tomorrow.';
const ALL = 'Too many codes were sent today. Please try again later.';

/** What the row of whatever a code is for keeps of it. */
type StoredCode = { codeHash: string; codeExpiresAt: Date; attempts: number };

/** A new code, and what is kept of it: keyed, because six digits alone can be tried through. `purpose` names its one row. */
export function makeCode(purpose: string, now: Date): { code: string; kept: StoredCode } {
  const code = randomCode();
  const codeExpiresAt = new Date(now.getTime() + CODE_MINUTES * MINUTE_MS);
  return { code, kept: { codeHash: sign(`code:${purpose}:${code}`), codeExpiresAt, attempts: 0 } };
}

/** Whether a kept code is this one. It names the key that it was kept with, so it outlives a change of keys. */
export const isCode = (codeHash: string | null, otp: string, purpose: string): boolean =>
  codeHash !== null && isSigned(`code:${purpose}:${otp}`, codeHash);

export const invalidOtp = () => new Refusal(400, 'invalid_otp', 'Invalid or expired OTP', { field: 'otp' });

/**
 * `isKnown`: who asks has signed in to the account before. What such people ask for is counted by itself, so that no
 * stranger keeps an owner from a code.
 */
export type CodeRequester = { isKnown?: boolean };

/** When codes to the address were asked for within a day, the latest first. */
async function listRequestTimes(
  db: Db,
  email: string,
  now: Date,
  { isKnown = false }: CodeRequester,
): Promise<number[]> {
  const rows = await db
    .selectFrom('codeRequests')
    .select('requestedAt')
    .where('email', '=', email)
    .where('isKnown', '=', isKnown)
    .where('requestedAt', '>', new Date(now.getTime() - DAY_MS))
    .orderBy('requestedAt', 'desc')
    .limit(MOST_IN_A_DAY)
    .execute();
  return rows.map(({ requestedAt }) => requestedAt.getTime());
}

const pausesOf = (asked: number[]) => [
  { until: (asked[0] ?? 0) + MINUTE_MS, message: MOMENT },
  { until: (asked[MOST_IN_AN_HOUR - 1] ?? 0) + HOUR_MS, message: HOUR },
  { until: (asked[MOST_IN_A_DAY - 1] ?? 0) + DAY_MS, message: DAY },
];

/** From when another code can be asked for, for this address; null when it can be now. */
export async function findNextCodeAt(
  db: Db,
  email: string,
  now: Date,
  asker: CodeRequester = {},
): Promise<Date | null> {
  const until = Math.max(
    ...pausesOf(await listRequestTimes(db, email, now, asker)).map((pause) => pause.until),
  );
  return until > now.getTime() ? new Date(until) : null;
}

const tooSoon = (message: string, retryAfter: number) =>
  new Refusal(429, 'rate_limited', message, { retryAfter });

/** All that one process after the other may do about the codes of an address; until the transaction ends. */
const lockCodes = (trx: Trx, email: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${email}`}, 0))`.execute(trx);

/**
 * Counts that a code to this address is asked for, or refuses it with `rate_limited`: the same for an address with an
 * account, with a sign-up that waits and with neither, and whichever form asks.
 */
export async function countCode(
  trx: Trx,
  email: string,
  now: Date,
  asker: CodeRequester = {},
): Promise<void> {
  await lockCodes(trx, email);
  for (const { until, message } of pausesOf(await listRequestTimes(trx, email, now, asker))) {
    const retryAfter = Math.ceil((until - now.getTime()) / 1000);
    if (retryAfter > 0) throw tooSoon(message, retryAfter);
  }
  const { all } = await trx
    .selectFrom('codeRequests')
    .select((eb) => eb.fn.countAll<string>().as('all'))
    .where('requestedAt', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  if (Number(all) >= MOST_OF_ALL) throw tooSoon(ALL, HOUR_MS / 1000);
  await trx
    .insertInto('codeRequests')
    .values({ email, requestedAt: now, ...asker })
    .execute();
}
