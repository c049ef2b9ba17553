/*
 * Reads the counters of visits. Days are in UTC, and a week begins on Monday. A visitor is a browser at an address and
 * counts once a day, so the visitors of a longer span are the sum of its days: visitors are not tracked across days.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { VisitKind } from '#app/db/tables/visits.ts';
import { geoipSource, presentPlace } from '#app/domain/platform/geoip.ts';

export type VisitCounts = { totalVisits: number; uniqueVisitors: number };

const RECENT_VISITS = 15;
const FREQUENT_VISITORS = 10;
export const LIST_MAX = 50;
const UNKNOWN = 'Unknown';

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

export const LISTED = ['country', 'city', 'device', 'browser', 'system', 'page'] as const;
type ListedKind = (typeof LISTED)[number];
export type VisitCount = { name: string; visits: number; visitors: number };
export type VisitLists = Record<ListedKind, VisitCount[]>;

type CountRow = { kind: VisitKind; value: string; visits: string | number; visitors?: string };

const countryName = (code: string) => presentPlace({ country: code }) || UNKNOWN;
const NAMES: Partial<Record<ListedKind, (value: string) => string>> = {
  country: countryName,
  // Towns are counted as "Berlin, DE".
  city: (town) => presentPlace({ city: town.slice(0, -4), country: town.slice(-2) }),
};

/** Groups counters by kind and adds the names of places. Visits without a city are not listed as one. */
export const toVisitLists = (rows: CountRow[]) =>
  Object.fromEntries(
    LISTED.map((kind) => [
      kind,
      rows
        .filter((row) => row.kind === kind && !(kind === 'city' && row.value === ''))
        .map(({ value, visits, visitors }) => ({
          name: NAMES[kind]?.(value) ?? value,
          visits: Number(visits),
          visitors: Number(visitors ?? 0),
        })),
    ]),
  ) as VisitLists;

/** Lists the counters of each kind, the highest first. One statement is faster on a new connection. */
async function listCounts(db: Db): Promise<VisitLists> {
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
          .limit(LIST_MAX)
          .as('most'),
      (join) => join.onTrue(),
    )
    .select(['kind', 'value', 'visits', 'visitors'])
    .execute();
  return toVisitLists(rows);
}

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

/** `places` names the database of places that was used: one without cities leaves the cities empty. */
export async function readVisitLists(db: Db) {
  const [counts, frequent, recent] = await Promise.all([listCounts(db), listFrequent(db), listRecent(db)]);
  return {
    counts,
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

const withVisitors = (rows: VisitCount[]) =>
  rows.map(({ name, visits, visitors }) => ({ _id: name, visits, uniqueVisitors: visitors }));
const withCount = (rows: VisitCount[]) => rows.map(({ name, visits }) => ({ _id: name, count: visits }));

/** The lists as the API returns them. */
export async function readVisitAnalytics(db: Db) {
  const { counts, ...lists } = await readVisitLists(db);
  return {
    visitsByCountry: withVisitors(counts.country),
    visitsByCity: counts.city.map(({ name, visits }) => ({ location: name, visits })),
    visitsByDevice: withCount(counts.device),
    visitsByBrowser: withCount(counts.browser),
    visitsByOS: withCount(counts.system),
    topPages: withVisitors(counts.page),
    ...lists,
  };
}
