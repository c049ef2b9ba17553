import type { Db } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import { configuredMethodOf } from '#app/domain/payments/methods.ts';
import { findPrice, findPrices } from '#app/domain/payments/prices.ts';
import type { Credit, Terms } from '#app/domain/payments/review/preview.ts';
import { listPlanSpans, splitAt, totalMs } from '#app/domain/payments/subscription/spans.ts';
import { type ActivePlan, findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

const product = (factors: number[]) => factors.reduce((all, factor) => all * BigInt(factor), 1n);

/** BigInt, because the products exceed safe integers. Rounded down. */
const quotient = (numerators: number[], denominators: number[]) =>
  Number(product(numerators) / product(denominators));

/** The current price in the plan's own currency, or the price it was bought for when it is no longer offered. */
async function priceOf(db: Db, { currencyCode, postsPerDay, fullPriceMinor }: ActivePlan): Promise<number> {
  const prices = await findPrices(db, currencyCode);
  return prices.find((price) => price.postsPerDay === postsPerDay)?.amountMinor ?? fullPriceMinor;
}

/**
 * The credit for the unused time of a plan: its share of the money paid for it, including credit of earlier upgrades.
 * Another currency is converted by the ratio of the plan's two prices. At most `maxMinor` is credited; the time that
 * is worth more continues.
 */
async function creditOf(
  db: Db,
  {
    userId,
    plan,
    currencyCode,
    maxMinor,
  }: { userId: string; plan: ActivePlan; currencyCode: string; maxMinor: number },
  now: Date,
): Promise<Credit> {
  const spans = (await listPlanSpans(db, [userId])).filter(({ paymentId }) => paymentId === plan.id);
  const [remaining, total] = [totalMs(splitAt(spans, now).after), totalMs(spans)];
  const isSameCurrency = plan.currencyCode === currencyCode;
  const newPrice = isSameCurrency ? 1 : (await findPrice(db, currencyCode, plan.postsPerDay)).amountMinor;
  const oldPrice = isSameCurrency ? 1 : await priceOf(db, plan);
  const creditMinor = quotient([plan.worthMinor, remaining, newPrice], [total, oldPrice]);
  if (creditMinor <= maxMinor) return { paymentId: plan.id, from: now, ms: remaining, minor: creditMinor };
  // Computed from the time, because minor units are rounded down.
  const ms = quotient([total, maxMinor, oldPrice], [plan.worthMinor, newPrice]) + 1;
  return { paymentId: plan.id, from: now, ms: Math.min(remaining, ms), minor: maxMinor };
}

export type Choice = { postsPerDay: number; currencyCode: string; upgradeType: UpgradeType | null };

export type Quote = Choice & Terms & { promoPercent: number };

/** The promotion is for the first verified payment. */
async function hasBought(db: Db, userId: string): Promise<boolean> {
  const verified = db.selectFrom('payments').select('id').where('userId', '=', userId);
  return (await verified.where('verifiedAt', 'is not', null).executeTakeFirst()) !== undefined;
}

async function hasNextPlan(db: Db, userId: string, { endsAt }: ActivePlan): Promise<boolean> {
  const payments = db.selectFrom('payments').select('id').where('userId', '=', userId);
  const next = await payments.where('endsAt', '>', endsAt).executeTakeFirst();
  return next !== undefined;
}

export async function requireNoPendingPayment(db: Db, userId: string): Promise<void> {
  const pending = await db
    .selectFrom('payments')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (pending)
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
    if (!(await hasNextPlan(db, userId, plan))) return;
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
 * The price of a purchase. Throws a Refusal for what can't be bought now: anything while a payment is pending, a
 * second active plan, an upgrade without a plan, an immediate change to the same or a smaller plan, and a second
 * following plan.
 */
export async function quotePurchase(db: Db, actor: Actor, choice: Choice, now: Date): Promise<Quote> {
  const { postsPerDay, currencyCode, upgradeType } = choice;
  configuredMethodOf(currencyCode);
  const { amountMinor: fullPriceMinor } = await findPrice(db, currencyCode, postsPerDay);
  await requireNoPendingPayment(db, actor.userId);
  const plan = await findActivePlan(db, actor.userId, now);
  await checkTiming(db, actor.userId, choice, plan);
  const promoPercent = (await hasBought(db, actor.userId)) ? 0 : env().PROMO_PERCENT;
  const maxMinor = Math.floor((fullPriceMinor * (100 - promoPercent)) / 100);
  const isCredited = plan && upgradeType === 'immediate';
  const credit = isCredited
    ? await creditOf(db, { userId: actor.userId, plan, currencyCode, maxMinor }, now)
    : null;
  const amountMinor = maxMinor - (credit?.minor ?? 0);
  const terms = { postsPerDay, currencyCode, upgradeType, fullPriceMinor, amountMinor, promoPercent };
  return { ...terms, credit, isProrated: false };
}
