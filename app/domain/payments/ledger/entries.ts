import { formatPrice } from '#app/domain/payments/money.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { isExpiredUnpaid, isSuperseded } from '#app/domain/payments/review/expired-unpaid.ts';
import { formatLength } from '#app/domain/payments/review/preview-text.ts';
import type { PlanSpan } from '#app/domain/payments/subscription/spans.ts';
import type { LedgerPayment, RequestRow } from './rows.ts';

const KINDS = {
  requested: 'Payment asked for',
  submitted: 'Proof submitted',
  verified_first: 'Verified by the first of two admins',
  verified: 'Verified',
  rejected: 'Rejected',
  credited: 'Unused time credited',
  period: 'Period',
  cancelled: 'Cancelled',
} as const;

export type LedgerEntry = {
  kind: keyof typeof KINDS;
  what: string;
  at: Date;
  reference: string;
  plan: string;
  amountMinor: number | null;
  currencyCode: string;
  from: Date | null;
  to: Date | null;
  by: string | null;
  transactionId: string | null;
  note: string;
  /** For an expired request: a late payment can be recorded, prorated or with the original terms. */
  lost: { requestId: string; isProrated: boolean } | null;
};

type EntrySource = { reference: string; postsPerDay: number; currencyCode: string };
type EntryFields = Partial<Omit<LedgerEntry, 'kind' | 'at'>>;

function entry(
  kind: keyof typeof KINDS,
  at: Date,
  { reference, postsPerDay, currencyCode }: EntrySource,
  fields: EntryFields,
): LedgerEntry {
  const empty = {
    amountMinor: null,
    from: null,
    to: null,
    by: null,
    transactionId: null,
    note: '',
    lost: null,
  };
  const plan = postsADay(postsPerDay);
  return { ...empty, reference, plan, currencyCode, kind, what: KINDS[kind], at, ...fields };
}

const TIMING = { immediate: 'at once', next_billing: 'for the next billing date' };
const REQUEST_STATUS = { open: 'not paid', taken: 'paid', closed: 'closed without a payment' };

function requestEntry(request: RequestRow, payments: LedgerPayment[], now: Date): LedgerEntry[] {
  const { openedAt, expiresAt, amountMinor, fullPriceMinor, promoPercent, upgradeType, status } = request;
  const note = [
    upgradeType && `Upgrade ${TIMING[upgradeType]}`,
    promoPercent > 0 && `${promoPercent}% off ${formatPrice(fullPriceMinor, { code: request.currencyCode })}`,
    REQUEST_STATUS[status],
  ];
  const lost = isExpiredUnpaid(request, now)
    ? { requestId: request.id, isProrated: isSuperseded(request, payments) }
    : null;
  const requested = entry('requested', openedAt, request, {
    amountMinor,
    from: openedAt,
    to: expiresAt,
    note: note.filter(Boolean).join(', '),
    lost,
  });
  if (!request.creditedReference) return [requested];
  const length = `${formatLength(Number(request.creditedMs))} of ${request.creditedReference}`;
  const credited = { amountMinor: request.creditMinor, from: request.creditedFrom, note: length };
  return [requested, entry('credited', openedAt, request, credited)];
}

const PRORATED = 'Taken in by an admin, for a share of a month';

function paymentEntries(payment: LedgerPayment): LedgerEntry[] {
  const { createdAt, amountMinor, transactionId, firstVerifiedAt, verifiedAt, rejectedAt, cancelledAt } =
    payment;
  const fields = { amountMinor, transactionId };
  return [
    entry('submitted', createdAt, payment, { ...fields, note: payment.isProrated ? PRORATED : '' }),
    ...(firstVerifiedAt
      ? [entry('verified_first', firstVerifiedAt, payment, { by: payment.firstName })]
      : []),
    ...(verifiedAt ? [entry('verified', verifiedAt, payment, { ...fields, by: payment.verifierName })] : []),
    ...(rejectedAt
      ? [
          entry('rejected', rejectedAt, payment, {
            by: payment.rejecterName,
            note: payment.rejectReason ?? '',
          }),
        ]
      : []),
    ...(cancelledAt ? [entry('cancelled', cancelledAt, payment, {})] : []),
  ];
}

export function toEntries(
  requests: RequestRow[],
  payments: LedgerPayment[],
  spans: PlanSpan[],
  now: Date,
): LedgerEntry[] {
  const periods = spans.flatMap(({ paymentId, startsAt, endsAt }) => {
    const source = payments.find(({ id }) => id === paymentId);
    return source ? [entry('period', startsAt, source, { from: startsAt, to: endsAt })] : [];
  });
  const all = [
    ...requests.flatMap((request) => requestEntry(request, payments, now)),
    ...payments.flatMap(paymentEntries),
    ...periods,
  ];
  return all.sort((a, b) => a.at.getTime() - b.at.getTime());
}
