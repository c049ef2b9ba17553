import { isGood } from '#app/domain/payments/checkout/requests.ts';

type RequestState = { status: 'open' | 'taken' | 'closed'; expiresAt: Date; amountMinor: number };

/** Its payer can't submit a payment for it any more, and may have made one. */
export const isExpiredUnpaid = ({ status, expiresAt, amountMinor }: RequestState, now: Date) =>
  amountMinor > 0 && (status === 'closed' || (status === 'open' && !isGood({ expiresAt }, now)));

/**
 * Another payment of the same person was verified after it was asked for: that one may have been paid with the same credit,
 * or with the half price of a first payment.
 */
export const isOvertaken = ({ openedAt }: { openedAt: Date }, paid: { verifiedAt: Date | null }[]) =>
  paid.some(({ verifiedAt }) => verifiedAt !== null && verifiedAt >= openedAt);
