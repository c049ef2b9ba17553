import { formatPrice } from '#app/domain/payments/money.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import { isExpiredUnpaid, isOvertaken } from '#app/domain/payments/review/expired-unpaid.ts';
import { formatLength } from '#app/domain/payments/review/preview-text.ts';
import type { Piece } from '#app/domain/payments/subscription/spans.ts';
import type { Paid, RequestRow } from './rows.ts';

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
  /** Of a request that is over: what was paid for it can be taken in, by share or as it was asked for. */
  lost: { requestId: string; isProrated: boolean } | null;
};

type Of = { reference: string; postsPerDay: number; currencyCode: string };
type More = Partial<Omit<LedgerEntry, 'kind' | 'at'>>;

function entry(
  kind: keyof typeof KINDS,
  at: Date,
  { reference, postsPerDay, currencyCode }: Of,
  more: More,
): LedgerEntry {
  const nothing = { amountMinor: null, from: null, to: null, by: null };
  const none = { transactionId: null, note: '', lost: null };
  const of = { reference, plan: postsADay(postsPerDay), currencyCode };
  return { ...nothing, ...none, ...of, kind, what: KINDS[kind], at, ...more };
}

const TIMING = { immediate: 'at once', next_billing: 'for the next billing date' };
const ASKED = { open: 'not paid', taken: 'paid', closed: 'closed without a payment' };

function requestEntry(asked: RequestRow, paid: Paid[], now: Date): LedgerEntry[] {
  const { openedAt, expiresAt, amountMinor, fullPriceMinor, promoPercent, upgradeType, status } = asked;
  const note = [
    upgradeType && `Upgrade ${TIMING[upgradeType]}`,
    promoPercent > 0 && `${promoPercent}% off ${formatPrice(fullPriceMinor, { code: asked.currencyCode })}`,
    ASKED[status],
  ];
  const lost = isExpiredUnpaid(asked, now)
    ? { requestId: asked.id, isProrated: isOvertaken(asked, paid) }
    : null;
  const requested = entry('requested', openedAt, asked, {
    amountMinor,
    from: openedAt,
    to: expiresAt,
    note: note.filter(Boolean).join(', '),
    lost,
  });
  if (!asked.creditedReference) return [requested];
  const length = `${formatLength(Number(asked.creditedMs))} of ${asked.creditedReference}`;
  const credited = { amountMinor: asked.creditMinor, from: asked.creditedFrom, note: length };
  return [requested, entry('credited', openedAt, asked, credited)];
}

const BY_SHARE = 'Taken in by an admin, for a share of a month';

function ofPaid(paid: Paid): LedgerEntry[] {
  const { createdAt, amountMinor, transactionId, firstVerifiedAt, verifiedAt, rejectedAt, cancelledAt } =
    paid;
  const more = { amountMinor, transactionId };
  return [
    entry('submitted', createdAt, paid, { ...more, note: paid.isProrated ? BY_SHARE : '' }),
    ...(firstVerifiedAt ? [entry('verified_first', firstVerifiedAt, paid, { by: paid.firstName })] : []),
    ...(verifiedAt ? [entry('verified', verifiedAt, paid, { ...more, by: paid.verifierName })] : []),
    ...(rejectedAt
      ? [entry('rejected', rejectedAt, paid, { by: paid.rejecterName, note: paid.rejectReason ?? '' })]
      : []),
    ...(cancelledAt ? [entry('cancelled', cancelledAt, paid, {})] : []),
  ];
}

/** What happened with a user's money, oldest first. */
export function toEntries(asked: RequestRow[], paid: Paid[], pieces: Piece[], now: Date): LedgerEntry[] {
  const periods = pieces.flatMap(({ paymentId, startsAt, endsAt }) => {
    const of = paid.find(({ id }) => id === paymentId);
    return of ? [entry('period', startsAt, of, { from: startsAt, to: endsAt })] : [];
  });
  const all = [...asked.flatMap((one) => requestEntry(one, paid, now)), ...paid.flatMap(ofPaid), ...periods];
  return all.sort((a, b) => a.at.getTime() - b.at.getTime());
}
