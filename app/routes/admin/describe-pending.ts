import type { Actor } from '#app/domain/actor.ts';
import { formatMinute } from '#app/domain/dates.ts';
import type { listPendingPayments } from '#app/domain/payments/history.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-words.ts';

type Pending = Awaited<ReturnType<typeof listPendingPayments>>['rows'][number];

const TIMING = { immediate: 'Upgrade, at once', next_billing: 'Upgrade, at the next billing date' };

/** What an admin compares with the bank statement, in words and in their own time zone. */
export function describePending(payment: Pending, admin: Actor) {
  const { id, reference, payerName, payerEmail, transactionId, isLate, currencyCode, createdAt } = payment;
  return {
    id,
    reference,
    payerName,
    payerEmail,
    transactionId,
    isLate,
    amount: formatMoney(payment.amountMinor, { code: currencyCode, symbol: payment.currencySymbol }),
    method: payment.method === 'upi' ? 'UPI' : 'PayPal',
    plan: `${planLabel(payment.postsPerDay)}, ${postsADay(payment.postsPerDay)}`,
    timing: payment.upgradeType && TIMING[payment.upgradeType],
    createdAt: { iso: createdAt.toISOString(), text: formatMinute(createdAt, admin.timeZone) },
  };
}

export type PendingPayment = ReturnType<typeof describePending>;
