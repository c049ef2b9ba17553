import type { UpgradeType } from '#app/db/tables.ts';
import { addMonth } from '#app/domain/payments/subscription/periods.ts';
import { msOf, type PlanSpan, type Span, splitAt, totalMs } from '#app/domain/payments/subscription/spans.ts';

/** The credit for a plan's unused time: the time `ms` that is unused from `from` on, worth `minor`. */
export type Credit = { paymentId: string; from: Date; ms: number; minor: number };

/** The part of a payment that determines the effect of its verification. */
export type Terms = {
  postsPerDay: number;
  upgradeType: UpgradeType | null;
  amountMinor: number;
  fullPriceMinor: number;
  credit: Credit | null;
  /** It runs for the paid share of a month. */
  isProrated: boolean;
};

/** A plan that is moved to another time. */
export type MovedPlan = {
  paymentId: string;
  postsPerDay: number;
  /** Whether a part of it was used: then the remaining time is moved, otherwise a whole month. */
  isBegun: boolean;
  from: Date;
  startsAt: Date;
  endsAt: Date;
};

export type PaymentPreview = {
  startsAt: Date;
  endsAt: Date;
  /** The money paid for this time. */
  worthMinor: number;
  /** The length of a prorated plan. */
  shareMs: number | null;
  /** The credited time that was used before the verification, and by how much that shortens the month. */
  usedMs: number;
  takenMs: number;
  /** The credited plan, and when it ends. */
  ended: { paymentId: string; postsPerDay: number; at: Date; leftMs: number } | null;
  moved: MovedPlan[];
  /** The new spans of every changed plan, including past ones. */
  spans: Map<string, Span[]>;
};

const addMs = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** `a * b / c` with BigInt, rounded up; 0 when `c` is 0. */
const ceilRatio = (a: number, b: number, c: number) =>
  c === 0 ? 0 : Number((BigInt(a) * BigInt(b) + BigInt(c) - 1n) / BigInt(c));

/** The month that begins at `startsAt`, or the paid share of it. */
function purchasedSpan(startsAt: Date, { isProrated, amountMinor, fullPriceMinor }: Terms, zone: string) {
  const month = { startsAt, endsAt: addMonth(startsAt, zone) };
  if (!isProrated || amountMinor >= fullPriceMinor) return { ...month, shareMs: null };
  const shareMs = ceilRatio(msOf(month), amountMinor, fullPriceMinor);
  return { startsAt, endsAt: addMs(startsAt, shareMs), shareMs };
}

const spansOf = (spans: PlanSpan[], paymentId: string) =>
  spans.filter((span) => span.paymentId === paymentId);

/** How much of the credited time was used by `now`, and how much uncredited time of that plan remains. */
function settleCredit(credit: Credit, spans: PlanSpan[], now: Date) {
  const { before, after } = splitAt(spansOf(spans, credit.paymentId), now);
  const used = totalMs(splitAt(before, credit.from).after);
  const rest = totalMs(after);
  const uncredited = Math.max(0, used + rest - credit.ms);
  // Uncredited time is used first.
  return { usedMs: Math.max(0, used - uncredited), leftMs: Math.max(0, uncredited - used) };
}

/** Moves plans one after the other: the remaining time of used ones, a whole month of others. */
function chainPlans(
  plans: { paymentId: string; spans: PlanSpan[]; isBegun: boolean; ms: number }[],
  from: Date,
  zone: string,
) {
  let end = from;
  return plans.map(({ paymentId, spans, isBegun, ms }): MovedPlan => {
    const startsAt = end;
    end = isBegun ? addMs(startsAt, ms) : addMonth(startsAt, zone);
    const { postsPerDay, startsAt: from } = spans[0]!;
    return { paymentId, postsPerDay, isBegun, from, startsAt, endsAt: end };
  });
}

/** The credited plan ends, and the rest of every other plan follows. Used credit shortens the new month. */
function previewImmediate(terms: Terms, spans: PlanSpan[], timeZone: string, now: Date): PaymentPreview {
  const { credit, amountMinor, fullPriceMinor } = terms;
  const { usedMs, leftMs } = credit ? settleCredit(credit, spans, now) : { usedMs: 0, leftMs: 0 };
  const month = purchasedSpan(now, terms, timeZone);
  const [usedMinor, ms] = credit ? [credit.minor * usedMs, credit.ms] : [0, 0];
  const takenMs = ceilRatio(msOf(month), usedMinor, ms * fullPriceMinor);
  const endsAt = addMs(month.endsAt, -takenMs);
  const { before, after } = splitAt(spans, now);
  const ids = [...new Set(after.map(({ paymentId }) => paymentId))];
  const plans = ids.map((paymentId) => {
    const spans = spansOf(after, paymentId);
    const isCredited = paymentId === credit?.paymentId;
    const isBegun = isCredited || spans[0]!.keepsLength || spansOf(before, paymentId).length > 0;
    return { paymentId, spans, isBegun, ms: isCredited ? leftMs : totalMs(spans) };
  });
  const moved = chainPlans(
    plans.filter(({ ms }) => ms > 0),
    endsAt,
    timeZone,
  );
  const newSpans = new Map<string, Span[]>(ids.map((id) => [id, spansOf(before, id)]));
  for (const { paymentId, startsAt, endsAt } of moved) newSpans.get(paymentId)!.push({ startsAt, endsAt });
  const credited = credit && spansOf(spans, credit.paymentId).at(-1);
  const ended = credited ? { ...endedPlan(credited, now), leftMs } : null;
  const worthMinor = amountMinor + (credit?.minor ?? 0) - ceilRatio(1, usedMinor, ms);
  const { shareMs } = month;
  return { startsAt: now, endsAt, worthMinor, shareMs, usedMs, takenMs, ended, moved, spans: newSpans };
}

const endedPlan = ({ paymentId, postsPerDay, endsAt }: PlanSpan, now: Date) => ({
  paymentId,
  postsPerDay,
  at: endsAt < now ? endsAt : now,
});

/** The effect of verifying a payment at `now`, computed from all spans of its payer's plans. */
export function previewPayment(terms: Terms, spans: PlanSpan[], timeZone: string, now: Date): PaymentPreview {
  if (terms.upgradeType === 'immediate') return previewImmediate(terms, spans, timeZone, now);
  const end = spans.at(-1)?.endsAt;
  const startsAt = end && end > now ? end : now;
  return {
    ...purchasedSpan(startsAt, terms, timeZone),
    worthMinor: terms.amountMinor,
    usedMs: 0,
    takenMs: 0,
    ended: null,
    moved: [],
    spans: new Map(),
  };
}
