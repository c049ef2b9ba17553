import type { Db } from '#app/db/client.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { isConfigured, methodOf } from './methods.ts';
import { formatPrice, toMajor } from './money.ts';

/** Every currency in which somebody may have paid. */
export const listAllCurrencies = (db: Db) =>
  db.selectFrom('currencies').select(['code', 'symbol', 'name']).orderBy('position').execute();

/** The currencies that can be paid: a method that is not configured is not offered. */
export async function listCurrencies(db: Db) {
  const rows = await listAllCurrencies(db);
  return rows.filter(({ code }) => isConfigured(methodOf(code)));
}

/** The prices that a currency has, fewest posts a day first: none for one that waits for its prices. */
export const findPrices = (db: Db, currencyCode: string) =>
  db
    .selectFrom('prices')
    .select(['postsPerDay', 'amountMinor'])
    .where('currencyCode', '=', currencyCode)
    .orderBy('postsPerDay')
    .execute();

/** The same, or a refusal of a currency that has none; the code as the list of currencies has it. */
export async function listPrices(db: Db, currencyCode: string) {
  const prices = await findPrices(db, currencyCode);
  if (prices.length === 0) throw notFound('This currency');
  return prices;
}

/** Of the currencies that can be paid, those that have prices. */
async function listPriced(db: Db) {
  const priced = await db.selectFrom('prices').select('currencyCode').distinct().execute();
  const codes = new Set(priced.map(({ currencyCode }) => currencyCode));
  return (await listCurrencies(db)).filter(({ code }) => codes.has(code));
}

/**
 * What the landing page offers: the promotion, and the monthly prices in the currency that is wanted, else in the first.
 * One that waits for its prices is not offered.
 * What machines read of it is in the first for everybody: they keep one range of an address, whoever looks at it.
 */
export async function getOffer(db: Db, wanted?: string) {
  const currencies = await listPriced(db);
  const [first] = currencies;
  const currency = currencies.find(({ code }) => code === wanted?.toUpperCase()) ?? first;
  const prices = currency ? await listPrices(db, currency.code) : [];
  const common = first && first !== currency ? await listPrices(db, first.code) : prices;
  return {
    promoPercent: env().PROMO_PERCENT,
    currencies,
    currencyCode: currency?.code ?? null,
    forMachines: {
      currencyCode: first?.code ?? null,
      amounts: common.map((each) => toMajor(each.amountMinor)),
    },
    prices: prices.map(({ postsPerDay, amountMinor }) => ({
      postsPerDay,
      amount: toMajor(amountMinor),
      label: formatPrice(amountMinor, currency!),
    })),
  };
}

/** What a month costs in a currency, or a refusal of a currency that is not in the list or has no price for it. */
export async function findPrice(db: Db, currencyCode: string, postsPerDay: number) {
  const price = await db
    .selectFrom('prices')
    .innerJoin('currencies', 'currencies.code', 'prices.currencyCode')
    .select(['amountMinor', 'symbol'])
    .where('currencyCode', '=', currencyCode)
    .where('postsPerDay', '=', postsPerDay)
    .executeTakeFirst();
  if (price) return price;
  const isKnown = (await listAllCurrencies(db)).some(({ code }) => code === currencyCode);
  const message = isKnown
    ? `This plan has no price in ${currencyCode} yet. Please choose another currency`
    : 'Please choose a currency from the list';
  throw new Refusal(422, 'invalid', message, { field: 'currencyCode' });
}
