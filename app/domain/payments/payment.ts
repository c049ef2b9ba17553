import type { Db, Trx } from '#app/db/client.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';

/** Payments with the symbol of their currency, as every list and answer shows them. */
export const selectPayments = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoin('currencies', 'currencies.code', 'payments.currencyCode')
    .select(['payments.id', 'userId', 'reference', 'status', 'method', 'postsPerDay', 'currencyCode'])
    .select(['symbol as currencySymbol', 'amountMinor', 'fullPriceMinor', 'transactionId', 'upgradeType'])
    .select(['payerName', 'payerEmail', 'createdAt', 'verifiedAt', 'startsAt', 'endsAt', 'cancelledAt'])
    .select(['rejectedAt', 'rejectReason', 'requestId', 'firstVerifiedBy', 'firstVerifiedAt', 'isProrated'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('paymentScreenshots')
          .select('paymentId')
          .whereRef('paymentScreenshots.paymentId', '=', 'payments.id'),
      )
        .$castTo<boolean>()
        .as('hasScreenshot'),
    )
    // After a rejection, until it is submitted again or another payment is verified.
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('paymentRequests')
          .select('paymentRequests.id')
          .whereRef('paymentRequests.id', '=', 'payments.requestId')
          .where('paymentRequests.status', '=', 'open'),
      )
        .$castTo<boolean>()
        .as('isOpenAgain'),
    );

export const getPayment = (db: Db, paymentId: string) =>
  selectPayments(db).where('payments.id', '=', paymentId).executeTakeFirstOrThrow();

export type Payment = Awaited<ReturnType<typeof getPayment>>;

/**
 * Called in the transaction in which a user's plan begins, changes or ends. The queue is fitted to it by a
 * job, because the queue asks the plans and not the other way round.
 */
export async function planChanged(trx: Trx, userId: string): Promise<void> {
  await enqueue(trx, jobs.refitQueue, { userId });
}
