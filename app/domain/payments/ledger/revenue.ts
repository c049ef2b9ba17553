import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/*
 * The table `earnings` has sums of the verified payments for each UTC day and each quarter of an hour. Triggers update
 * it in the transaction that changes a payment or its credit (migrations/0003-payments.sql).
 */

/**
 * What payments that were verified in a month came to in a currency: what they cost, what of that nobody paid because of
 * the promotion or a credit for unused time, and what was really paid.
 */
export type Earned = {
  currencyCode: string;
  /** "2026-11", by the clock of the reader; null for a currency in which nothing was ever verified. */
  month: string | null;
  count: number;
  fullMinor: number;
  promoMinor: number;
  creditMinor: number;
  paidMinor: number;
};

const monthOf = (at: RawBuilder<unknown>, timeZone: string) =>
  sql`date_trunc('month', ${at} at time zone ${timeZone}::text)`;

/** Each month of each currency, the currencies as they are listed everywhere, the latest month first. */
export async function listEarnings(db: Db, timeZone: string): Promise<Earned[]> {
  const { rows } = await sql<Earned>`
    with days as (
      select *, ${monthOf(sql`begins`, timeZone)} as month, ${monthOf(sql`(ends - interval '00:15')`, timeZone)} as month_at_end
      from earnings, lateral (select (begins at time zone 'UTC' + interval '1 day') at time zone 'UTC' as ends) as next
      where span = 'day'
    ), paid as (
      select month, currency_code, payments, full_minor, credit_minor, paid_minor from days where month = month_at_end
      union all
      -- A day in UTC on which a month of the reader begins, each by itself: a join goes through all quarters there ever were. That
      -- two things differ Postgres takes to be the rule, and that one is another to be rare, as it is.
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

/** What was really paid in each currency, by payments that were verified, and by how many. */
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
