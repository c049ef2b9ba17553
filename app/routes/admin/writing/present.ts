import { formatMinute, nameDay } from '#app/domain/platform/dates.ts';
import type { listLatestRuns, Prices, Usage, UsageOfDay, UsageOfUser } from '#app/domain/writing/usage.ts';

const MILLION = 1_000_000;
const NOTHING: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** "1,234": what is counted one by one. */
const inFull = (count: number) => count.toLocaleString('en');
const inPercent = (share: number) => `${Math.round(share * 100)}%`;
/** "1.2M": so many that the end of the number says nothing. */
const inShort = (count: number) => short.format(count);

/** "$1.20"; null where nobody knows the price. */
function costOf({ inputTokens, outputTokens }: Usage, prices: Prices): string | null {
  if (!prices) return null;
  const cost = (inputTokens * prices.input + outputTokens * prices.output) / MILLION;
  return cost > 0 && cost < 0.01 ? 'under $0.01' : money.format(cost);
}

const presentUsage = (usage: Usage, prices: Prices) => ({
  calls: inFull(usage.calls),
  tokensIn: inShort(usage.inputTokens),
  tokensOut: inShort(usage.outputTokens),
  tokens: inShort(usage.inputTokens + usage.outputTokens),
  cost: costOf(usage, prices),
});
export type PresentedUsage = ReturnType<typeof presentUsage>;

const sumOf = (all: Usage[]): Usage =>
  all.reduce(
    (sum, { calls, inputTokens, outputTokens }) => ({
      calls: sum.calls + calls,
      inputTokens: sum.inputTokens + inputTokens,
      outputTokens: sum.outputTokens + outputTokens,
    }),
    NOTHING,
  );

/** The day of an instant in UTC, YYYY-MM-DD. */
const utcDay = (now: Date) => now.toISOString().slice(0, 10);

/** A day of an address, or today where it names none. */
export function dayOf(asked: string | null, now: Date): string {
  const isDay = asked !== null && /^20\d\d-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked));
  return isDay && utcDay(new Date(asked)) === asked ? asked : utcDay(now);
}

type Bounds = { calls: number; tokens: number; prices: Prices };

/** How much of what a day may have, from 0 to 1. */
const shareOf = (usage: Usage, { calls, tokens }: Bounds) =>
  Math.min(1, Math.max(usage.calls / calls, (usage.inputTokens + usage.outputTokens) / tokens));

/** Today beside what it may have, the days, and their sum. */
export function presentDays(days: UsageOfDay[], bounds: Bounds, chosen: string, now: Date) {
  const today = days.find(({ day }) => day === utcDay(now)) ?? NOTHING;
  return {
    today: { ...presentUsage(today, bounds.prices), used: inPercent(shareOf(today, bounds)) },
    ceiling: { calls: inFull(bounds.calls), tokens: inShort(bounds.tokens) },
    sum: presentUsage(sumOf(days), bounds.prices),
    days: days.map((each) => ({
      day: each.day,
      name: nameDay(each.day, utcDay(now)),
      isChosen: each.day === chosen,
      ...presentUsage(each, bounds.prices),
      share: shareOf(each, bounds),
      used: inPercent(shareOf(each, bounds)),
    })),
    chosen: nameDay(chosen, utcDay(now)),
  };
}

/** Those who had the most of a day, then what is left of it, so that the rows come to the day's. */
export function presentUsers(users: UsageOfUser[], day: Usage | undefined, prices: Prices) {
  const named = users.map(({ userId, name, email, ...usage }) => ({
    key: userId,
    name,
    email,
    ...presentUsage(usage, prices),
  }));
  const all = sumOf(users);
  // Of two reads the later one may know of more.
  const left = (key: keyof Usage) => Math.max(0, (day?.[key] ?? 0) - all[key]);
  const rest = {
    calls: left('calls'),
    inputTokens: left('inputTokens'),
    outputTokens: left('outputTokens'),
  };
  const hasRest = rest.calls > 0 || rest.inputTokens + rest.outputTokens > 0;
  return hasRest
    ? [
        ...named,
        { key: 'rest', name: 'All others', email: 'also deleted accounts', ...presentUsage(rest, prices) },
      ]
    : named;
}

type RunRow = Awaited<ReturnType<typeof listLatestRuns>>[number];

const kindOf = ({ postId, scheduledFor }: RunRow) =>
  postId ? 'Written again' : scheduledFor ? 'By itself' : 'Asked for';

function outcomeOf({ status, requested, done, postId }: RunRow): string {
  if (status === 'queued') return 'Waits';
  if (status === 'running') return 'Being written';
  if (postId) return done > 0 ? 'Has a new text' : 'Kept its text';
  if (requested === 0) return 'Nothing to write';
  return `${done} of ${requested} ${requested === 1 ? 'post' : 'posts'}`;
}

/** A run with what it cost and what came of it, on the clock of its reader. */
export const presentRunRow = (run: RunRow, prices: Prices, timeZone: string) => ({
  key: run.id,
  name: run.name,
  email: run.email,
  kind: kindOf(run),
  outcome: outcomeOf(run),
  why: run.error,
  model: run.model,
  ...presentUsage({ calls: 0, ...run }, prices),
  at: { iso: run.createdAt.toISOString(), text: formatMinute(run.createdAt, timeZone) },
});
