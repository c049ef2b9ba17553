import { toMajor } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import type { PaymentInfo } from '#app/domain/payments/payment-info.ts';
import { planType } from '#app/domain/payments/plan-words.ts';
import type { Subscription } from '#app/domain/payments/subscription.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function priceShape({ postsPerDay, amountMinor }: { postsPerDay: number; amountMinor: number }) {
  return { postsPerDay, price: toMajor(amountMinor) };
}

export function subscriptionShape(subscription: Subscription | null) {
  if (!subscription) return null;
  const { status, postsPerDay, currencyCode, currencySymbol, amountMinor, startsAt, endsAt } = subscription;
  return {
    status,
    postsPerDay,
    currencyCode,
    currencySymbol,
    amount: toMajor(amountMinor),
    startDate: iso(startsAt),
    endDate: iso(endsAt),
  };
}

export function paymentInfoShape(info: PaymentInfo) {
  const { method, currencyCode, currencySymbol, postsPerDay, reference, note, upgradeType, current } = info;
  const fullPrice = toMajor(info.fullPriceMinor);
  return {
    method,
    amount: toMajor(info.amountMinor),
    currencyCode,
    currencySymbol,
    postsPerDay,
    upiUrl: info.upi?.url ?? null,
    upiId: info.upi?.id ?? null,
    paypalEmail: info.paypalEmail,
    note,
    reference,
    upgradeType,
    startImmediately: upgradeType === null ? null : upgradeType === 'immediate',
    newPlan: { postsPerDay, fullPrice },
    currentPlan: current && {
      postsPerDay: current.postsPerDay,
      daysRemaining: current.daysRemaining,
      remainingCredit: toMajor(current.creditMinor),
    },
    promotion: info.promoPercent > 0 ? { percent: info.promoPercent, fullPrice } : null,
  };
}

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

/** What an admin sees of a payment: also who paid. */
export function adminPaymentShape(payment: Payment) {
  const { payerName: name, payerEmail: email } = payment;
  return { ...paymentShape(payment), transactionScreenshot: null, userId: { name, email } };
}
