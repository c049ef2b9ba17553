import type { Actor } from '#app/domain/platform/actor.ts';
import { presentTime } from '#app/domain/platform/dates.ts';
import type { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import type { readVisitSummary, VisitCount } from '#app/domain/visits/visit-analytics.ts';
import type { readVisitsOf, VisitSpan } from '#app/domain/visits/visit-summaries.ts';
import { formatCount, pluralize } from '#app/ui/text.ts';

const SPANS = [
  { span: 'all', period: 'allTime', label: 'All time' },
  { span: 'today', period: 'today', label: 'Today' },
  { span: 'week', period: 'thisWeek', label: 'This week' },
  { span: 'month', period: 'thisMonth', label: 'This month' },
] as const;

const joinKnown = (...names: string[]) =>
  names.filter((name) => name !== '' && name !== 'Unknown').join(', ') || 'Unknown';

/** `share`: of the largest count, for the bar of the row. */
export function rank(rows: Pick<VisitCount, 'name' | 'visits'>[]) {
  const max = Math.max(1, ...rows.map(({ visits }) => visits));
  return rows.map(({ name, visits }) => ({ name, count: formatCount(visits), share: visits / max }));
}
export type Ranked = ReturnType<typeof rank>[number];

export const presentVisitSums = (summary: Awaited<ReturnType<typeof readVisitSummary>>, chosen: VisitSpan) =>
  SPANS.map(({ span, period, label }) => ({
    span,
    label,
    isChosen: span === chosen,
    value: formatCount(summary[period].totalVisits),
    detail: pluralize(summary[period].uniqueVisitors, 'visitor'),
  }));

const CARDS = [
  { kind: 'page', title: 'Top pages' },
  { kind: 'country', title: 'Countries' },
  { kind: 'city', title: 'Cities' },
  { kind: 'device', title: 'Devices' },
  { kind: 'browser', title: 'Browsers' },
  { kind: 'system', title: 'Systems' },
] as const;

export function presentVisits(visits: Awaited<ReturnType<typeof readVisitsOf>>, { timeZone }: Actor) {
  return {
    ranks: CARDS.map(({ kind, title }) => ({ title, rows: rank(visits.counts[kind]) })),
    hasCities: visits.places === 'GEOIP_DB',
    recent: visits.recentVisits.map(({ visitedAt, country, city, device, browser, os, ...visit }, index) => ({
      key: `${index}`,
      at: presentTime(visitedAt, timeZone),
      page: visit.pathname,
      address: visit.ipAddress ?? 'Unknown',
      place: joinKnown(city, country),
      agent: `${device}, ${browser}, ${os}`,
    })),
    frequent: visits.frequentVisitors.map(({ _id, visits: count, lastVisit, country, city, ...names }) => ({
      key: _id,
      address: _id,
      count: formatCount(count),
      at: presentTime(lastVisit, timeZone),
      place: joinKnown(city, country),
      agent: [...names.devices, ...names.browsers].join(', '),
    })),
  };
}
export type PresentedVisits = ReturnType<typeof presentVisits>;

export const presentClickSums = (summary: Awaited<ReturnType<typeof readClickSummary>>) =>
  SPANS.map(({ period, label }) => ({
    label,
    value: formatCount(summary[period].totalClicks),
    detail: `by ${pluralize(summary[period].uniqueClicks, 'address', 'addresses')}`,
  }));

export function presentClicks(clicks: Awaited<ReturnType<typeof readClickAnalytics>>, { timeZone }: Actor) {
  const rankCounts = (rows: { _id: string; count: number }[]) =>
    rank(rows.map(({ _id, count }) => ({ name: _id, visits: count })));
  return {
    recent: clicks.recentClicks.map(({ email, device, browser, os, clickedAt }, index) => ({
      key: `${index}`,
      email,
      agent: `${device}, ${browser}, ${os}`,
      at: presentTime(clickedAt, timeZone),
    })),
    top: clicks.topClickers.map(({ _id, clicks: count, lastClick }) => ({
      key: _id,
      email: _id,
      count: formatCount(count),
      at: presentTime(lastClick, timeZone),
    })),
    ranks: [
      { title: 'Devices', rows: rankCounts(clicks.clicksByDevice) },
      { title: 'Browsers', rows: rankCounts(clicks.clicksByBrowser) },
    ],
  };
}
