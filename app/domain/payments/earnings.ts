import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

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

/** Each month of each currency, the currencies as they are listed everywhere, the latest month first. */
export async function listEarnings(db: Db, timeZone: string): Promise<Earned[]> {
  const { rows } = await sql<Earned>`
    select code as "currencyCode", to_char(month, 'YYYY-MM') as month, count(month)::int as count,
      coalesce(sum(full_price_minor), 0)::float8 as "fullMinor",
      coalesce(sum(full_price_minor - amount_minor - credit_minor), 0)::float8 as "promoMinor",
      coalesce(sum(credit_minor), 0)::float8 as "creditMinor",
      coalesce(sum(amount_minor), 0)::float8 as "paidMinor"
    from currencies left join (
      select payments.currency_code, payments.amount_minor,
        date_trunc('month', verified_at at time zone ${timeZone}) as month,
        -- A share of a month costs what was paid for it.
        case when by_share then payments.amount_minor else payments.full_price_minor end as full_price_minor,
        case when by_share then 0 else coalesce(credit_minor, 0) end as credit_minor
      from payments left join payment_requests on payment_requests.id = request_id
      where verified_at is not null
    ) as paid on currency_code = code
    group by code, position, paid.month
    order by position, paid.month desc`.execute(db);
  return rows;
}
