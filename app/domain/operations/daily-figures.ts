/**
 * The numbers of the last days that admins see as charts. Visits, clicks and posts are kept by days in UTC, as are the calls of
 * the writer; sign-ups and payments stand on the reader's clock, the ones counted from an index, the others kept by quarters of
 * an hour.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';

/** A day, YYYY-MM-DD, on which there was something. */
export type CountedOn = { day: string; count: number };
export type SeenOn = CountedOn & { people: number };
/** Lateness in milliseconds: of half of the posts no more than the one, of 99 in 100 no more than the other. */
export type PublishedOn = Record<'published' | 'failed', number> & { day: string } & Record<
    'half' | 'most',
    number | null
  >;
export type ReceivedOn = { day: string; code: string; minor: number };

/** When a day begins on a clock. */
const startOf = (day: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql<Date>`((${day})::date::timestamp at time zone ${timeZone}::text)`;

/**
 * The accounts there are, by the day on which they were made. Each day is a stretch of the index: for all days at once the
 * whole table would be read.
 */
export async function listSignUpsByDay(
  db: Db,
  from: string,
  timeZone: string,
  now: Date,
): Promise<CountedOn[]> {
  const { rows } = await sql<CountedOn>`
    select to_char(day, 'YYYY-MM-DD') as day, count
    from generate_series(${from}::date, ${localDateOf(now, timeZone)}::date, interval '1 day') as days (day)
    cross join lateral (
      select count(*)::int as count from users
      where created_at >= ${startOf(sql`day`, timeZone)} and created_at < ${startOf(sql`day + interval '1 day'`, timeZone)}
      offset 0) as made
    where count > 0 order by days.day`.execute(db);
  return rows;
}

/** What was received in each currency, by the day of verification; nothing is converted, so nothing is added up. */
export async function listReceivedByDay(db: Db, from: string, timeZone: string): Promise<ReceivedOn[]> {
  const { rows } = await sql<ReceivedOn>`
    select to_char(day, 'YYYY-MM-DD') as day, code, minor from currencies, lateral (
      select (begins at time zone ${timeZone}::text)::date as day, sum(paid_minor)::float8 as minor
      from earnings where span = 'quarter' and currency_code = code and payments > 0
        and begins >= ${startOf(sql`${from}`, timeZone)}
      group by 1) as days
    order by position, day`.execute(db);
  return rows;
}

export async function listVisitsByDay(db: Db, from: string): Promise<SeenOn[]> {
  const { rows } = await sql<SeenOn>`
    select to_char(day, 'YYYY-MM-DD') as day, visits::float8 as count, visitors::float8 as people
    from visit_days where kind = 'all' and day >= ${from}::date order by visit_days.day`.execute(db);
  return rows;
}

export async function listClicksByDay(db: Db, from: string): Promise<SeenOn[]> {
  const { rows } = await sql<SeenOn>`
    select to_char(begins, 'YYYY-MM-DD') as day, clicks::float8 as count, addresses::float8 as people
    from click_spans where span = 'day' and begins >= ${from}::date order by begins`.execute(db);
  return rows;
}

/** What went out and failed on each day that has been counted. */
export async function listPublishedByDay(db: Db, from: string): Promise<PublishedOn[]> {
  const { rows } = await sql<PublishedOn>`
    select to_char(day, 'YYYY-MM-DD') as day, published, failed, late_p50_ms::float8 as half, late_p99_ms::float8 as most
    from publishing_days where day >= ${from}::date order by publishing_days.day`.execute(db);
  return rows;
}
