import type { Db, Trx } from '#app/db/client.ts';

/** Payments with the symbol of their currency, as every list and answer shows them. */
export const selectPayments = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoin('currencies', 'currencies.code', 'payments.currencyCode')
    .select(['payments.id', 'userId', 'reference', 'status', 'method', 'postsPerDay', 'currencyCode'])
    .select(['symbol as currencySymbol', 'amountMinor', 'fullPriceMinor', 'transactionId', 'upgradeType'])
    .select(['payerName', 'payerEmail', 'createdAt', 'verifiedAt', 'startsAt', 'endsAt', 'cancelledAt'])
    .select(['rejectedAt', 'rejectReason']);

export const getPayment = (db: Db, paymentId: string) =>
  selectPayments(db).where('payments.id', '=', paymentId).executeTakeFirstOrThrow();

export type Payment = Awaited<ReturnType<typeof getPayment>>;

/**
 * Everything that changes the payments of one user takes this lock first, so that it happens one after the
 * other. It does not stop rows that only refer to the user.
 */
export const lockPayer = (trx: Trx, userId: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timeZone'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
