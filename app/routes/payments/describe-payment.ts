import type { Actor } from '#app/domain/actor.ts';
import { formatDate } from '#app/domain/dates.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import { methodLabel, planLabel, postsADay } from '#app/domain/payments/plan-words.ts';

/** A payment in the words of its card, in the reader's time zone. */
export function describePayment(payment: Payment, actor: Actor) {
  const { id, status, postsPerDay, currencyCode, startsAt, endsAt, verifiedAt, upgradeType } = payment;
  const day = (at: Date | null) => at && { iso: at.toISOString(), text: formatDate(at, actor.timeZone) };
  const start = upgradeType === 'next_billing' ? 'next' : 'immediate';
  return {
    id,
    status,
    plan: `${planLabel(postsPerDay)} plan`,
    posts: postsADay(postsPerDay),
    amount: formatMoney(payment.amountMinor, { code: currencyCode, symbol: payment.currencySymbol }),
    method: methodLabel(payment.method),
    transactionId: payment.transactionId,
    createdAt: day(payment.createdAt)!,
    startsAt: day(startsAt),
    endsAt: day(endsAt),
    verifiedAt: day(verifiedAt),
    isCancelled: payment.cancelledAt !== null && status === 'active',
    rejectReason: status === 'rejected' ? payment.rejectReason : null,
    submitAgain: `?dialog=subscribe&step=2&posts=${postsPerDay}&currency=${currencyCode}&start=${start}`,
  };
}

export type DescribedPayment = ReturnType<typeof describePayment>;
