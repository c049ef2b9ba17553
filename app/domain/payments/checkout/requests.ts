import { randomInt } from 'node:crypto';
import type { Db, Trx } from '#app/db/client.ts';
import { transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { LOST_FOR_DAYS, REQUEST_GOOD_HOURS } from '#app/domain/payments/limits.ts';
import { configuredMethodOf } from '#app/domain/payments/methods.ts';
import type { Credit, Terms } from '#app/domain/payments/review/preview.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type Choice, type Quote, quotePurchase, refuseWhileWaiting } from './quote.ts';

const GOOD_MS = REQUEST_GOOD_HOURS * 3_600_000;
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const newReference = () =>
  `TP-${Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;

const goodFrom = (now: Date) => new Date(now.getTime() + GOOD_MS);

const selectRequests = (db: Db) =>
  db
    .selectFrom('paymentRequests as request')
    .innerJoin('currencies', 'currencies.code', 'request.currencyCode')
    .leftJoin('payments as credited', 'credited.id', 'request.creditPaymentId')
    .select(['request.id', 'request.reference', 'request.status', 'request.postsPerDay'])
    .select([
      'request.currencyCode',
      'symbol as currencySymbol',
      'request.upgradeType',
      'request.fullPriceMinor',
    ])
    .select(['promoPercent', 'request.amountMinor', 'creditMinor', 'creditPaymentId', 'creditedFrom'])
    .select(['creditedMs', 'openedAt', 'expiresAt', 'credited.postsPerDay as creditedPostsPerDay'])
    .select('credited.endsAt as creditedEndsAt');

type Row = Awaited<ReturnType<ReturnType<typeof selectRequests>['executeTakeFirstOrThrow']>>;
type CreditColumns = Pick<Row, 'creditMinor' | 'creditPaymentId' | 'creditedFrom' | 'creditedMs'>;

/** The credit as a request stores it, or null of one without. */
export function readCredit({
  creditMinor,
  creditPaymentId,
  creditedFrom,
  creditedMs,
}: CreditColumns): Credit | null {
  if (!creditPaymentId || !creditedFrom) return null;
  return { paymentId: creditPaymentId, from: creditedFrom, ms: Number(creditedMs), minor: creditMinor };
}

const withCredit = (row: Row): PaymentRequest => ({ ...row, credit: readCredit(row), isProrated: false });

/** What somebody was asked to pay: what it says is what is taken for as long as it is good. */
export type PaymentRequest = Row & Terms;

/** The requests of a user that no payment was submitted for, newest first. */
export async function listRequests(
  db: Db,
  { userId }: { userId: string },
  status: 'open' | 'closed' = 'open',
): Promise<PaymentRequest[]> {
  const rows = await selectRequests(db)
    .where('request.userId', '=', userId)
    .where('request.status', '=', status)
    .orderBy('openedAt', 'desc')
    .orderBy('request.id')
    .execute();
  return rows.map(withCredit);
}

export const isGood = ({ expiresAt }: { expiresAt: Date }, now: Date) => expiresAt > now;

const isFor = (choice: Choice) => (request: PaymentRequest) =>
  request.postsPerDay === choice.postsPerDay &&
  request.currencyCode === choice.currencyCode &&
  request.upgradeType === choice.upgradeType;

/** The request that a user opened for a choice and that is good still. */
export async function findRequest(
  db: Db,
  actor: { userId: string },
  choice: Choice,
  now: Date,
): Promise<PaymentRequest | undefined> {
  const found = (await listRequests(db, actor)).find(isFor(choice));
  return found && isGood(found, now) ? found : undefined;
}

/** What a user was asked for the same plan lately and may have paid, though it is no longer taken. */
export async function listLost(db: Db, actor: { userId: string }, taken: PaymentRequest, now: Date) {
  const all = [...(await listRequests(db, actor)), ...(await listRequests(db, actor, 'closed'))];
  const since = now.getTime() - LOST_FOR_DAYS * 86_400_000;
  return all.filter(
    (one) =>
      (one.status === 'closed' || !isGood(one, now)) &&
      one.id !== taken.id &&
      one.postsPerDay === taken.postsPerDay &&
      one.currencyCode === taken.currencyCode &&
      one.amountMinor > 0 &&
      one.expiresAt.getTime() > since,
  );
}

/**
 * The request for a choice: the one that is good, else a new one at what it costs now. Asking again makes no second one.
 * One that is over goes on, with its reference, when what is to be paid is the same.
 */
export async function openRequest(db: Db, actor: Actor, choice: Choice, now: Date): Promise<PaymentRequest> {
  configuredMethodOf(choice.currencyCode);
  await refuseWhileWaiting(db, actor.userId);
  const found = await findRequest(db, actor, choice, now);
  if (found) return found;
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const id = await makeRequest(trx, actor, await quotePurchase(trx, actor, choice, now), now);
    return getRequest(trx, id);
  });
}

export async function getRequest(db: Db, id: string): Promise<PaymentRequest> {
  return withCredit(await selectRequests(db).where('request.id', '=', id).executeTakeFirstOrThrow());
}

async function makeRequest(trx: Trx, { userId }: Actor, quote: Quote, now: Date): Promise<string> {
  const { credit, postsPerDay, currencyCode, upgradeType, fullPriceMinor, amountMinor, promoPercent } = quote;
  const open = (await listRequests(trx, { userId })).find(isFor(quote));
  if (open && isGood(open, now)) return open.id;
  const terms = {
    fullPriceMinor,
    amountMinor,
    promoPercent,
    creditMinor: credit?.minor ?? 0,
    openedAt: now,
    creditPaymentId: credit?.paymentId ?? null,
    creditedFrom: credit?.from ?? null,
    // Where nothing is to be paid nobody's money hangs on what was said: each look says it anew.
    creditedMs: credit?.ms ?? null,
    expiresAt: amountMinor === 0 ? now : goodFrom(now),
  };
  if (open?.amountMinor === amountMinor && open.fullPriceMinor === fullPriceMinor) {
    await trx.updateTable('paymentRequests').set(terms).where('id', '=', open.id).execute();
    return open.id;
  }
  if (open) await setStatus(trx, open.id, 'closed');
  const choice = { userId, postsPerDay, currencyCode, upgradeType };
  for (;;) {
    const made = await trx
      .insertInto('paymentRequests')
      .values({ ...choice, ...terms, reference: newReference() })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) return made.id;
  }
}

export const setStatus = (trx: Trx, id: string, status: 'taken' | 'closed') =>
  trx.updateTable('paymentRequests').set({ status }).where('id', '=', id).execute();

/** A payment was submitted for it. */
export const takeRequest = (trx: Trx, id: string) => setStatus(trx, id, 'taken');

/**
 * Its payment was rejected: it is good again, with the same reference, so that it can be submitted rightly. What its payer
 * was asked for the same choice meanwhile, as happens before one that was over is taken in, gives way to it.
 */
export async function reopenRequest(
  trx: Trx,
  payer: { userId: string },
  id: string,
  now: Date,
): Promise<void> {
  const rejected = await getRequest(trx, id);
  const other = (await listRequests(trx, payer)).find(isFor(rejected));
  if (other) await setStatus(trx, other.id, 'closed');
  await trx
    .updateTable('paymentRequests')
    .set({ status: 'open', expiresAt: goodFrom(now) })
    .where('id', '=', id)
    .where('status', '=', 'taken')
    .execute();
}

/** What else the user was asked to pay goes by a plan that is no longer theirs, or by a first payment that is made. */
export async function closeRequests(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('paymentRequests')
    .set({ status: 'closed' })
    .where('userId', '=', userId)
    .where('status', '=', 'open')
    .execute();
}
