import { isValid } from '#app/domain/payments/checkout/requests.ts';

type RequestState = { status: 'open' | 'taken' | 'closed'; expiresAt: Date; amountMinor: number };

/** Its payer can't submit a payment any more, and may have made one. */
export const isExpiredUnpaid = ({ status, expiresAt, amountMinor }: RequestState, now: Date) =>
  amountMinor > 0 && (status === 'closed' || (status === 'open' && !isValid({ expiresAt }, now)));

/** Another payment was verified after the request: that one may have used the same credit or first-payment promotion. */
export const isSuperseded = ({ openedAt }: { openedAt: Date }, payments: { verifiedAt: Date | null }[]) =>
  payments.some(({ verifiedAt }) => verifiedAt !== null && verifiedAt >= openedAt);
