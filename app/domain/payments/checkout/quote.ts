import type { Db } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import { configuredMethodOf } from '#app/domain/payments/methods.ts';
import { findPrice, findPrices } from '#app/domain/payments/prices.ts';
import type { Credit, Terms } from '#app/domain/payments/review/preview.ts';
import { listPieces, splitAt, totalMs } from '#app/domain/payments/subscription/spans.ts';
import { type ActivePlan, findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

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
async function creditOf(
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

export type Choice = { postsPerDay: number; currencyCode: string; upgradeType: UpgradeType | null };

export type Quote = Choice & Terms & { promoPercent: number };

/** Whether a payment of the user was ever verified. The promotion is for the first one. */
async function hasBought(db: Db, userId: string): Promise<boolean> {
  const verified = db.selectFrom('payments').select('id').where('userId', '=', userId);
  return (await verified.where('verifiedAt', 'is not', null).executeTakeFirst()) !== undefined;
}

/** Whether something paid for runs when the plan has ended: what ends later than it has not ended. */
async function isFollowed(db: Db, userId: string, { endsAt }: ActivePlan): Promise<boolean> {
  const ahead = db.selectFrom('payments').select('id').where('userId', '=', userId);
  const next = await ahead.where('endsAt', '>', endsAt).executeTakeFirst();
  return next !== undefined;
}

/** Nobody is led to pay a second time while a payment is being checked. */
export async function refuseWhileWaiting(db: Db, userId: string): Promise<void> {
  const waiting = await db
    .selectFrom('payments')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (waiting)
    throw new Refusal(409, 'payment_pending', 'Your last payment is still waiting for verification');
}

async function checkTiming(
  db: Db,
  userId: string,
  choice: Choice,
  plan: ActivePlan | undefined,
): Promise<void> {
  if (!plan) {
    if (!choice.upgradeType) return;
    throw new Refusal(409, 'no_active_subscription', 'You have no active plan to upgrade');
  }
  if (!choice.upgradeType) {
    throw new Refusal(409, 'use_upgrade', 'You already have an active plan. Upgrade it instead');
  }
  if (choice.upgradeType === 'next_billing') {
    if (!(await isFollowed(db, userId, plan))) return;
    const message = 'Something you paid for already follows your current plan. One plan can wait at a time';
    throw new Refusal(409, 'plan_waits', message);
  }
  if (choice.postsPerDay === plan.postsPerDay) {
    throw new Refusal(
      409,
      'same_plan',
      'This is the plan you already have. Renew it for your next billing date',
    );
  }
  if (choice.postsPerDay < plan.postsPerDay) {
    throw new Refusal(409, 'next_billing_only', 'A smaller plan can only start at your next billing date');
  }
}

/**
 * What a purchase costs now, and why. Refuses what cannot be bought now: while a payment waits, a second
 * plan beside an active one, an upgrade without a plan, the same plan or a smaller one at once, a second one to come.
 */
export async function quotePurchase(db: Db, actor: Actor, choice: Choice, now: Date): Promise<Quote> {
  const { postsPerDay, currencyCode, upgradeType } = choice;
  configuredMethodOf(currencyCode);
  const { amountMinor: fullPriceMinor } = await findPrice(db, currencyCode, postsPerDay);
  await refuseWhileWaiting(db, actor.userId);
  const plan = await findActivePlan(db, actor.userId, now);
  await checkTiming(db, actor.userId, choice, plan);
  const promoPercent = (await hasBought(db, actor.userId)) ? 0 : env().PROMO_PERCENT;
  const most = Math.floor((fullPriceMinor * (100 - promoPercent)) / 100);
  const isCredited = plan && upgradeType === 'immediate';
  const credit = isCredited
    ? await creditOf(db, { userId: actor.userId, plan, currencyCode, most }, now)
    : null;
  const amountMinor = most - (credit?.minor ?? 0);
  const asked = { postsPerDay, currencyCode, upgradeType, fullPriceMinor, amountMinor, promoPercent };
  return { ...asked, credit, isProrated: false };
}
