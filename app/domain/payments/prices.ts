import type { Db } from '#app/db/client.ts';
import { notFound } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { isConfigured, methodOf } from './methods.ts';
import { formatPrice } from './money.ts';

/** The currencies that can be paid: a method that is not configured is not offered. */
export async function listCurrencies(db: Db) {
  const rows = await db
    .selectFrom('currencies')
    .select(['code', 'symbol', 'name'])
    .orderBy('position')
    .execute();
  return rows.filter(({ code }) => isConfigured(methodOf(code)));
}

/** A price for each number of posts a day, fewest first. */
export async function listPrices(db: Db, currencyCode: string) {
  const prices = await db
    .selectFrom('prices')
    .select(['postsPerDay', 'amountMinor'])
    .where('currencyCode', '=', currencyCode.toUpperCase())
    .orderBy('postsPerDay')
    .execute();
  if (prices.length === 0) throw notFound('This currency');
  return prices;
}

/** What the landing page offers: the promotion, and the monthly prices in the first currency. */
export async function getOffer(db: Db) {
  const [currency] = await listCurrencies(db);
  const prices = currency ? await listPrices(db, currency.code) : [];
  return {
    promoPercent: env().PROMO_PERCENT,
    prices: prices.map(({ postsPerDay, amountMinor }) => ({
      postsPerDay,
      label: formatPrice(amountMinor, currency!),
    })),
  };
}
