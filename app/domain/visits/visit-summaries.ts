import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { VisitKind } from '#app/db/tables/visits.ts';
import {
  LIST_MAX,
  LISTED,
  readVisitLists,
  spansOf,
  toVisitLists,
  type VisitLists,
} from './visit-analytics.ts';

/** All time, or the current day, week or month. */
export const VISIT_SPANS = ['all', 'today', 'week', 'month'] as const;
export type VisitSpan = (typeof VISIT_SPANS)[number];

const firstDayOf = (span: Exclude<VisitSpan, 'all'>, now: Date) => {
  const { today, thisWeek, thisMonth } = spansOf(now);
  return { today, week: thisWeek, month: thisMonth }[span];
};

async function listSince(db: Db, day: string): Promise<VisitLists> {
  const { rows } = await sql<{ kind: VisitKind; value: string; visits: number }>`
    select kind, value, visits::float8 as visits
    from unnest(${[...LISTED]}::text[]) as listed (name) cross join lateral (
      select kind, value, sum(visits) as visits from visit_days
      where kind = listed.name and day >= ${day}::date
      group by kind, value order by visits desc, value limit ${LIST_MAX}) as counted`.execute(db);
  return toVisitLists(rows);
}

/** Reads the counts of a span. Recent and frequent visitors do not depend on the span. */
export async function readVisitsOf(db: Db, span: VisitSpan, now: Date) {
  const [{ counts, ...lists }, since] = await Promise.all([
    readVisitLists(db),
    span === 'all' ? null : listSince(db, firstDayOf(span, now)),
  ]);
  return { ...lists, counts: since ?? counts };
}
