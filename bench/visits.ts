/**
 * What it costs to be told of 1,000 visits a second, beside none; whether a flood of them holds pages up; and how long what
 * admins read takes among 10,000,000 visits; with `--reads` the last alone, with `--telling` all but the last.
 */
import { sql } from 'kysely';
import { readVisitAnalytics, readVisitSummary } from '#app/domain/visits/visit-analytics.ts';
import { cpuSeconds, figure, ms, number, percentile, spread, title } from './figures.ts';
import { type Load, load, otherAnswers } from './load.ts';
import { settle } from './people.ts';
import { measure, openProduct, type Product } from './product.ts';

const SECONDS = 20;
const PER_SECOND = 1_000;
const FLOOD = { perSecond: 10_000, seconds: 5 };
const VISITS = 10_000_000;
const AT_ONCE = 1_000_000;
const LONGEST_MS = 15 * 60_000;

/** Visits of half a year by 200,000 addresses, and what would have been counted of them. */
async function addVisits({ db }: Product): Promise<void> {
  for (let from = 0; from < VISITS; from += AT_ONCE) {
    await sql`insert into visits (visited_at, address, is_whole, session_id, is_returning, page, country, city, device,
        browser, system, language)
      select now() - n * interval '1.5 seconds', '11.0.0.0'::inet + (n::bigint * 7919 % 200000), true, 'n' || n % 900000, false,
        '/page/' || n % 90, chr(65 + n % 12) || 'E', 'City ' || n % 3000, 'Desktop', 'Browser ' || n % 12,
        'System ' || n % 6, 'en'
      from generate_series(${from}::int, ${from + AT_ONCE - 1}::int) as n`.execute(db);
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
  await settle(db);
}

async function readTimes({ db }: Product, read: () => Promise<unknown>): Promise<number[]> {
  await sql`select 1`.execute(db);
  const times = [];
  for (let n = 0; n < 30; n += 1) {
    const from = performance.now();
    await read();
    times.push(performance.now() - from);
  }
  return times;
}

async function measureTelling(product: Product): Promise<void> {
  process.env.TRUST_PROXY = 'x-forwarded-for';
  const web = await product.startWeb();
  const usual = { connections: 64, warmUpSeconds: 2, isCompressed: false };
  const pages: Load = { ...usual, url: `${product.app}/login`, perSecond: 20, seconds: SECONDS };
  const track: Load = { ...pages, url: `${product.app}/api/v1/visits/track`, tellsOfVisits: true };
  const share = async (act: () => Promise<unknown>) => {
    const [from, before] = [performance.now(), cpuSeconds(web.pid)];
    await act();
    return (cpuSeconds(web.pid) - before) / ((performance.now() - from) / 1_000);
  };
  const percent = (part: number) => `${number(part * 100)}% of a core`;

  title(`${number(PER_SECOND)} visits a second for ${SECONDS} s`);
  await load({ ...track, perSecond: 200, seconds: 2 });
  const idle = await share(() => new Promise((done) => setTimeout(done, 5_000)));
  const busy = await share(async () => {
    const told = await load({ ...track, perSecond: PER_SECOND, seconds: SECONDS });
    figure('answers', otherAnswers(told));
  });
  figure('the web process', percent(busy - idle), `goal 20%; idle ${percent(idle)}`);
  const alone = await load(pages);
  const [beside] = await Promise.all([
    load(pages),
    load({ ...track, perSecond: PER_SECOND, seconds: SECONDS }),
  ]);
  figure(
    'a page meanwhile',
    spread(beside.latencies),
    `without them p99 ${ms(percentile(alone.latencies, 0.99))}`,
  );
  const [flooded, flood] = await Promise.all([
    load({ ...pages, seconds: FLOOD.seconds }),
    load({ ...track, ...FLOOD, connections: 200 }),
  ]);
  figure(
    `a page in a flood of ${number(FLOOD.perSecond)}/s`,
    spread(flooded.latencies),
    otherAnswers(flooded) || 'all 200',
  );
  figure('the flood was answered', otherAnswers(flood));
}

await measure(async (stops) => {
  const product = await openProduct(stops);
  if (!process.argv.includes('--reads')) await measureTelling(product);
  if (process.argv.includes('--telling')) return;
  title(`What admins read, ${number(VISITS)} visits`);
  await addVisits(product);
  const reads = {
    analytics: () => readVisitAnalytics(product.db),
    summary: () => readVisitSummary(product.db, new Date()),
  };
  for (const [name, read] of Object.entries(reads)) {
    const times = await readTimes(product, read);
    figure(name, spread(times), `goal 100 ms; the first, on new connections, ${ms(times[0]!)}`);
  }
}, LONGEST_MS);
