/**
 * Figures by day for the charts of admins. Days of visits, clicks, posts and writer calls are in UTC; days of
 * sign-ups and payments are in the reader's time zone, computed from an index and from sums of a quarter of an hour.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';

/** `day` is YYYY-MM-DD; days without any are left out. */
export type CountByDay = { day: string; count: number };
export type VisitsByDay = CountByDay & { people: number };
/** `half` and `most` are the 50th and the 99th percentile of the lateness, in milliseconds. */
export type PublishedByDay = Record<'published' | 'failed', number> & { day: string } & Record<
    'half' | 'most',
    number | null
  >;
export type ReceivedByDay = { day: string; code: string; minor: number };

const startOfDay = (day: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql<Date>`((${day})::date::timestamp at time zone ${timeZone}::text)`;

/** One index scan for each day: a single query over all days would read the whole table. */
export async function listSignUpsByDay(
  db: Db,
  from: string,
  timeZone: string,
  now: Date,
): Promise<CountByDay[]> {
  const { rows } = await sql<CountByDay>`
    select to_char(day, 'YYYY-MM-DD') as day, count
    from generate_series(${from}::date, ${localDateOf(now, timeZone)}::date, interval '1 day') as days (day)
    cross join lateral (
      select count(*)::int as count from users
      where created_at >= ${startOfDay(sql`day`, timeZone)} and created_at < ${startOfDay(sql`day + interval '1 day'`, timeZone)}
      offset 0) as made
    where count > 0 order by days.day`.execute(db);
  return rows;
}

export async function listReceivedByDay(db: Db, from: string, timeZone: string): Promise<ReceivedByDay[]> {
  const { rows } = await sql<ReceivedByDay>`
    select to_char(day, 'YYYY-MM-DD') as day, code, minor from currencies, lateral (
      select (begins at time zone ${timeZone}::text)::date as day, sum(paid_minor)::float8 as minor
      from earnings where span = 'quarter' and currency_code = code and payments > 0
        and begins >= ${startOfDay(sql`${from}`, timeZone)}
      group by 1) as days
    order by position, day`.execute(db);
  return rows;
}

export async function listVisitsByDay(db: Db, from: string): Promise<VisitsByDay[]> {
  const { rows } = await sql<VisitsByDay>`
    select to_char(day, 'YYYY-MM-DD') as day, visits::float8 as count, visitors::float8 as people
    from visit_days where kind = 'all' and day >= ${from}::date order by visit_days.day`.execute(db);
  return rows;
}

export async function listClicksByDay(db: Db, from: string): Promise<VisitsByDay[]> {
  const { rows } = await sql<VisitsByDay>`
    select to_char(begins, 'YYYY-MM-DD') as day, clicks::float8 as count, addresses::float8 as people
    from click_spans where span = 'day' and begins >= ${from}::date order by begins`.execute(db);
  return rows;
}

export async function listPublishedByDay(db: Db, from: string): Promise<PublishedByDay[]> {
  const { rows } = await sql<PublishedByDay>`
    select to_char(day, 'YYYY-MM-DD') as day, published, failed, late_p50_ms::float8 as half, late_p99_ms::float8 as most
    from publishing_days where day >= ${from}::date order by publishing_days.day`.execute(db);
  return rows;
}
