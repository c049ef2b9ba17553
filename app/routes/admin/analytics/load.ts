import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import { readVisitSummary } from '#app/domain/visits/visit-analytics.ts';
import { readVisitsOf, VISIT_SPANS } from '#app/domain/visits/visit-summaries.ts';
import { presentClickSums, presentClicks, presentVisitSums, presentVisits } from './present.ts';

/** Times are in the zone of the admin; the counts by day are in UTC. */
const zoneNote = ({ timeZone }: Actor) =>
  `${formatTimeZone(timeZone)}. Today, this week and this month begin in UTC.`;

export async function loadEmail(db: Db, admin: Actor, now: Date) {
  const [summary, clicks] = await Promise.all([readClickSummary(db, now), readClickAnalytics(db)]);
  return { sums: presentClickSums(summary), ...presentClicks(clicks, admin), zone: zoneNote(admin) };
}
export type EmailPage = Awaited<ReturnType<typeof loadEmail>>;

export async function loadVisits(db: Db, admin: Actor, query: URLSearchParams, now: Date) {
  const span = VISIT_SPANS.find((name) => name === query.get('span')) ?? 'all';
  const [summary, visits] = await Promise.all([readVisitSummary(db, now), readVisitsOf(db, span, now)]);
  return {
    sums: presentVisitSums(summary, span),
    ...presentVisits(visits, admin),
    hasVisits: summary.allTime.totalVisits > 0,
    zone: zoneNote(admin),
  };
}
export type VisitsPage = Awaited<ReturnType<typeof loadVisits>>;
