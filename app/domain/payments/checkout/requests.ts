import { randomInt } from 'node:crypto';
import type { Db, Trx } from '#app/db/client.ts';
import { transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { LATE_PAYMENT_DAYS, REQUEST_GOOD_HOURS } from '#app/domain/payments/limits.ts';
import { configuredMethodOf } from '#app/domain/payments/methods.ts';
import type { Credit, Terms } from '#app/domain/payments/review/preview.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type Choice, type Quote, quotePurchase, requireNoPendingPayment } from './quote.ts';

const REQUEST_LIFE_MS = REQUEST_GOOD_HOURS * 3_600_000;
const REFERENCE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const newReference = () =>
  `TP-${Array.from({ length: 6 }, () => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)]).join('')}`;

const expiryFrom = (now: Date) => new Date(now.getTime() + REQUEST_LIFE_MS);

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

/** An amount with its terms, which is accepted until `expiresAt`. */
export type PaymentRequest = Row & Terms;

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

export const isValid = ({ expiresAt }: { expiresAt: Date }, now: Date) => expiresAt > now;

const isForChoice = (choice: Choice) => (request: PaymentRequest) =>
  request.postsPerDay === choice.postsPerDay &&
  request.currencyCode === choice.currencyCode &&
  request.upgradeType === choice.upgradeType;

export async function findRequest(
  db: Db,
  actor: { userId: string },
  choice: Choice,
  now: Date,
): Promise<PaymentRequest | undefined> {
  const open = (await listRequests(db, actor)).find(isForChoice(choice));
  return open && isValid(open, now) ? open : undefined;
}

export async function listExpiredUnpaid(
  db: Db,
  actor: { userId: string },
  current: PaymentRequest,
  now: Date,
) {
  const all = [...(await listRequests(db, actor)), ...(await listRequests(db, actor, 'closed'))];
  const since = now.getTime() - LATE_PAYMENT_DAYS * 86_400_000;
  return all.filter(
    (request) =>
      (request.status === 'closed' || !isValid(request, now)) &&
      request.id !== current.id &&
      request.postsPerDay === current.postsPerDay &&
      request.currencyCode === current.currencyCode &&
      request.amountMinor > 0 &&
      request.expiresAt.getTime() > since,
  );
}

/** Returns the valid request for a choice, extends an expired one with the same amount, or opens one. */
export async function openRequest(db: Db, actor: Actor, choice: Choice, now: Date): Promise<PaymentRequest> {
  configuredMethodOf(choice.currencyCode);
  await requireNoPendingPayment(db, actor.userId);
  const open = await findRequest(db, actor, choice, now);
  if (open) return open;
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
  const open = (await listRequests(trx, { userId })).find(isForChoice(quote));
  if (open && isValid(open, now)) return open.id;
  const terms = {
    fullPriceMinor,
    amountMinor,
    promoPercent,
    creditMinor: credit?.minor ?? 0,
    openedAt: now,
    creditPaymentId: credit?.paymentId ?? null,
    creditedFrom: credit?.from ?? null,
    // A request without an amount is not promised: each look computes it again.
    creditedMs: credit?.ms ?? null,
    expiresAt: amountMinor === 0 ? now : expiryFrom(now),
  };
  if (open?.amountMinor === amountMinor && open.fullPriceMinor === fullPriceMinor) {
    await trx.updateTable('paymentRequests').set(terms).where('id', '=', open.id).execute();
    return open.id;
  }
  if (open) await setStatus(trx, open.id, 'closed');
  const choice = { userId, postsPerDay, currencyCode, upgradeType };
  for (;;) {
    const inserted = await trx
      .insertInto('paymentRequests')
      .values({ ...choice, ...terms, reference: newReference() })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return inserted.id;
  }
}

export const setStatus = (trx: Trx, id: string, status: 'taken' | 'closed') =>
  trx.updateTable('paymentRequests').set({ status }).where('id', '=', id).execute();

export const markRequestTaken = (trx: Trx, id: string) => setStatus(trx, id, 'taken');

/** After a rejection the request is valid again. It replaces a newer open request for the same choice. */
export async function reopenRequest(
  trx: Trx,
  payer: { userId: string },
  id: string,
  now: Date,
): Promise<void> {
  const rejected = await getRequest(trx, id);
  const replaced = (await listRequests(trx, payer)).find(isForChoice(rejected));
  if (replaced) await setStatus(trx, replaced.id, 'closed');
  await trx
    .updateTable('paymentRequests')
    .set({ status: 'open', expiresAt: expiryFrom(now) })
    .where('id', '=', id)
    .where('status', '=', 'taken')
    .execute();
}

/** The terms of other open requests depend on the previous plan, or on a first payment. */
export async function closeRequests(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('paymentRequests')
    .set({ status: 'closed' })
    .where('userId', '=', userId)
    .where('status', '=', 'open')
    .execute();
}
