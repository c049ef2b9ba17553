import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';

/** The row of a visit. `visitor` is a bigint, so a string. */
export type StoredVisit = {
  visitedAt: string;
  address: string | null;
  sessionId: string;
  visitor: string;
  page: string;
  isReturning: boolean;
  country: string;
  city: string;
  device: string;
  browser: string;
  system: string;
  language: string;
  screenWidth: number | null;
  screenHeight: number | null;
};

type DayCount = { day: string; visits: number };

/** Visits are counted one after the other: concurrent updates of the same counters could deadlock. */
const LOCK = 8_601;
export const lockVisits = (trx: Trx) => sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);

/**
 * Stores and counts visits in one statement. A visitor counts once a day, and once a day on each page. The place of a
 * visitor is derived from the address, so it does not change within a day. Returns the number of visits of each day.
 */
export async function storeVisits(db: Db, visits: StoredVisit[]): Promise<DayCount[]> {
  if (visits.length === 0) return [];
  return transact(db, async (trx) => {
    await lockVisits(trx);
    const { rows } = await sql<{ day: string; visits: string }>`
    with batch as materialized (
      select *, ("visitedAt" at time zone 'UTC')::date as day,
        case when city <> '' and country <> '' then city || ', ' || country else '' end as town
      from json_to_recordset(${JSON.stringify(visits)}::json) as visit (
        "visitedAt" timestamptz(3), address inet, "sessionId" text, visitor bigint, page text, "isReturning" boolean,
        country text, city text, device text, browser text, system text, language text,
        "screenWidth" int, "screenHeight" int)
    ), stored as (
      insert into visits (visited_at, address, is_whole, session_id, is_returning, page, country, city, device, browser,
        system, language, screen_width, screen_height)
      select "visitedAt", address, address is not null, "sessionId", "isReturning", page, country, city, device, browser,
        system, language, "screenWidth", "screenHeight"
      from batch
    ), seen as (
      insert into visit_sightings (day, visitor, page)
      select day, visitor, '' from batch union select day, visitor, page from batch
      on conflict do nothing returning day, visitor, page
    ), new_visitors as (
      select day, kind, value, count(distinct visitor) as visitors
      from seen join batch using (day, visitor), lateral (values
        ('all', '', seen.page = ''), ('country', country, seen.page = ''), ('city', town, seen.page = ''),
        ('page', seen.page, seen.page <> '')) as part (kind, value, is_counted)
      where is_counted
      group by day, kind, value
    ), counted as (
      select day, kind, value, count(*) as visits
      from batch, lateral (values ('all', ''), ('country', country), ('city', town), ('device', device),
        ('browser', browser), ('system', system), ('page', page)) as part (kind, value)
      group by day, kind, value
    ), both_counts as (
      select day, kind, value, visits, coalesce(visitors, 0) as visitors
      from counted left join new_visitors using (day, kind, value)
    ), days as (
      insert into visit_days as old (day, kind, value, visits, visitors)
      select day, kind, value, visits, visitors from both_counts
      on conflict (kind, day, value) do update
      set visits = old.visits + excluded.visits, visitors = old.visitors + excluded.visitors
      returning day, kind, visits
    ), totals as (
      insert into visit_totals as old (kind, value, visits, visitors)
      select kind, value, sum(visits), sum(visitors) from both_counts group by kind, value
      on conflict (kind, value) do update
      set visits = old.visits + excluded.visits, visitors = old.visitors + excluded.visitors
    ), addresses as (
      insert into visit_addresses as old (address, visits, last_visit_at, country, city, devices, browsers)
      select address, count(*), max("visitedAt"), max(country), max(city),
        jsonb_object_agg(device, "visitedAt" order by "visitedAt"), jsonb_object_agg(browser, "visitedAt" order by "visitedAt")
      from batch where address is not null group by address
      on conflict (address) do update
      set visits = old.visits + excluded.visits,
        last_visit_at = greatest(old.last_visit_at, excluded.last_visit_at),
        country = excluded.country, city = excluded.city,
        devices = old.devices || excluded.devices, browsers = old.browsers || excluded.browsers
    )
    select day, visits from days where kind = 'all' order by day`.execute(trx);
    return rows.map(({ day, visits }) => ({ day, visits: Number(visits) }));
  });
}
