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
import { listWriterDays, readWriterLimits, type UsageOfDay } from '#app/domain/writing/usage.ts';
import { ageOf } from '#app/routes/admin/operations/present.ts';
import { presentTrend, type Trend } from './present.ts';

const RANGES = [7, 30, 90] as const;
const DEFAULT_RANGE = 30;
const MILLION = 1_000_000;
const UTC = 'Days in UTC';

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const shortPrice = (currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, notation: 'compact' });

const countsOf = (rows: VisitsByDay[], count: string, visitors: string): Pick<Trend, 'bars' | 'overlay'> => ({
  bars: { name: count, rows: rows.map((row) => ({ day: row.day, value: row.count })) },
  overlay: { name: visitors, rows: rows.map((row) => ({ day: row.day, value: row.people })) },
});

/** One chart for each currency. */
const revenueOf = (rows: ReceivedByDay[], text: string): Trend[] =>
  [...Map.groupBy(rows, ({ code }) => code)].map(([code, days]) => ({
    key: `revenue-${code}`,
    title: `Revenue in ${code}`,
    text,
    isWhole: false,
    bars: {
      name: 'received',
      rows: days.map(({ day, minor }) => ({ day, value: toMajor(minor) })),
      format: (major) => formatPrice(Math.round(major * 100), { code }),
      formatShort: shortPrice(code).format,
    },
  }));

/** The cost of the writer, or its tokens where no price is configured. */
function writerOf(rows: UsageOfDay[]): Trend {
  const { prices } = readWriterLimits();
  const value = ({ inputTokens, outputTokens }: UsageOfDay) =>
    prices
      ? (inputTokens * prices.input + outputTokens * prices.output) / MILLION
      : inputTokens + outputTokens;
  return {
    key: 'writer',
    title: prices ? "The writer's cost" : "The writer's tokens",
    isWhole: !prices,
    text: prices ? `About, by the configured prices. ${UTC}.` : `Without a configured price. ${UTC}.`,
    bars: {
      name: prices ? 'spent' : 'tokens',
      rows: rows.map((row) => ({ day: row.day, value: value(row) })),
      format: (amount) => (prices ? dollars : short).format(amount),
    },
  };
}

function formatDelay(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 600_000 ? `${Math.round(ms / 1_000)} s` : ageOf(new Date(0), new Date(ms));
}

function publishingOf(rows: PublishedByDay[]): Trend[] {
  const countOf = (name: 'published' | 'failed') => ({
    name,
    rows: rows.map((row) => ({ day: row.day, value: row[name] })),
  });
  const delayOf = (name: string, key: 'half' | 'most') => ({
    name,
    format: formatDelay,
    rows: rows.flatMap((row) => (row[key] === null ? [] : [{ day: row.day, value: row[key] }])),
  });
  const counted = `Counted each hour. ${UTC}.`;
  return [
    {
      key: 'published',
      title: 'Posts',
      text: `Tests too; no post that its owner set aside. ${counted}`,
      bars: countOf('published'),
      overlay: countOf('failed'),
    },
    {
      key: 'punctuality',
      title: 'Punctuality',
      isWhole: false,
      isMeasured: true,
      text: `From the time of a post to its call of LinkedIn; those of one minute are spread over 30 s. ${counted}`,
      bars: delayOf('p50', 'half'),
      overlay: delayOf('p99', 'most'),
    },
  ];
}

export async function loadTrends(db: Db, query: URLSearchParams, timeZone: string, now: Date) {
  const range = RANGES.find((days) => `${days}` === query.get('days')) ?? DEFAULT_RANGE;
  const [local, utc] = [lastDays(2 * range, timeZone, now), lastDays(2 * range, 'UTC', now)];
  const [signUps, received, visits, clicks, published, usage] = await Promise.all([
    listSignUpsByDay(db, local[0]!, timeZone, now),
    listReceivedByDay(db, local[0]!, timeZone),
    listVisitsByDay(db, utc[0]!),
    listClicksByDay(db, utc[0]!),
    listPublishedByDay(db, utc[0]!),
    listWriterDays(db, 2 * range, now),
  ]);
  const zone = `${formatTimeZone(timeZone)}.`;
  const localTrends: Trend[] = [
    {
      key: 'sign-ups',
      title: 'Sign-ups',
      text: `Accounts there are, by their first day. ${zone}`,
      bars: { name: 'sign-ups', rows: signUps.map(({ day, count }) => ({ day, value: count })) },
    },
    ...revenueOf(received, `By the day of verification. ${zone}`),
  ];
  const utcTrends: Trend[] = [
    ...publishingOf(published),
    { key: 'visits', title: 'Visits', text: `${UTC}.`, ...countsOf(visits, 'visits', 'visitors') },
    { key: 'clicks', title: 'Email clicks', text: `${UTC}.`, ...countsOf(clicks, 'clicks', 'addresses') },
    writerOf(usage),
  ];
  return {
    range,
    hasRevenue: received.length > 0,
    trends: [
      ...localTrends.map((trend) => presentTrend(trend, local)),
      ...utcTrends.map((trend) => presentTrend(trend, utc)),
    ],
  };
}
