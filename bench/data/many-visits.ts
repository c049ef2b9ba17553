import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

const BATCH = 1_000_000;

/** Replaces all visits by visits of half a year from 200,000 addresses, with their statistics. */
export async function addVisits(db: Db, count: number): Promise<void> {
  await sql`truncate visits, visit_days, visit_totals, visit_addresses`.execute(db);
  for (let from = 0; from < count; from += BATCH) {
    await sql`insert into visits (visited_at, address, is_whole, session_id, is_returning, page, country, city, device,
        browser, system, language)
      select now() - n * interval '1.5 seconds', '11.0.0.0'::inet + (n::bigint * 7919 % 200000), true, 'n' || n % 900000, false,
        '/page/' || n % 90, chr(65 + n % 12) || 'E', 'City ' || n % 3000, 'Desktop', 'Browser ' || n % 12,
        'System ' || n % 6, 'en'
      from generate_series(${from}::int, ${Math.min(from + BATCH, count) - 1}::int) as n`.execute(db);
  }
  await sql`insert into visit_days (day, kind, value, visits, visitors)
    select day, kind, value, count(*), count(*) / 2
    from (select (visited_at at time zone 'UTC')::date as day, page, country, city || ', ' || country as town, browser,
        system, device from visits) as visit,
      lateral (values ('all', ''), ('page', page), ('country', country), ('city', town), ('browser', browser),
        ('system', system), ('device', device)) as part (kind, value)
    group by day, kind, value`.execute(db);
  await sql`insert into visit_totals (kind, value, visits, visitors)
    select kind, value, sum(visits), sum(visitors) from visit_days group by kind, value`.execute(db);
  await sql`insert into visit_addresses (address, visits, last_visit_at, country, city, devices, browsers)
    select address, count(*), max(visited_at), max(country), max(city),
      jsonb_build_object('Desktop', max(visited_at)), jsonb_build_object('Chrome', max(visited_at))
    from visits group by address`.execute(db);
}
