import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSigned, randomCode, sign } from '#app/domain/platform/secrets.ts';
import { CODE_MINUTES } from './limits.ts';

export const MAX_ATTEMPTS = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** To one address, for all purposes together. Requests of known browsers are counted separately. */
const HOURLY_MAX = 6;
const DAILY_MAX = 10;
/** To all addresses together: limits what a flood of made-up addresses costs. */
export const GLOBAL_DAILY_MAX = 10_000;

const WAIT_A_MINUTE = 'A code was sent a moment ago. Please wait a minute before you ask again.';
const WAIT_AN_HOUR = 'Several codes were sent within the hour. Please try again later.';
const WAIT_A_DAY = 'Many codes were sent within a day. Please try again tomorrow.';
const GLOBAL_LIMIT = 'Too many codes were sent today. Please try again later.';

type StoredCode = { codeHash: string; codeExpiresAt: Date; attempts: number };

/** Returns a code and the columns that store its HMAC; a plain hash of six digits could be guessed. */
export function makeCode(purpose: string, now: Date): { code: string; row: StoredCode } {
  const code = randomCode();
  const codeExpiresAt = new Date(now.getTime() + CODE_MINUTES * MINUTE_MS);
  return { code, row: { codeHash: sign(`code:${purpose}:${code}`), codeExpiresAt, attempts: 0 } };
}

/** Works after a key rotation, because the HMAC names its key. */
export const isCode = (codeHash: string | null, otp: string, purpose: string): boolean =>
  codeHash !== null && isSigned(`code:${purpose}:${otp}`, codeHash);

export const invalidOtp = () => new Refusal(400, 'invalid_otp', 'Invalid or expired OTP', { field: 'otp' });

/** Requests of browsers that have signed in before are counted separately, so that strangers can't exhaust them. */
export type CodeRequester = { isKnown?: boolean };

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
    .limit(DAILY_MAX)
    .execute();
  return rows.map(({ requestedAt }) => requestedAt.getTime());
}

const waitsAfter = (requestTimes: number[]) => [
  { until: (requestTimes[0] ?? 0) + MINUTE_MS, message: WAIT_A_MINUTE },
  { until: (requestTimes[HOURLY_MAX - 1] ?? 0) + HOUR_MS, message: WAIT_AN_HOUR },
  { until: (requestTimes[DAILY_MAX - 1] ?? 0) + DAY_MS, message: WAIT_A_DAY },
];

/** When the next code can be requested; null when it can be now. */
export async function findNextCodeAt(
  db: Db,
  email: string,
  now: Date,
  requester: CodeRequester = {},
): Promise<Date | null> {
  const until = Math.max(
    ...waitsAfter(await listRequestTimes(db, email, now, requester)).map((wait) => wait.until),
  );
  return until > now.getTime() ? new Date(until) : null;
}

const rateLimited = (message: string, retryAfter: number) =>
  new Refusal(429, 'rate_limited', message, { retryAfter });

/** Serializes requests for codes to one address until the transaction ends. */
const lockCodes = (trx: Trx, email: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${email}`}, 0))`.execute(trx);

/** Counts a request or throws a Refusal (`rate_limited`); the same with and without an account or sign-up. */
export async function countCode(
  trx: Trx,
  email: string,
  now: Date,
  requester: CodeRequester = {},
): Promise<void> {
  await lockCodes(trx, email);
  for (const { until, message } of waitsAfter(await listRequestTimes(trx, email, now, requester))) {
    const retryAfter = Math.ceil((until - now.getTime()) / 1000);
    if (retryAfter > 0) throw rateLimited(message, retryAfter);
  }
  const { total } = await trx
    .selectFrom('codeRequests')
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .where('requestedAt', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  if (Number(total) >= GLOBAL_DAILY_MAX) throw rateLimited(GLOBAL_LIMIT, HOUR_MS / 1000);
  await trx
    .insertInto('codeRequests')
    .values({ email, requestedAt: now, ...requester })
    .execute();
}
