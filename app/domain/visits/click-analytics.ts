import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { spansOf } from './visit-analytics.ts';

const RECENT_CLICKS = 10;
const TOP_CLICKERS = 10;

/** How many links of mails were opened, and by how many addresses; a day is one in UTC. */
export async function readClickSummary(db: Db, now: Date) {
  const { today, thisWeek, thisMonth } = spansOf(now);
  const since = (day: string) => sql<boolean>`clicked_at >= ${`${day}T00:00:00Z`}::timestamptz`;
  const spans = {
    allTime: sql<boolean>`true`,
    today: since(today),
    thisWeek: since(thisWeek),
    thisMonth: since(thisMonth),
  };
  const counted = async (span: keyof typeof spans) => {
    const row = await db
      .selectFrom('emailClicks')
      .select(({ fn }) => [
        fn.countAll<string>().as('clicks'),
        fn.count<string>('address').distinct().as('addresses'),
      ])
      .where(spans[span])
      .executeTakeFirstOrThrow();
    return { totalClicks: Number(row.clicks), uniqueClicks: Number(row.addresses) };
  };
  const [allTime, ofToday, ofWeek, ofMonth] = await Promise.all([
    counted('allTime'),
    counted('today'),
    counted('thisWeek'),
    counted('thisMonth'),
  ]);
  return { allTime, today: ofToday, thisWeek: ofWeek, thisMonth: ofMonth };
}

async function countBy(db: Db, column: 'device' | 'browser') {
  const rows = await db
    .selectFrom('emailClicks')
    .select(({ fn }) => [column, fn.countAll<string>().as('count')])
    .groupBy(column)
    .orderBy('count', 'desc')
    .orderBy(column)
    .execute();
  return rows.map((row) => ({ _id: row[column], count: Number(row.count) }));
}

const listClickers = (db: Db) =>
  db
    .selectFrom('emailClicks')
    .select(({ fn }) => [
      'address',
      fn.countAll<string>().as('clicks'),
      fn.max<Date>('clickedAt').as('lastClick'),
    ])
    .groupBy('address')
    .orderBy('clicks', 'desc')
    .orderBy('lastClick', 'desc')
    .limit(TOP_CLICKERS)
    .execute();

const listRecent = (db: Db) =>
  db
    .selectFrom('emailClicks')
    .select(['address as email', 'device', 'browser', 'system as os', 'clickedAt'])
    .orderBy('clickedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(RECENT_CLICKS)
    .execute();

/** Everything of the admin's page about links in mails. */
export async function readClickAnalytics(db: Db) {
  const [clicksByDevice, clicksByBrowser, clickers, recentClicks] = await Promise.all([
    countBy(db, 'device'),
    countBy(db, 'browser'),
    listClickers(db),
    listRecent(db),
  ]);
  const topClickers = clickers.map(({ address, clicks, lastClick }) => ({
    ...{ _id: address, clicks: Number(clicks), lastClick },
  }));
  return { clicksByDevice, clicksByBrowser, topClickers, recentClicks };
}
