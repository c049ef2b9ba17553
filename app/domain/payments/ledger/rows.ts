import type { Db } from '#app/db/client.ts';

export const listRequestRows = (db: Db, userId: string) =>
  db
    .selectFrom('paymentRequests')
    .leftJoin('payments as credited', 'credited.id', 'creditPaymentId')
    .select([
      'paymentRequests.id',
      'paymentRequests.reference',
      'paymentRequests.status',
      'openedAt',
      'expiresAt',
    ])
    .select(['paymentRequests.postsPerDay', 'paymentRequests.currencyCode', 'paymentRequests.upgradeType'])
    .select(['paymentRequests.fullPriceMinor', 'paymentRequests.amountMinor', 'promoPercent', 'creditMinor'])
    .select(['creditedFrom', 'creditedMs', 'credited.reference as creditedReference'])
    .where('paymentRequests.userId', '=', userId)
    .execute();

export const listPaid = (db: Db, userId: string) =>
  db
    .selectFrom('payments')
    .leftJoin('users as first', 'first.id', 'firstVerifiedBy')
    .leftJoin('users as verifier', 'verifier.id', 'verifiedBy')
    .leftJoin('users as rejecter', 'rejecter.id', 'rejectedBy')
    .select(['payments.id', 'reference', 'requestId', 'status', 'method', 'postsPerDay', 'currencyCode'])
    .select([
      'amountMinor',
      'transactionId',
      'payments.createdAt',
      'firstVerifiedAt',
      'payments.verifiedAt',
      'isProrated',
    ])
    .select(['rejectedAt', 'rejectReason', 'cancelledAt', 'first.name as firstName'])
    .select(['verifier.name as verifierName', 'rejecter.name as rejecterName'])
    .where('userId', '=', userId)
    .execute();

export type RequestRow = Awaited<ReturnType<typeof listRequestRows>>[number];
export type LedgerPayment = Awaited<ReturnType<typeof listPaid>>[number];
