import type { Earned, Revenue } from '#app/domain/payments/ledger/revenue.ts';
import { formatPrice } from '#app/domain/payments/money.ts';

type Sums = Pick<Earned, 'count' | 'fullMinor' | 'promoMinor' | 'creditMinor' | 'paidMinor'>;

const NONE: Sums = { count: 0, fullMinor: 0, promoMinor: 0, creditMinor: 0, paidMinor: 0 };

const add = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  fullMinor: a.fullMinor + b.fullMinor,
  promoMinor: a.promoMinor + b.promoMinor,
  creditMinor: a.creditMinor + b.creditMinor,
  paidMinor: a.paidMinor + b.paidMinor,
});

type Currency = Pick<Earned, 'currencyCode'>;

const paymentsOf = (count: number) =>
  count === 1 ? '1 payment' : `${count.toLocaleString('en-US')} payments`;

/** What was received in a currency, and by how many payments. */
export const presentReceived = ({ currencyCode: code, totalMinor, count }: Revenue) => ({
  code,
  sum: formatPrice(totalMinor, { code }),
  payments: paymentsOf(count),
});
export type ReceivedInWords = ReturnType<typeof presentReceived>;

/** Sums in words; what nobody paid is taken off. */
function inWords({ count, ...sums }: Sums, { currencyCode: code }: Currency) {
  const taken = (minor: number) => (minor === 0 ? '–' : `−${formatPrice(minor, { code })}`);
  return {
    count: count.toLocaleString('en-US'),
    full: formatPrice(sums.fullMinor, { code }),
    promo: taken(sums.promoMinor),
    credit: taken(sums.creditMinor),
    paid: formatPrice(sums.paidMinor, { code }),
  };
}

/** What was ever paid in each currency, as the currencies are listed everywhere. */
export const sumUp = (earned: Earned[]) =>
  [...Map.groupBy(earned, ({ currencyCode }) => currencyCode)].map(([code, months]) => ({
    code,
    ...inWords(months.reduce(add, NONE), months[0]!),
  }));

const nameMonth = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** What was paid in each of the latest months, a line for each currency. */
export function listMonths(earned: Earned[], howMany: number) {
  const months = earned.flatMap((row) => (row.month ? [{ ...row, month: row.month }] : []));
  return [...Map.groupBy(months, ({ month }) => month)]
    .toSorted(([a], [b]) => b.localeCompare(a))
    .slice(0, howMany)
    .flatMap(([month, rows]) =>
      rows.map((row) => ({
        key: `${month} ${row.currencyCode}`,
        month: nameMonth(month),
        code: row.currencyCode,
        ...inWords(row, row),
      })),
    );
}

export type EarnedInWords = ReturnType<typeof sumUp>[number];
