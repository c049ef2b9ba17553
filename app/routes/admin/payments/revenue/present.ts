import type { Earned, Revenue } from '#app/domain/payments/ledger/revenue.ts';
import { formatPrice } from '#app/domain/payments/money.ts';
import { formatCount, pluralize } from '#app/ui/text.ts';

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

export const presentReceived = ({ currencyCode: code, totalMinor, count }: Revenue) => ({
  code,
  sum: formatPrice(totalMinor, { code }),
  payments: pluralize(count, 'payment'),
});
export type PresentedRevenue = ReturnType<typeof presentReceived>;

function presentSums({ count, ...sums }: Sums, { currencyCode: code }: Currency) {
  const deduction = (minor: number) => (minor === 0 ? '–' : `−${formatPrice(minor, { code })}`);
  return {
    count: formatCount(count),
    full: formatPrice(sums.fullMinor, { code }),
    promo: deduction(sums.promoMinor),
    credit: deduction(sums.creditMinor),
    paid: formatPrice(sums.paidMinor, { code }),
  };
}

export const sumUp = (earned: Earned[]) =>
  [...Map.groupBy(earned, ({ currencyCode }) => currencyCode)].map(([code, months]) => ({
    code,
    ...presentSums(months.reduce(add, NONE), months[0]!),
  }));

const nameMonth = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** The latest months with a payment, one row for each month and currency. */
export function listMonths(earned: Earned[], limit: number) {
  const months = earned.flatMap((row) => (row.month ? [{ ...row, month: row.month }] : []));
  return [...Map.groupBy(months, ({ month }) => month)]
    .toSorted(([a], [b]) => b.localeCompare(a))
    .slice(0, limit)
    .flatMap(([month, rows]) =>
      rows.map((row) => ({
        key: `${month} ${row.currencyCode}`,
        month: nameMonth(month),
        code: row.currencyCode,
        ...presentSums(row, row),
      })),
    );
}

export type PresentedEarnings = ReturnType<typeof sumUp>[number];
