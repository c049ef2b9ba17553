import { nameDay, presentTime } from '#app/domain/platform/dates.ts';
import type { listLatestRuns, Prices, Usage, UsageOfDay, UsageOfUser } from '#app/domain/writing/usage.ts';
import { formatCount } from '#app/ui/text.ts';

const MILLION = 1_000_000;
const NOTHING: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const formatPercent = (share: number) => `${Math.round(share * 100)}%`;

/** "$1.20"; null without a configured price. */
function costOf({ inputTokens, outputTokens }: Usage, prices: Prices): string | null {
  if (!prices) return null;
  const cost = (inputTokens * prices.input + outputTokens * prices.output) / MILLION;
  return cost > 0 && cost < 0.01 ? 'under $0.01' : money.format(cost);
}

const presentUsage = (usage: Usage, prices: Prices) => ({
  calls: formatCount(usage.calls),
  tokensIn: short.format(usage.inputTokens),
  tokensOut: short.format(usage.outputTokens),
  tokens: short.format(usage.inputTokens + usage.outputTokens),
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

const utcDay = (now: Date) => now.toISOString().slice(0, 10);

/** Falls back to today. */
export function parseDay(day: string | null, now: Date): string {
  const isDay = day !== null && /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  return isDay && utcDay(new Date(day)) === day ? day : utcDay(now);
}

type Bounds = { calls: number; tokens: number; prices: Prices };

/** The share of the daily limits that is used, from 0 to 1. */
const shareOf = (usage: Usage, { calls, tokens }: Bounds) =>
  Math.min(1, Math.max(usage.calls / calls, (usage.inputTokens + usage.outputTokens) / tokens));

export function presentDays(days: UsageOfDay[], bounds: Bounds, chosen: string, now: Date) {
  const today = days.find(({ day }) => day === utcDay(now)) ?? NOTHING;
  return {
    today: { ...presentUsage(today, bounds.prices), used: formatPercent(shareOf(today, bounds)) },
    ceiling: { calls: formatCount(bounds.calls), tokens: short.format(bounds.tokens) },
    sum: presentUsage(sumOf(days), bounds.prices),
    days: days.map((usage) => ({
      day: usage.day,
      name: nameDay(usage.day, utcDay(now)),
      isChosen: usage.day === chosen,
      ...presentUsage(usage, bounds.prices),
      share: shareOf(usage, bounds),
      used: formatPercent(shareOf(usage, bounds)),
    })),
    chosen: nameDay(chosen, utcDay(now)),
  };
}

/** The last row is the rest of the day, so that the rows add up to the usage of the day. */
export function presentUsers(users: UsageOfUser[], day: Usage | undefined, prices: Prices) {
  const named = users.map(({ userId, name, email, ...usage }) => ({
    key: userId,
    name,
    email,
    ...presentUsage(usage, prices),
  }));
  const sum = sumOf(users);
  // The users were read after the day, so their sum can be larger.
  const restOf = (key: keyof Usage) => Math.max(0, (day?.[key] ?? 0) - sum[key]);
  const rest = {
    calls: restOf('calls'),
    inputTokens: restOf('inputTokens'),
    outputTokens: restOf('outputTokens'),
  };
  if (rest.calls + rest.inputTokens + rest.outputTokens === 0) return named;
  const others = { key: 'rest', name: 'All others', email: 'also deleted accounts' };
  return [...named, { ...others, ...presentUsage(rest, prices) }];
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

export const presentRunRow = (run: RunRow, prices: Prices, timeZone: string) => ({
  key: run.id,
  name: run.name,
  email: run.email,
  kind: kindOf(run),
  outcome: outcomeOf(run),
  error: run.error,
  model: run.model,
  ...presentUsage({ calls: 0, ...run }, prices),
  at: presentTime(run.createdAt, timeZone),
});
