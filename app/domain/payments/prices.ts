import type { Db } from '#app/db/client.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { isConfigured, methodOf } from './methods.ts';
import { formatPrice, toMajor } from './money.ts';

export const listAllCurrencies = (db: Db) =>
  db.selectFrom('currencies').select(['code', 'symbol', 'name']).orderBy('position').execute();

export async function listCurrencies(db: Db) {
  const rows = await listAllCurrencies(db);
  return rows.filter(({ code }) => isConfigured(methodOf(code)));
}

export const findPrices = (db: Db, currencyCode: string) =>
  db
    .selectFrom('prices')
    .select(['postsPerDay', 'amountMinor'])
    .where('currencyCode', '=', currencyCode)
    .orderBy('postsPerDay')
    .execute();

export async function listPrices(db: Db, currencyCode: string) {
  const prices = await findPrices(db, currencyCode);
  if (prices.length === 0) throw notFound('This currency');
  return prices;
}

async function listPricedCurrencies(db: Db) {
  const rows = await db.selectFrom('prices').select('currencyCode').distinct().execute();
  const codes = new Set(rows.map(({ currencyCode }) => currencyCode));
  return (await listCurrencies(db)).filter(({ code }) => codes.has(code));
}

/** Structured data uses the first currency for everyone: search engines store one price range for a URL. */
export async function getOffer(db: Db, preferred?: string) {
  const currencies = await listPricedCurrencies(db);
  const [first] = currencies;
  const currency = currencies.find(({ code }) => code === preferred?.toUpperCase()) ?? first;
  const prices = currency ? await listPrices(db, currency.code) : [];
  const defaultPrices = first && first !== currency ? await listPrices(db, first.code) : prices;
  return {
    promoPercent: env().PROMO_PERCENT,
    currencies,
    currencyCode: currency?.code ?? null,
    forMachines: {
      currencyCode: first?.code ?? null,
      amounts: defaultPrices.map((each) => toMajor(each.amountMinor)),
    },
    prices: prices.map(({ postsPerDay, amountMinor }) => ({
      postsPerDay,
      amount: toMajor(amountMinor),
      label: formatPrice(amountMinor, currency!),
    })),
  };
}

/** Throws a Refusal for an unknown currency, or one without a price for this plan. */
export async function findPrice(db: Db, currencyCode: string, postsPerDay: number) {
  const price = await db
    .selectFrom('prices')
    .innerJoin('currencies', 'currencies.code', 'prices.currencyCode')
    .select(['amountMinor', 'symbol'])
    .where('currencyCode', '=', currencyCode)
    .where('postsPerDay', '=', postsPerDay)
    .executeTakeFirst();
  if (price) return price;
  const exists = (await listAllCurrencies(db)).some(({ code }) => code === currencyCode);
  const message = exists
    ? `This plan has no price in ${currencyCode} yet. Please choose another currency`
    : 'Please choose a currency from the list';
  throw new Refusal(422, 'invalid', message, { field: 'currencyCode' });
}
