import type { UpgradeType } from '#app/db/tables.ts';
import { addMonth } from '#app/domain/payments/subscription/periods.ts';
import { msOf, type Piece, type Span, splitAt, totalMs } from '#app/domain/payments/subscription/spans.ts';

/** Unused time of a plan that a payment was reduced by: from when on it was unused, how much of it, for how much money. */
export type Credit = { paymentId: string; from: Date; ms: number; minor: number };

/** What of a payment decides what its verification does. */
export type Terms = {
  postsPerDay: number;
  upgradeType: UpgradeType | null;
  amountMinor: number;
  fullPriceMinor: number;
  credit: Credit | null;
  /** It runs for as much of a month as was paid of the full price. */
  isProrated: boolean;
};

/** A plan that goes on at another time than before. */
export type Moved = {
  paymentId: string;
  postsPerDay: number;
  /** Whether a part of it has been used. Only what is left of it goes on then; else it is a whole month from its start. */
  isBegun: boolean;
  from: Date;
  startsAt: Date;
  endsAt: Date;
};

export type PaymentPreview = {
  startsAt: Date;
  endsAt: Date;
  /** What is really paid for this time. */
  worthMinor: number;
  /** How long it runs, where that is a share of a month. */
  shareMs: number | null;
  /** How much of the credited time was used nevertheless, until the verification; and what that takes off the month. */
  usedMs: number;
  takenMs: number;
  /** The plan that its credit has paid back, and when it ends. */
  ended: { paymentId: string; postsPerDay: number; at: Date; leftMs: number } | null;
  moved: Moved[];
  /** The pieces, from now on, of every plan that changes, with those that it had. */
  pieces: Map<string, Span[]>;
};

const addMs = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** `a * b / c`, rounded up, where the product is beyond what a number can count; of nothing, nothing. */
const shareUp = (a: number, b: number, c: number) =>
  c === 0 ? 0 : Number((BigInt(a) * BigInt(b) + BigInt(c) - 1n) / BigInt(c));

/** From an instant on, the month that is bought, or as much of one as was paid for. */
function boughtFrom(startsAt: Date, { isProrated, amountMinor, fullPriceMinor }: Terms, zone: string) {
  const month = { startsAt, endsAt: addMonth(startsAt, zone) };
  if (!isProrated || amountMinor >= fullPriceMinor) return { ...month, shareMs: null };
  const shareMs = shareUp(msOf(month), amountMinor, fullPriceMinor);
  return { startsAt, endsAt: addMs(startsAt, shareMs), shareMs };
}

const of = (pieces: Piece[], paymentId: string) => pieces.filter((piece) => piece.paymentId === paymentId);

/** How the credited time stands at `now`: what was used of it, and what of the rest of its plan is not credited. */
function settle(credit: Credit, pieces: Piece[], now: Date) {
  const { before, after } = splitAt(of(pieces, credit.paymentId), now);
  const used = totalMs(splitAt(before, credit.from).after);
  const rest = totalMs(after);
  const uncredited = Math.max(0, used + rest - credit.ms);
  // What is not credited is used first.
  return { usedMs: Math.max(0, used - uncredited), leftMs: Math.max(0, uncredited - used) };
}

/** From an instant on, one plan after the other: a rest for as long as it is, what has not begun for a month. */
function chainPlans(
  ahead: { paymentId: string; parts: Piece[]; isBegun: boolean; ms: number }[],
  from: Date,
  zone: string,
) {
  let last = from;
  return ahead.map(({ paymentId, parts, isBegun, ms }): Moved => {
    const startsAt = last;
    last = isBegun ? addMs(startsAt, ms) : addMonth(startsAt, zone);
    const { postsPerDay, startsAt: from } = parts[0]!;
    return { paymentId, postsPerDay, isBegun, from, startsAt, endsAt: last };
  });
}

/**
 * Begins now. The credited plan ends; what is left of every other one goes on afterwards. Credited time that was used
 * until now is paid with time of the new month, for as much as it was credited for.
 */
function atOnce(terms: Terms, all: Piece[], timeZone: string, now: Date): PaymentPreview {
  const { credit, amountMinor, fullPriceMinor } = terms;
  const { usedMs, leftMs } = credit ? settle(credit, all, now) : { usedMs: 0, leftMs: 0 };
  const month = boughtFrom(now, terms, timeZone);
  const [usedMinor, ms] = credit ? [credit.minor * usedMs, credit.ms] : [0, 0];
  const takenMs = shareUp(msOf(month), usedMinor, ms * fullPriceMinor);
  const endsAt = addMs(month.endsAt, -takenMs);
  const { before, after } = splitAt(all, now);
  const ids = [...new Set(after.map(({ paymentId }) => paymentId))];
  const ahead = ids.map((paymentId) => {
    const parts = of(after, paymentId);
    const isCredited = paymentId === credit?.paymentId;
    const isBegun = isCredited || parts[0]!.keepsLength || of(before, paymentId).length > 0;
    return { paymentId, parts, isBegun, ms: isCredited ? leftMs : totalMs(parts) };
  });
  const moved = chainPlans(
    ahead.filter(({ ms }) => ms > 0),
    endsAt,
    timeZone,
  );
  const pieces = new Map<string, Span[]>(ids.map((id) => [id, of(before, id)]));
  for (const { paymentId, startsAt, endsAt } of moved) pieces.get(paymentId)!.push({ startsAt, endsAt });
  const old = credit && of(all, credit.paymentId).at(-1);
  const ended = old ? { ...pickEnded(old, now), leftMs } : null;
  const worthMinor = amountMinor + (credit?.minor ?? 0) - shareUp(1, usedMinor, ms);
  const { shareMs } = month;
  return { startsAt: now, endsAt, worthMinor, shareMs, usedMs, takenMs, ended, moved, pieces };
}

const pickEnded = ({ paymentId, postsPerDay, endsAt }: Piece, now: Date) => ({
  paymentId,
  postsPerDay,
  at: endsAt < now ? endsAt : now,
});

/**
 * What the verification of a payment does at `now`, given all pieces of its payer's plans: when its month begins and ends,
 * and what moves. Says it before it is pressed, and decides it when it is.
 */
export function previewPayment(terms: Terms, pieces: Piece[], timeZone: string, now: Date): PaymentPreview {
  if (terms.upgradeType === 'immediate') return atOnce(terms, pieces, timeZone, now);
  const last = pieces.at(-1)?.endsAt;
  const startsAt = last && last > now ? last : now;
  return {
    ...boughtFrom(startsAt, terms, timeZone),
    worthMinor: terms.amountMinor,
    usedMs: 0,
    takenMs: 0,
    ended: null,
    moved: [],
    pieces: new Map(),
  };
}
