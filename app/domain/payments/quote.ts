import { createHash } from 'node:crypto';
import type { Db } from '#app/db/client.ts';
import type { PaymentMethod, UpgradeType } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/actor.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { configuredMethodOf } from './methods.ts';
import { countDays } from './periods.ts';
import { type ActivePlan, findActivePlan } from './subscription.ts';

type Choice = { postsPerDay: number; currencyCode: string; upgradeType: UpgradeType | null };

export type Quote = Choice & {
  method: PaymentMethod;
  currencySymbol: string;
  fullPriceMinor: number;
  amountMinor: number;
  /** Percent taken off, or 0. */
  promoPercent: number;
  current: { postsPerDay: number; endsAt: Date; daysRemaining: number; creditMinor: number } | null;
  reference: string;
};

const REFERENCE_LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The same until the user's next payment is stored, so that the request and the proof agree on it. */
function referenceOf(userId: string, paymentsSoFar: number): string {
  const bytes = createHash('sha256').update(`${userId}:${paymentsSoFar}`).digest().subarray(0, 6);
  return `TP-${[...bytes].map((byte) => REFERENCE_LETTERS[byte % 32]).join('')}`;
}

async function findPrice(db: Db, currencyCode: string, postsPerDay: number) {
  const price = await db
    .selectFrom('prices')
    .innerJoin('currencies', 'currencies.code', 'prices.currencyCode')
    .select(['amountMinor', 'symbol'])
    .where('currencyCode', '=', currencyCode)
    .where('postsPerDay', '=', postsPerDay)
    .executeTakeFirst();
  if (price) return price;
  throw new Refusal(422, 'invalid', 'Please choose a currency from the list', { field: 'currencyCode' });
}

/** What the payments of the user so far mean for the next one. */
async function countPayments(db: Db, userId: string) {
  const row = await db
    .selectFrom('payments')
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('all'),
      eb.cast<number>(eb.fn.count('verifiedAt'), 'integer').as('verified'),
      eb.cast<number>(eb.fn.countAll().filterWhere('status', '=', 'pending'), 'integer').as('pending'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return row;
}

function checkTiming(choice: Choice, plan: ActivePlan | undefined): void {
  if (!plan && choice.upgradeType) {
    throw new Refusal(409, 'no_active_subscription', 'You have no active plan to upgrade');
  }
  if (!plan) return;
  if (!choice.upgradeType) {
    throw new Refusal(409, 'use_upgrade', 'You already have an active plan. Upgrade it instead');
  }
  if (choice.postsPerDay === plan.postsPerDay) {
    throw new Refusal(409, 'same_plan', 'This is the plan you already have');
  }
  if (choice.upgradeType === 'immediate' && choice.postsPerDay < plan.postsPerDay) {
    throw new Refusal(409, 'next_billing_only', 'A smaller plan can only start at your next billing date');
  }
}

/**
 * The unused share of what was really paid for the current period: money, and credit of an earlier upgrade
 * that was itself paid money. In another currency, times the ratio of the current plan's two prices.
 */
async function creditOf(db: Db, plan: ActivePlan, currencyCode: string, now: Date): Promise<number> {
  const { total, remaining } = countDays(plan, now);
  const paid = plan.upgradeType === 'immediate' ? plan.fullPriceMinor : plan.amountMinor;
  if (plan.currencyCode === currencyCode) return Math.floor((paid * remaining) / total);
  const here = await findPrice(db, currencyCode, plan.postsPerDay);
  const there = await findPrice(db, plan.currencyCode, plan.postsPerDay);
  return Math.floor((paid * remaining * here.amountMinor) / (total * there.amountMinor));
}

/**
 * What a purchase costs now, and why. Refuses what cannot be bought now: while a payment waits, a second
 * plan beside an active one, an upgrade without a plan, the same plan, a smaller one at once.
 */
export async function quotePurchase(db: Db, actor: Actor, choice: Choice, now: Date): Promise<Quote> {
  const method = configuredMethodOf(choice.currencyCode);
  const price = await findPrice(db, choice.currencyCode, choice.postsPerDay);
  const counted = await countPayments(db, actor.userId);
  if (counted.pending > 0) {
    throw new Refusal(409, 'payment_pending', 'Your last payment is still waiting for verification');
  }
  const plan = await findActivePlan(db, actor.userId, now);
  checkTiming(choice, plan);
  const isImmediate = choice.upgradeType === 'immediate';
  const creditMinor = plan && isImmediate ? await creditOf(db, plan, choice.currencyCode, now) : 0;
  const promoPercent = counted.verified === 0 ? env().PROMO_PERCENT : 0;
  const discounted = Math.floor((price.amountMinor * (100 - promoPercent)) / 100);
  return {
    ...choice,
    method,
    currencySymbol: price.symbol,
    fullPriceMinor: price.amountMinor,
    amountMinor: Math.max(0, discounted - creditMinor),
    promoPercent,
    current: plan
      ? {
          postsPerDay: plan.postsPerDay,
          endsAt: plan.endsAt,
          daysRemaining: countDays(plan, now).remaining,
          creditMinor,
        }
      : null,
    reference: referenceOf(actor.userId, counted.all),
  };
}
