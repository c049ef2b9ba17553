import { formatMoney } from '#app/domain/payments/money.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import type { listPendingPayments } from '#app/domain/payments/review/list-pending.ts';
import { formatLength, presentPreview } from '#app/domain/payments/review/preview-text.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import { ledgerOf, SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';

type Pending = Awaited<ReturnType<typeof listPendingPayments>>['rows'][number];

const TIMING = { immediate: 'Upgrade, at once', next_billing: 'Upgrade, at the next billing date' };

/** Which of the looks of two admins the reader's would be. */
function lookOf({ needsTwoAdmins, firstVerifiedBy, firstVerifiedName }: Pending, { userId }: Actor) {
  if (!needsTwoAdmins) return null;
  if (!firstVerifiedBy) return { nth: 'first' as const, by: null };
  const nth = firstVerifiedBy === userId ? ('done' as const) : ('second' as const);
  return { nth, by: firstVerifiedName ?? 'A former admin' };
}

/** What verifying does, by the clock of the payer. `isVain`: it would be refused. */
function outcomeOf({ preview, payerZone, createdAt, waitsMs }: Pending) {
  const { startsAt, endsAt } = preview;
  const isAtOnce = startsAt.getTime() <= createdAt.getTime() + waitsMs;
  return {
    starts: isAtOnce ? 'At once' : formatMinute(startsAt, payerZone),
    ends: formatMinute(endsAt, payerZone),
    zone: payerZone.replaceAll('_', ' '),
    also: presentPreview(preview, payerZone),
    isVain: endsAt <= startsAt,
  };
}

/** Another payment with the same picture, and where it is found. */
function sameScreenshotOf({ sameScreenshot: same }: Pending) {
  if (!same) return null;
  const { reference, payerName, status, more } = same;
  // The list has rejected payments only where they are asked for.
  const of = new URLSearchParams({ q: reference, ...(status === 'rejected' && { status }) });
  return { reference, more, payer: payerName || 'a deleted account', to: `${SUBSCRIPTIONS}?${of}` };
}

/** What an admin compares with the bank statement, in words and in their own time zone. */
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
    eraseAt: payment.payerEraseAt && formatMinute(payment.payerEraseAt, admin.timeZone),
    amount: formatMoney(payment.amountMinor, currency),
    credit: creditMinor ? formatMoney(creditMinor, currency) : null,
    method: payment.method === 'upi' ? 'UPI' : 'PayPal',
    plan: `${planLabel(payment.postsPerDay)}, ${postsADay(payment.postsPerDay)}`,
    sameScreenshot: sameScreenshotOf(payment),
    screenshot: payment.hasScreenshot ? `/payment-screenshots/${id}` : null,
    timing: payment.upgradeType && TIMING[payment.upgradeType],
    waits: formatLength(payment.waitsMs),
    look: lookOf(payment, admin),
    outcome: outcomeOf(payment),
    createdAt: { iso: createdAt.toISOString(), text: formatMinute(createdAt, admin.timeZone) },
  };
}

export type PendingPayment = ReturnType<typeof presentPending>;
