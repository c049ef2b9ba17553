import type { Db } from '#app/db/client.ts';
import { zoneInWords } from '#app/domain/dates.ts';
import {
  lastDays,
  listClicksByDay,
  listReceivedByDay,
  listSignUpsByDay,
  listVisitsByDay,
  type ReceivedOn,
  type SeenOn,
} from '#app/domain/day-numbers.ts';
import { formatPrice, toMajor } from '#app/domain/payments/money.ts';
import { listWriterDays, readWriterBounds, type UsageOfDay } from '#app/domain/writing/writer-usage.ts';
import { describeTrend, type Trend } from './describe-trends.ts';

const RANGES = [7, 30, 90] as const;
const USUAL = 30;
const MILLION = 1_000_000;
const UTC = 'Days in UTC';

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const seen = (rows: SeenOn[], [many, people]: [string, string]): Pick<Trend, 'bars' | 'over'> => ({
  bars: { name: many, rows: rows.map(({ day, count }) => ({ day, value: count })) },
  over: { name: people, rows: rows.map((row) => ({ day: row.day, value: row.people })) },
});

/** A chart for each currency in which something was received. */
const revenueOf = (rows: ReceivedOn[], text: string): Trend[] =>
  [...Map.groupBy(rows, ({ code }) => code)].map(([code, days]) => ({
    ...{ key: `revenue-${code}`, title: `Revenue in ${code}`, text, isWhole: false },
    bars: {
      name: 'received',
      rows: days.map(({ day, minor }) => ({ day, value: toMajor(minor) })),
      say: (major) => formatPrice(Math.round(major * 100), { code }),
    },
  }));

/** What the writer cost, or the tokens where nobody knows their price. */
function writerOf(rows: UsageOfDay[]): Trend {
  const { prices } = readWriterBounds();
  const value = ({ inputTokens: read, outputTokens: wrote }: UsageOfDay) =>
    prices ? (read * prices.input + wrote * prices.output) / MILLION : read + wrote;
  return {
    ...{ key: 'writer', title: prices ? "The writer's cost" : "The writer's tokens", isWhole: !prices },
    text: prices ? `About, by the configured prices. ${UTC}.` : `Without a configured price. ${UTC}.`,
    bars: {
      ...{
        name: prices ? 'spent' : 'tokens',
        rows: rows.map((row) => ({ day: row.day, value: value(row) })),
      },
      say: (amount) => (prices ? dollars : short).format(amount),
    },
  };
}

/** The charts of the last days, as their address asks for them. */
export async function loadTrends(db: Db, query: URLSearchParams, timeZone: string, now: Date) {
  const range = RANGES.find((each) => `${each}` === query.get('days')) ?? USUAL;
  const [local, utc] = [lastDays(2 * range, timeZone, now), lastDays(2 * range, 'UTC', now)];
  const [signUps, received, visits, clicks, asked] = await Promise.all([
    ...([
      listSignUpsByDay(db, local[0]!, timeZone, now),
      listReceivedByDay(db, local[0]!, timeZone),
    ] as const),
    ...([listVisitsByDay(db, utc[0]!), listClicksByDay(db, utc[0]!)] as const),
    listWriterDays(db, 2 * range, now),
  ]);
  const zone = `${zoneInWords(timeZone)}.`;
  const onOurClock: Trend[] = [
    {
      ...{ key: 'sign-ups', title: 'Sign-ups', text: `Accounts there are, by their first day. ${zone}` },
      bars: { name: 'sign-ups', rows: signUps.map(({ day, count }) => ({ day, value: count })) },
    },
    ...revenueOf(received, `By the day of verification. ${zone}`),
  ];
  const inUtc: Trend[] = [
    { key: 'visits', title: 'Visits', text: `${UTC}.`, ...seen(visits, ['visits', 'visitors']) },
    { key: 'clicks', title: 'E-mail clicks', text: `${UTC}.`, ...seen(clicks, ['clicks', 'addresses']) },
    writerOf(asked),
  ];
  return {
    range,
    hasRevenue: received.length > 0,
    trends: [
      ...onOurClock.map((trend) => describeTrend(trend, local)),
      ...inUtc.map((trend) => describeTrend(trend, utc)),
    ],
  };
}
