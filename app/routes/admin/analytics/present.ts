import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import type { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import type { readVisitSummary, VisitCount } from '#app/domain/visits/visit-analytics.ts';
import type { readVisitsOf, VisitSpan } from '#app/domain/visits/visit-summaries.ts';

const SPANS = [
  { span: 'all', of: 'allTime', label: 'All time' },
  { span: 'today', of: 'today', label: 'Today' },
  { span: 'week', of: 'thisWeek', label: 'This week' },
  { span: 'month', of: 'thisMonth', label: 'This month' },
] as const;

const inDigits = (count: number) => count.toLocaleString('en-US');
const counted = (count: number, one: string, many: string) =>
  `${inDigits(count)} ${count === 1 ? one : many}`;
const namesOf = (...names: string[]) =>
  names.filter((name) => name !== '' && name !== 'Unknown').join(', ') || 'Unknown';
const timeIn =
  ({ timeZone }: Actor) =>
  (at: Date) => ({ iso: at.toISOString(), text: formatMinute(at, timeZone) });

/** Counts with their shares of the largest, for the bars beside them. */
export function rank(rows: Pick<VisitCount, 'name' | 'visits'>[]) {
  const most = Math.max(1, ...rows.map(({ visits }) => visits));
  return rows.map(({ name, visits }) => ({ name, count: inDigits(visits), share: visits / most }));
}
export type Ranked = ReturnType<typeof rank>[number];

/** How many visits there were in each span, and which of them is looked at. */
export const presentVisitSums = (summary: Awaited<ReturnType<typeof readVisitSummary>>, chosen: VisitSpan) =>
  SPANS.map(({ span, of, label }) => ({
    span,
    label,
    isChosen: span === chosen,
    value: inDigits(summary[of].totalVisits),
    detail: counted(summary[of].uniqueVisitors, 'visitor', 'visitors'),
  }));

const CARDS = [
  { kind: 'page', title: 'Top pages' },
  { kind: 'country', title: 'Countries' },
  { kind: 'city', title: 'Cities' },
  { kind: 'device', title: 'Devices' },
  { kind: 'browser', title: 'Browsers' },
  { kind: 'system', title: 'Systems' },
] as const;

export function presentVisits(visits: Awaited<ReturnType<typeof readVisitsOf>>, admin: Actor) {
  const at = timeIn(admin);
  return {
    ranks: CARDS.map(({ kind, title }) => ({ title, rows: rank(visits.counts[kind]) })),
    hasCities: visits.places === 'GEOIP_DB',
    recent: visits.recentVisits.map(({ visitedAt, country, city, device, browser, os, ...visit }, nth) => ({
      key: `${nth}`,
      at: at(visitedAt),
      page: visit.pathname,
      address: visit.ipAddress ?? 'Unknown',
      place: namesOf(city, country),
      agent: `${device}, ${browser}, ${os}`,
    })),
    frequent: visits.frequentVisitors.map(({ _id, visits: count, lastVisit, country, city, ...names }) => ({
      key: _id,
      address: _id,
      count: inDigits(count),
      at: at(lastVisit),
      place: namesOf(city, country),
      agent: [...names.devices, ...names.browsers].join(', '),
    })),
  };
}
export type PresentedVisits = ReturnType<typeof presentVisits>;

export const presentClickSums = (summary: Awaited<ReturnType<typeof readClickSummary>>) =>
  SPANS.map(({ of, label }) => ({
    label,
    value: inDigits(summary[of].totalClicks),
    detail: `by ${counted(summary[of].uniqueClicks, 'address', 'addresses')}`,
  }));

export function presentClicks(clicks: Awaited<ReturnType<typeof readClickAnalytics>>, admin: Actor) {
  const at = timeIn(admin);
  const ranked = (rows: { _id: string; count: number }[]) =>
    rank(rows.map(({ _id, count }) => ({ name: _id, visits: count })));
  return {
    recent: clicks.recentClicks.map(({ email, device, browser, os, clickedAt }, nth) => ({
      key: `${nth}`,
      email,
      agent: `${device}, ${browser}, ${os}`,
      at: at(clickedAt),
    })),
    top: clicks.topClickers.map(({ _id, clicks: count, lastClick }) => ({
      key: _id,
      email: _id,
      count: inDigits(count),
      at: at(lastClick),
    })),
    ranks: [
      { title: 'Devices', rows: ranked(clicks.clicksByDevice) },
      { title: 'Browsers', rows: ranked(clicks.clicksByBrowser) },
    ],
  };
}
