/**
 * What admins read of visits, from counts that were kept as the visits came in. A day is one in UTC, and a week begins on its
 * Monday. A visitor is a browser at an address and counts once a day, so the visitors of a longer time are those of its days
 * together: nothing here follows anybody from one day to the next.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { VisitKind } from '#app/db/tables/visits.ts';
import { geoipSource, presentPlace } from '#app/domain/platform/geoip.ts';

export type VisitCounts = { totalVisits: number; uniqueVisitors: number };

const RECENT_VISITS = 15;
const FREQUENT_VISITORS = 10;
const MOST_LISTED = 50;
const UNKNOWN = 'Unknown';

/** The day on which a span that is still running began, by the day on which it is asked for. */
export const spansOf = (now: Date): Record<'today' | 'thisWeek' | 'thisMonth', string> => {
  const today = now.toISOString().slice(0, 10);
  const monday = new Date(`${today}T00:00:00Z`);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return { today, thisWeek: monday.toISOString().slice(0, 10), thisMonth: `${today.slice(0, 8)}01` };
};

const isToday = (today: string): RawBuilder<boolean> => sql<boolean>`day = ${today}::date`;
const isSince = (from: string): RawBuilder<boolean> => sql<boolean>`day >= ${from}::date`;

export async function readVisitSummary(db: Db, now: Date) {
  const { today, thisWeek, thisMonth } = spansOf(now);
  const oldest = thisWeek < thisMonth ? thisWeek : thisMonth;
  const [all, days] = await Promise.all([
    db.selectFrom('visitTotals').select(['visits', 'visitors']).where('kind', '=', 'all').executeTakeFirst(),
    db
      .selectFrom('visitDays')
      .select(['visits', 'visitors', isToday(today).as('isToday')])
      .select([isSince(thisWeek).as('isOfWeek'), isSince(thisMonth).as('isOfMonth')])
      .where('kind', '=', 'all')
      .where('day', '>=', oldest)
      .execute(),
  ]);
  const summed = (rows: { visits: string; visitors: string }[]): VisitCounts => ({
    totalVisits: rows.reduce((sum, { visits }) => sum + Number(visits), 0),
    uniqueVisitors: rows.reduce((sum, { visitors }) => sum + Number(visitors), 0),
  });
  return {
    allTime: summed(all ? [all] : []),
    today: summed(days.filter((day) => day.isToday)),
    thisWeek: summed(days.filter((day) => day.isOfWeek)),
    thisMonth: summed(days.filter((day) => day.isOfMonth)),
  };
}

const LISTED = ['country', 'city', 'device', 'browser', 'system', 'page'] as const;
type Counted = { value: string; visits: number; visitors: number };
type Lists = Record<(typeof LISTED)[number], Counted[]>;

/** What is counted of each kind, the most visited first. In one statement: a connection that is new makes each of several dear. */
async function listCounts(db: Db): Promise<Lists> {
  const rows = await db
    .selectFrom(sql<{ kind: VisitKind }>`unnest(${[...LISTED]}::text[])`.as<'part'>(sql`part(kind)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('visitTotals')
          .select(['value', 'visits', 'visitors'])
          .whereRef('visitTotals.kind', '=', 'part.kind')
          .orderBy('visits', 'desc')
          .orderBy('value')
          .limit(MOST_LISTED)
          .as('most'),
      (join) => join.onTrue(),
    )
    .select(['kind', 'value', 'visits', 'visitors'])
    .execute();
  const of = (name: VisitKind) =>
    rows
      .filter(({ kind }) => kind === name)
      .map(({ value, visits, visitors }) => ({ value, visits: Number(visits), visitors: Number(visitors) }));
  return Object.fromEntries(LISTED.map((kind) => [kind, of(kind)])) as Lists;
}

const countryName = (code: string) => presentPlace({ country: code }) || UNKNOWN;
/** "Berlin, DE", as towns are counted. */
const townName = (town: string) => presentPlace({ city: town.slice(0, -4), country: town.slice(-2) });

const withVisitors = (name: (value: string) => string, rows: Counted[]) =>
  rows.map(({ value, visits, visitors }) => ({ _id: name(value), visits, uniqueVisitors: visitors }));
const withCount = (rows: Counted[]) => rows.map(({ value, visits }) => ({ _id: value, count: visits }));

const namesIn = (kinds: 'devices' | 'browsers') =>
  sql<string[]>`array(select jsonb_object_keys(${sql.ref(kinds)}) order by 1)`.as(kinds);

const listFrequent = (db: Db) =>
  db
    .selectFrom('visitAddresses')
    .select(['visits', 'lastVisitAt', 'country', 'city', namesIn('devices'), namesIn('browsers')])
    .select(sql<string>`host(address)`.as('address'))
    .orderBy('visits', 'desc')
    .orderBy('lastVisitAt', 'desc')
    .limit(FREQUENT_VISITORS)
    .execute();

const listRecent = (db: Db) =>
  db
    .selectFrom('visits')
    .select(['country', 'city', 'device', 'browser', 'system', 'page', 'visitedAt'])
    .select([sql<string | null>`abbrev(address)`.as('address'), sql<number>`family(address)`.as('family')])
    .orderBy('visitedAt', 'desc')
    .limit(RECENT_VISITS)
    .execute();

/** Everything of the admin's page. `places` says what knew where addresses are: a file without cities knows of none. */
export async function readVisitAnalytics(db: Db) {
  const [counts, frequent, recent] = await Promise.all([listCounts(db), listFrequent(db), listRecent(db)]);
  return {
    visitsByCountry: withVisitors(countryName, counts.country),
    visitsByCity: counts.city
      .filter(({ value }) => value !== '')
      .map(({ value, visits }) => ({ location: townName(value), visits })),
    visitsByDevice: withCount(counts.device),
    visitsByBrowser: withCount(counts.browser),
    visitsByOS: withCount(counts.system),
    topPages: withVisitors((page) => page, counts.page),
    frequentVisitors: frequent.map(({ address, visits, lastVisitAt, country, city, ...names }) => ({
      _id: address,
      visits: Number(visits),
      lastVisit: lastVisitAt,
      country: countryName(country),
      city: city || UNKNOWN,
      ...names,
    })),
    recentVisits: recent.map(({ address, family, country, city, system, page, ...visit }) => ({
      ipv4: family === 4 ? address : null,
      ipAddress: address,
      country: countryName(country),
      city: city || UNKNOWN,
      os: system,
      pathname: page,
      ...visit,
    })),
    places: geoipSource(),
  };
}
