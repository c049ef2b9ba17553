import type { Db } from '#app/db/client.ts';
import { findPrice, findPrices } from '#app/domain/payments/prices.ts';
import type { Credit } from '#app/domain/payments/review/preview.ts';
import { listPieces, splitAt, totalMs } from '#app/domain/payments/subscription/spans.ts';
import type { ActivePlan } from '#app/domain/payments/subscription/subscription.ts';

const product = (factors: number[]) => factors.reduce((all, factor) => all * BigInt(factor), 1n);

/** Of whole numbers whose product is beyond what a number can count: the quotient, rounded down. */
const quotient = (over: number[], under: number[]) => Number(product(over) / product(under));

/** What a plan costs in its own currency; where that is offered no more, what it cost when it was bought. */
async function priceOf(db: Db, { currencyCode, postsPerDay, fullPriceMinor }: ActivePlan): Promise<number> {
  const prices = await findPrices(db, currencyCode);
  return prices.find((price) => price.postsPerDay === postsPerDay)?.amountMinor ?? fullPriceMinor;
}

/**
 * The unused share, by time, of what was really paid for a plan: money, and credit of an earlier upgrade that was itself
 * paid money. In another currency, times the ratio of the plan's two prices. Of more than `most` only as much time is
 * credited as that is worth; the rest goes on.
 */
export async function creditOf(
  db: Db,
  {
    userId,
    plan,
    currencyCode,
    most,
  }: { userId: string; plan: ActivePlan; currencyCode: string; most: number },
  now: Date,
): Promise<Credit> {
  const own = (await listPieces(db, [userId])).filter(({ paymentId }) => paymentId === plan.id);
  const [left, total] = [totalMs(splitAt(own, now).after), totalMs(own)];
  const isSame = plan.currencyCode === currencyCode;
  const here = isSame ? 1 : (await findPrice(db, currencyCode, plan.postsPerDay)).amountMinor;
  const there = isSame ? 1 : await priceOf(db, plan);
  const worth = quotient([plan.worthMinor, left, here], [total, there]);
  if (worth <= most) return { paymentId: plan.id, from: now, ms: left, minor: worth };
  // Of the time, not of what it is worth in whole units: these are rounded down.
  const ms = quotient([total, most, there], [plan.worthMinor, here]) + 1;
  return { paymentId: plan.id, from: now, ms: Math.min(left, ms), minor: most };
}
