import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import { methodLabel, planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import { hasReceipt } from '#app/domain/payments/receipt.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';

const VERIFICATION_MS = VERIFIED_WITHIN_HOURS * 3_600_000;

/** The events of a payment. `leftMs`: what is left of the time within which we verify it. */
function timelineOf({ status, createdAt, verifiedAt, rejectedAt }: Payment, { timeZone }: Actor, now: Date) {
  const at = (instant: Date) => ({ iso: instant.toISOString(), text: formatMinute(instant, timeZone) });
  const event = (kind: 'submitted' | 'verified' | 'rejected', instant: Date) => ({
    kind,
    at: at(instant),
    leftMs: null,
  });
  const leftMs = VERIFICATION_MS - (now.getTime() - createdAt.getTime());
  return [
    event('submitted', createdAt),
    ...(status === 'pending' ? [{ kind: 'checking' as const, at: null, leftMs }] : []),
    ...(verifiedAt ? [event('verified', verifiedAt)] : []),
    ...(rejectedAt ? [event('rejected', rejectedAt)] : []),
  ];
}

export function presentPayment(payment: Payment, actor: Actor, now: Date) {
  const { id, status, postsPerDay, currencyCode, startsAt, endsAt, upgradeType } = payment;
  const day = (at: Date | null) => at && { iso: at.toISOString(), text: formatDate(at, actor.timeZone) };
  const start = upgradeType === 'next_billing' ? 'next' : 'immediate';
  return {
    id,
    status,
    plan: `${planLabel(postsPerDay)} plan`,
    posts: postsADay(postsPerDay),
    amount: formatMoney(payment.amountMinor, { code: currencyCode }),
    method: methodLabel(payment.method),
    transactionId: payment.transactionId,
    reference: payment.reference,
    timeline: timelineOf(payment, actor, now),
    receipt: hasReceipt(payment) ? `/app/payments/${id}/receipt` : null,
    startsAt: day(startsAt),
    endsAt: day(endsAt),
    isNext: status === 'active' && startsAt !== null && startsAt > now,
    isCancelled: payment.cancelledAt !== null && status === 'active',
    rejectReason: status === 'rejected' ? payment.rejectReason : null,
    submitAgain: payment.isOpenAgain
      ? `?dialog=subscribe&step=2&posts=${postsPerDay}&currency=${currencyCode}&start=${start}`
      : null,
  };
}

export type PresentedPayment = ReturnType<typeof presentPayment>;
