import { toMajor } from './money.ts';
import type { Payment } from './payment.ts';
import { planType } from './plan-labels.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function paymentShape(payment: Payment) {
  const { id, status, postsPerDay, currencySymbol, currencyCode, method, transactionId, reference } = payment;
  return {
    _id: id,
    planType: planType(postsPerDay),
    status,
    postsPerDay,
    currencySymbol,
    currencyCode,
    amount: toMajor(payment.amountMinor),
    paymentMethod: method,
    transactionId,
    reference,
    upgradeType: payment.upgradeType,
    createdAt: payment.createdAt.toISOString(),
    startDate: iso(payment.startsAt),
    endDate: iso(payment.endsAt),
    paymentVerifiedAt: iso(payment.verifiedAt),
    rejectReason: payment.rejectReason,
  };
}
