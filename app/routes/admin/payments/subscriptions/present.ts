import { PAYMENT_STATUSES, POSTS_PER_DAY } from '#app/domain/payments/limits.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import type { Payment } from '#app/domain/payments/payment.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import type { SubscriptionsQuery } from '#app/domain/payments/review/list-pending.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, presentTime } from '#app/domain/platform/dates.ts';
import { STATUS_LABELS } from '#app/routes/admin/payments/status-labels.ts';
import { ledgerOf } from '#app/routes/admin/tabs.tsx';

export function presentSubscription(payment: Payment, { timeZone }: Actor) {
  const { id, userId, status, postsPerDay, startsAt, endsAt, createdAt, method } = payment;
  const date = (at: Date) => formatDate(at, timeZone);
  return {
    id,
    status,
    payer: payment.payerName || 'A deleted account',
    email: payment.payerEmail,
    ledger: userId && ledgerOf(userId),
    plan: planLabel(postsPerDay),
    posts: postsADay(postsPerDay),
    amount: formatMoney(payment.amountMinor, { code: payment.currencyCode }),
    method: method === 'upi' ? 'UPI' : 'PayPal',
    period: startsAt && endsAt ? `${date(startsAt)} to ${date(endsAt)}` : null,
    isCancelled: status === 'active' && payment.cancelledAt !== null,
    rejectReason: status === 'rejected' ? payment.rejectReason : null,
    reference: payment.reference,
    transactionId: payment.transactionId,
    at: presentTime(createdAt, timeZone),
  };
}

export type ListedSubscription = ReturnType<typeof presentSubscription>;

const optionsOf = (all: string, options: (readonly [value: string, label: string])[]) => [
  { value: '', label: all },
  ...options.map(([value, label]) => ({ value, label })),
];

export const filtersOf = (currencies: { code: string; name: string }[]) => ({
  status: optionsOf(
    'All but rejected',
    PAYMENT_STATUSES.map((status) => [status, STATUS_LABELS[status]]),
  ),
  currencyCode: optionsOf(
    'All currencies',
    currencies.map(({ code, name }) => [code, `${code}, ${name}`]),
  ),
  postsPerDay: optionsOf(
    'All plans',
    POSTS_PER_DAY.map((count) => [`${count}`, `${planLabel(count)}, ${postsADay(count)}`]),
  ),
});

type Chosen = Pick<SubscriptionsQuery, 'status' | 'currencyCode' | 'postsPerDay' | 'q'>;

/** The filter as the values of its form and as a query string. */
export function chosenOf({ status, currencyCode, postsPerDay, q }: Chosen) {
  const chosen = {
    q: q ?? '',
    status: status ?? '',
    currencyCode: currencyCode ?? '',
    postsPerDay: `${postsPerDay ?? ''}`,
  };
  const params = Object.entries(chosen).filter(([, value]) => value !== '');
  return { chosen, search: new URLSearchParams(params).toString(), isNarrowed: params.length > 0 };
}
