import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/*
 * The table `earnings` has sums of the verified payments for each UTC day and each quarter of an hour. Triggers update
 * it in the transaction that changes a payment or its credit (migrations/0003-payments.sql).
 */

/** Sums of a month in one currency: full prices, promotion, credit for unused time, and money paid. */
export type Earned = {
  currencyCode: string;
  /** "2026-11", in the reader's time zone; null for a currency without payments. */
  month: string | null;
  count: number;
  fullMinor: number;
  promoMinor: number;
  creditMinor: number;
  paidMinor: number;
};

const monthOf = (at: RawBuilder<unknown>, timeZone: string) =>
  sql`date_trunc('month', ${at} at time zone ${timeZone}::text)`;

/** Each month of each currency, in the order of the currencies, latest month first. */
export async function listEarnings(db: Db, timeZone: string): Promise<Earned[]> {
  const { rows } = await sql<Earned>`
    with days as (
      select *, ${monthOf(sql`begins`, timeZone)} as month, ${monthOf(sql`(ends - interval '00:15')`, timeZone)} as month_at_end
      from earnings, lateral (select (begins at time zone 'UTC' + interval '1 day') at time zone 'UTC' as ends) as next
      where span = 'day'
    ), paid as (
      select month, currency_code, payments, full_minor, credit_minor, paid_minor from days where month = month_at_end
      union all
       -- Days in UTC on which a month of the reader begins. A lateral join, because a plain one reads all quarters;
      -- an equality, because the planner expects inequalities to match most rows.
      select quarters.* from days, lateral (
        select ${monthOf(sql`begins`, timeZone)}, currency_code, sum(payments), sum(full_minor), sum(credit_minor), sum(paid_minor)
        from earnings where span = 'quarter' and currency_code = days.currency_code
          and begins >= days.begins and begins < days.ends
        group by 1, 2) as quarters
      where month_at_end = month + interval '1 month'
    )
    select code as "currencyCode", to_char(month, 'YYYY-MM') as month, coalesce(sum(payments), 0)::int as count,
      coalesce(sum(full_minor), 0)::float8 as "fullMinor",
      coalesce(sum(full_minor - credit_minor - paid_minor), 0)::float8 as "promoMinor",
      coalesce(sum(credit_minor), 0)::float8 as "creditMinor",
      coalesce(sum(paid_minor), 0)::float8 as "paidMinor"
    from currencies left join paid on currency_code = code and payments > 0
    group by code, position, paid.month
    order by position, paid.month desc`.execute(db);
  return rows;
}

/** The money paid in each currency, and the number of payments. */
export async function listRevenue(db: Db) {
  return db
    .selectFrom('currencies')
    .leftJoin('earnings', (join) => join.onRef('currencyCode', '=', 'code').on('span', '=', 'day'))
    .select(['code as currencyCode', 'symbol as currencySymbol'])
    .select(sql<number>`coalesce(sum(paid_minor), 0)::float8`.as('totalMinor'))
    .select(sql<number>`coalesce(sum(payments), 0)::int`.as('count'))
    .groupBy(['code', 'symbol', 'position'])
    .orderBy('position')
    .execute();
}

export type Revenue = Awaited<ReturnType<typeof listRevenue>>[number];
