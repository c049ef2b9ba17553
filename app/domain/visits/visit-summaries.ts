import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { presentPlace } from '#app/domain/platform/geoip.ts';
import { readVisitAnalytics, spansOf } from './visit-analytics.ts';

const LIST_MAX = 50;

export const VISIT_SPANS = ['all', 'today', 'week', 'month'] as const;
export type VisitSpan = (typeof VISIT_SPANS)[number];

const KINDS = ['country', 'city', 'device', 'browser', 'system', 'page'] as const;
type Kind = (typeof KINDS)[number];
export type VisitsOf = { name: string; visits: number };

const firstDayOf = (span: Exclude<VisitSpan, 'all'>, now: Date) => {
  const { today, thisWeek, thisMonth } = spansOf(now);
  return { today, week: thisWeek, month: thisMonth }[span];
};

const NAMES: Partial<Record<Kind, (value: string) => string>> = {
  country: (code) => presentPlace({ country: code }) || 'Unknown',
  city: (town) => presentPlace({ city: town.slice(0, -4), country: town.slice(-2) }),
};

async function listSince(db: Db, day: string): Promise<Record<Kind, VisitsOf[]>> {
  const { rows } = await sql<{ kind: Kind; value: string; visits: number }>`
    select kind, value, visits::float8 as visits
    from unnest(${[...KINDS]}::text[]) as asked (name) cross join lateral (
      select kind, value, sum(visits) as visits from visit_days
      where kind = asked.name and day >= ${day}::date
      group by kind, value order by visits desc, value limit ${LIST_MAX}) as counted`.execute(db);
  const of = (kind: Kind) =>
    rows
      .filter((row) => row.kind === kind && !(kind === 'city' && row.value === ''))
      .map(({ value, visits }) => ({ name: NAMES[kind]?.(value) ?? value, visits }));
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, VisitsOf[]>;
}

/** Reads the counts of a span. Recent and frequent visitors do not depend on the span. */
export async function readVisitsOf(db: Db, span: VisitSpan, now: Date) {
  const [analytics, since] = await Promise.all([
    readVisitAnalytics(db),
    span === 'all' ? null : listSince(db, firstDayOf(span, now)),
  ]);
  const { recentVisits, frequentVisitors, places } = analytics;
  const counted = (rows: { _id: string; count: number }[]) =>
    rows.map(({ _id, count }) => ({ name: _id, visits: count }));
  const visited = (rows: { _id: string; visits: number }[]) =>
    rows.map(({ _id, visits }) => ({ name: _id, visits }));
  const all = {
    country: visited(analytics.visitsByCountry),
    city: analytics.visitsByCity.map(({ location, visits }) => ({ name: location, visits })),
    device: counted(analytics.visitsByDevice),
    browser: counted(analytics.visitsByBrowser),
    system: counted(analytics.visitsByOS),
    page: visited(analytics.topPages),
  };
  return { recentVisits, frequentVisitors, places, counts: since ?? all };
}
