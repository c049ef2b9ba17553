import { formatMoney } from '#app/domain/payments/money.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import type { listPendingPayments } from '#app/domain/payments/review/list-pending.ts';
import { formatLength, presentPreview } from '#app/domain/payments/review/preview-text.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute, presentTime } from '#app/domain/platform/dates.ts';
import { ledgerOf, SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';

type Pending = Awaited<ReturnType<typeof listPendingPayments>>['rows'][number];

const TIMING = { immediate: 'Upgrade, at once', next_billing: 'Upgrade, at the next billing date' };

/** Which of the two reviews of a large payment this admin's would be. */
function reviewOf({ needsTwoAdmins, firstVerifiedBy, firstVerifiedName }: Pending, { userId }: Actor) {
  if (!needsTwoAdmins) return null;
  if (!firstVerifiedBy) return { step: 'first' as const, by: null };
  const step = firstVerifiedBy === userId ? ('done' as const) : ('second' as const);
  return { step, by: firstVerifiedName ?? 'A former admin' };
}

/** What verifying would do, in the time zone of the payer. `isRefused`: nothing of the paid time is left. */
function outcomeOf({ preview, payerZone, createdAt, waitsMs }: Pending) {
  const { startsAt, endsAt } = preview;
  const startsNow = startsAt.getTime() <= createdAt.getTime() + waitsMs;
  return {
    starts: startsNow ? 'At once' : formatMinute(startsAt, payerZone),
    ends: formatMinute(endsAt, payerZone),
    zone: payerZone.replaceAll('_', ' '),
    changes: presentPreview(preview, payerZone),
    isRefused: endsAt <= startsAt,
  };
}

function sameScreenshotOf({ sameScreenshot: same }: Pending) {
  if (!same) return null;
  const { reference, payerName, status, more } = same;
  // The list leaves out rejected payments unless the filter names them.
  const query = new URLSearchParams({ q: reference, ...(status === 'rejected' && { status }) });
  return { reference, more, payer: payerName || 'a deleted account', to: `${SUBSCRIPTIONS}?${query}` };
}

export function presentPending(payment: Pending, admin: Actor) {
  const { id, reference, payerName, payerEmail, transactionId, isLate, createdAt, creditMinor } = payment;
  const currency = { code: payment.currencyCode };
  return {
    id,
    reference,
    payerName,
    payerEmail,
    transactionId,
    isLate,
    ledger: ledgerOf(payment.userId!),
    deletesAt: payment.payerEraseAt && formatMinute(payment.payerEraseAt, admin.timeZone),
    amount: formatMoney(payment.amountMinor, currency),
    credit: creditMinor ? formatMoney(creditMinor, currency) : null,
    method: payment.method === 'upi' ? 'UPI' : 'PayPal',
    plan: `${planLabel(payment.postsPerDay)}, ${postsADay(payment.postsPerDay)}`,
    sameScreenshot: sameScreenshotOf(payment),
    screenshot: payment.hasScreenshot ? `/payment-screenshots/${id}` : null,
    timing: payment.upgradeType && TIMING[payment.upgradeType],
    waited: formatLength(payment.waitsMs),
    review: reviewOf(payment, admin),
    outcome: outcomeOf(payment),
    createdAt: presentTime(createdAt, admin.timeZone),
  };
}

export type PendingPayment = ReturnType<typeof presentPending>;
