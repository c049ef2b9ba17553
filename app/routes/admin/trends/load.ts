import type { Db } from '#app/db/client.ts';
import { lastDays } from '#app/domain/automation/slots.ts';
import {
  listClicksByDay,
  listPublishedByDay,
  listReceivedByDay,
  listSignUpsByDay,
  listVisitsByDay,
  type PublishedByDay,
  type ReceivedByDay,
  type VisitsByDay,
} from '#app/domain/operations/daily-figures.ts';
import { formatPrice, toMajor } from '#app/domain/payments/money.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { listWriterDays, readWriterBounds, type UsageOfDay } from '#app/domain/writing/usage.ts';
import { ageOf } from '#app/routes/admin/operations/present.ts';
import { presentTrend, type Trend } from './present.ts';

const RANGES = [7, 30, 90] as const;
const USUAL = 30;
const MILLION = 1_000_000;
const UTC = 'Days in UTC';

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** "$150M", for beside a line of a chart. */
const shortPrice = (currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, notation: 'compact' });

const seen = (rows: VisitsByDay[], [many, people]: [string, string]): Pick<Trend, 'bars' | 'over'> => ({
  bars: { name: many, rows: rows.map(({ day, count }) => ({ day, value: count })) },
  over: { name: people, rows: rows.map((row) => ({ day: row.day, value: row.people })) },
});

/** A chart for each currency in which something was received. */
const revenueOf = (rows: ReceivedByDay[], text: string): Trend[] =>
  [...Map.groupBy(rows, ({ code }) => code)].map(([code, days]) => ({
    key: `revenue-${code}`,
    title: `Revenue in ${code}`,
    text,
    isWhole: false,
    bars: {
      name: 'received',
      rows: days.map(({ day, minor }) => ({ day, value: toMajor(minor) })),
      say: (major) => formatPrice(Math.round(major * 100), { code }),
      sayShort: shortPrice(code).format,
    },
  }));

/** What the writer cost, or the tokens where nobody knows their price. */
function writerOf(rows: UsageOfDay[]): Trend {
  const { prices } = readWriterBounds();
  const value = ({ inputTokens: read, outputTokens: wrote }: UsageOfDay) =>
    prices ? (read * prices.input + wrote * prices.output) / MILLION : read + wrote;
  return {
    key: 'writer',
    title: prices ? "The writer's cost" : "The writer's tokens",
    isWhole: !prices,
    text: prices ? `About, by the configured prices. ${UTC}.` : `Without a configured price. ${UTC}.`,
    bars: {
      name: prices ? 'spent' : 'tokens',
      rows: rows.map((row) => ({ day: row.day, value: value(row) })),
      say: (amount) => (prices ? dollars : short).format(amount),
    },
  };
}

/** Seconds for as long as they are what one thinks in. */
function inTime(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 600_000 ? `${Math.round(ms / 1_000)} s` : ageOf(new Date(0), new Date(ms));
}

/** What went out and failed, and how late what went out was. */
function publishedOf(rows: PublishedByDay[]): Trend[] {
  const each = (name: 'published' | 'failed') => ({
    name,
    rows: rows.map((row) => ({ day: row.day, value: row[name] })),
  });
  const late = (name: string, of: 'half' | 'most') => ({
    name,
    say: inTime,
    rows: rows.flatMap((row) => (row[of] === null ? [] : [{ day: row.day, value: row[of] }])),
  });
  const counted = `Counted each hour. ${UTC}.`;
  return [
    {
      key: 'published',
      title: 'Posts',
      text: `Tests too; no post that its owner set aside. ${counted}`,
      bars: each('published'),
      over: each('failed'),
    },
    {
      key: 'punctuality',
      title: 'Punctuality',
      isWhole: false,
      isMeasured: true,
      text: `From the time of a post to its call of LinkedIn; those of one minute are spread over 30 s. ${counted}`,
      bars: late('p50', 'half'),
      over: late('p99', 'most'),
    },
  ];
}

/** The charts of the last days, as their address asks for them. */
export async function loadTrends(db: Db, query: URLSearchParams, timeZone: string, now: Date) {
  const range = RANGES.find((each) => `${each}` === query.get('days')) ?? USUAL;
  const [local, utc] = [lastDays(2 * range, timeZone, now), lastDays(2 * range, 'UTC', now)];
  const [signUps, received, visits, clicks, published, asked] = await Promise.all([
    listSignUpsByDay(db, local[0]!, timeZone, now),
    listReceivedByDay(db, local[0]!, timeZone),
    listVisitsByDay(db, utc[0]!),
    listClicksByDay(db, utc[0]!),
    listPublishedByDay(db, utc[0]!),
    listWriterDays(db, 2 * range, now),
  ]);
  const zone = `${formatTimeZone(timeZone)}.`;
  const onOurClock: Trend[] = [
    {
      key: 'sign-ups',
      title: 'Sign-ups',
      text: `Accounts there are, by their first day. ${zone}`,
      bars: { name: 'sign-ups', rows: signUps.map(({ day, count }) => ({ day, value: count })) },
    },
    ...revenueOf(received, `By the day of verification. ${zone}`),
  ];
  const inUtc: Trend[] = [
    ...publishedOf(published),
    { key: 'visits', title: 'Visits', text: `${UTC}.`, ...seen(visits, ['visits', 'visitors']) },
    { key: 'clicks', title: 'Email clicks', text: `${UTC}.`, ...seen(clicks, ['clicks', 'addresses']) },
    writerOf(asked),
  ];
  return {
    range,
    hasRevenue: received.length > 0,
    trends: [
      ...onOurClock.map((trend) => presentTrend(trend, local)),
      ...inUtc.map((trend) => presentTrend(trend, utc)),
    ],
  };
}
