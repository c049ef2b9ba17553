import type { readClickAnalytics } from '#app/domain/visits/click-analytics.ts';
import type { readVisitAnalytics } from '#app/domain/visits/visit-analytics.ts';

type Clicks = Awaited<ReturnType<typeof readClickAnalytics>>;
type Visits = Awaited<ReturnType<typeof readVisitAnalytics>>;

export const clickAnalyticsShape = ({ topClickers, recentClicks, ...counts }: Clicks) => ({
  ...counts,
  topClickers: topClickers.map((clicker) => ({ ...clicker, lastClick: clicker.lastClick.toISOString() })),
  recentClicks: recentClicks.map((click) => ({ ...click, clickedAt: click.clickedAt.toISOString() })),
});

export const visitAnalyticsShape = ({ frequentVisitors, recentVisits, ...counts }: Visits) => ({
  ...counts,
  frequentVisitors: frequentVisitors.map((one) => ({ ...one, lastVisit: one.lastVisit.toISOString() })),
  recentVisits: recentVisits.map((visit) => ({ ...visit, visitedAt: visit.visitedAt.toISOString() })),
});
