import type { AdminStats } from '#app/domain/admin-stats.ts';
import { describeForeseen } from '#app/domain/payments/describe-foreseen.ts';
import type { listPendingPayments } from '#app/domain/payments/desk.ts';
import type { Revenue } from '#app/domain/payments/earnings.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import type { PaymentInfo } from '#app/domain/payments/payment-info.ts';
import { paymentShape } from '#app/domain/payments/payment-shape.ts';
import { screenshotUrl } from '#app/domain/payments/screenshots.ts';
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

type Move = PaymentInfo['goesOn'][number];
const moveShape = ({ postsPerDay, startsAt, endsAt }: Move) => ({
  postsPerDay,
  startDate: iso(startsAt),
  endDate: iso(endsAt),
});

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
    validUntil: iso(info.goodUntil),
    startDate: iso(info.startsAt),
    goesOnAfter: info.goesOn.map(moveShape),
    newPlan: { postsPerDay, fullPrice },
    currentPlan: current && {
      postsPerDay: current.postsPerDay,
      daysRemaining: current.daysRemaining,
      remainingCredit: toMajor(current.creditMinor),
    },
    promotion: info.promoPercent > 0 ? { percent: info.promoPercent, fullPrice } : null,
  };
}

/** What an admin sees of a payment: also who paid. */
export function adminPaymentShape(payment: Payment) {
  const { payerName: name, payerEmail: email } = payment;
  return { ...paymentShape(payment), transactionScreenshot: screenshotUrl(payment), userId: { name, email } };
}

type Pending = Awaited<ReturnType<typeof listPendingPayments>>['rows'][number];

/** Of a payment that waits, also what verifying it does. */
export function pendingPaymentShape(payment: Pending) {
  const { foreseen, isLate, needsTwoAdmins, firstVerifiedAt, payerZone, hasScreenshot, sameScreenshot } =
    payment;
  const { startsAt, endsAt, moved } = foreseen;
  return {
    ...adminPaymentShape(payment),
    isLate,
    hasScreenshot,
    needsTwoAdmins,
    firstVerifiedAt: iso(firstVerifiedAt),
    sameScreenshotAs: sameScreenshot?.reference ?? null,
    verification: {
      startDate: iso(startsAt),
      endDate: iso(endsAt),
      moves: moved.map(moveShape),
      says: describeForeseen(foreseen, payerZone),
    },
  };
}

/** `revenue` has the currencies in which something was verified. */
export function adminStatsShape({ totalUsers, countedAt: _, ...counts }: AdminStats, revenue: Revenue[]) {
  return {
    totalUsers,
    verifiedUsers: totalUsers,
    ...counts,
    revenue: revenue
      .filter(({ count }) => count > 0)
      .map(({ currencyCode, totalMinor, count }) => ({
        _id: currencyCode,
        total: toMajor(totalMinor),
        count,
      })),
  };
}
