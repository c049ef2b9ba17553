import type { Db } from '#app/db/client.ts';
import { readyPayment } from '#app/domain/payments/checkout/payment-info.ts';
import { POSTS_PER_DAY } from '#app/domain/payments/limits.ts';
import { FALLBACK_PRICE_MINOR, formatPrice } from '#app/domain/payments/money.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { describeStart } from './present-due.ts';

type Choice = { postsPerDay: number; currencyCode: string };
const KINDS = { immediate: 'immediate', next: 'next_billing' } as const;
const START_LABELS = { immediate: 'Immediately', next: 'Next Billing' };
type Start = keyof typeof KINDS;
type DescribedStart = { value: Start; label: string; text: string; isPossible: boolean };

/** Both ways in which another plan can begin: what each means, or why it is not possible. */
export async function describeStarts(
  db: Db,
  actor: Actor,
  choice: Choice,
  now: Date,
): Promise<DescribedStart[]> {
  const describe = async (value: Start) => {
    const wanted = { ...choice, upgradeType: KINDS[value] };
    const { outlook, problem } = await readyPayment(db, actor, wanted, false, now);
    const text = outlook ? describeStart(outlook, actor) : `${problem}.`;
    return { value, label: START_LABELS[value], text, isPossible: outlook !== null };
  };
  return Promise.all([describe('immediate'), describe('next')]);
}

/** Where only the other start is possible, that one is offered; nobody is led to pay for another one than they chose. */
export function startOf(start: Start, starts: DescribedStart[]): Start {
  const possible = starts.filter(({ isPossible }) => isPossible).map(({ value }) => value);
  return possible.includes(start) ? start : (possible[0] ?? start);
}

/** How many posts a day can be chosen, with what each costs; `own`: how many the reader has. */
export function describeOptions(
  prices: { postsPerDay: number; amountMinor: number }[],
  code: string,
  own?: number,
) {
  return POSTS_PER_DAY.map((count) => {
    const price = prices.find((row) => row.postsPerDay === count)?.amountMinor ?? FALLBACK_PRICE_MINOR;
    return { count, price: formatPrice(price, { code }), isCurrent: own === count };
  });
}
