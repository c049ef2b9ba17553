import type { Db, Trx } from '#app/db/client.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';

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
    // True after a rejection, until it is submitted again or another payment is verified.
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

/** Call it when a plan begins, changes or ends: a job adapts the queue, which depends on plans. */
export async function enqueueReschedule(trx: Trx, userId: string): Promise<void> {
  await enqueue(trx, jobs.refitQueue, { userId });
}
