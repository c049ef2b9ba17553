import type { Db } from '#app/db/client.ts';
import { spansOf } from './visit-analytics.ts';

const RECENT_CLICKS = 10;
const TOP_CLICKERS = 10;
const NONE = { totalClicks: 0, uniqueClicks: 0 };

export async function readClickSummary(db: Db, now: Date) {
  const { today, thisWeek, thisMonth } = spansOf(now);
  const rows = await db
    .selectFrom('clickSpans')
    .selectAll()
    .where(({ eb, or }) =>
      or([
        eb('span', '=', 'ever'),
        eb('span', '=', 'day').and('begins', '=', today),
        eb('span', '=', 'week').and('begins', '=', thisWeek),
        eb('span', '=', 'month').and('begins', '=', thisMonth),
      ]),
    )
    .execute();
  const of = (name: (typeof rows)[number]['span']) => {
    const row = rows.find(({ span }) => span === name);
    return row ? { totalClicks: Number(row.clicks), uniqueClicks: Number(row.addresses) } : NONE;
  };
  return { allTime: of('ever'), today: of('day'), thisWeek: of('week'), thisMonth: of('month') };
}

async function listCounts(db: Db, kind: 'device' | 'browser') {
  const rows = await db
    .selectFrom('clickTotals')
    .select(['value', 'clicks'])
    .where('kind', '=', kind)
    .orderBy('clicks', 'desc')
    .orderBy('value')
    .execute();
  return rows.map(({ value, clicks }) => ({ _id: value, count: Number(clicks) }));
}

const listClickers = (db: Db) =>
  db
    .selectFrom('clickAddresses')
    .select(['address', 'clicks', 'lastClickAt'])
    .orderBy('clicks', 'desc')
    .orderBy('lastClickAt', 'desc')
    .limit(TOP_CLICKERS)
    .execute();

const listRecent = (db: Db) =>
  db
    .selectFrom('emailClicks')
    .select(['address as email', 'device', 'browser', 'system as os', 'clickedAt'])
    .orderBy('clickedAt', 'desc')
    .limit(RECENT_CLICKS)
    .execute();

export async function readClickAnalytics(db: Db) {
  const [clicksByDevice, clicksByBrowser, clickers, recentClicks] = await Promise.all([
    listCounts(db, 'device'),
    listCounts(db, 'browser'),
    listClickers(db),
    listRecent(db),
  ]);
  const topClickers = clickers.map(({ address, clicks, lastClickAt }) => ({
    _id: address,
    clicks: Number(clicks),
    lastClick: lastClickAt,
  }));
  return { clicksByDevice, clicksByBrowser, topClickers, recentClicks };
}
