import { drawChart, type Series } from './chart.ts';

const inDigits = (count: number) => count.toLocaleString('en-US');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const short = inUtc({ month: 'short', day: 'numeric' });
const whole = inUtc({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** How the sum of some days stands beside that of as many days before them. */
export function compare(sum: number, before: number, howMany: number): string {
  const those = `the ${howMany} days before`;
  if (before === 0) return sum === 0 ? `as in ${those}` : `after none in ${those}`;
  const change = Math.round(((sum - before) / before) * 100);
  if (change === 0) return `about as much as in ${those}`;
  return `${change > 0 ? 'up' : 'down'} ${inDigits(Math.abs(change))}% on ${those}`;
}

/** The numbers of one name, of days that are listed only where there was something. */
type Numbers = Pick<Series, 'name' | 'sayShort'> & {
  rows: { day: string; value: number }[];
  say?: Series['say'];
};
export type Trend = {
  key: string;
  title: string;
  text: string;
  bars: Numbers;
  over?: Numbers;
  isWhole?: boolean;
  /** Nothing of it adds up: the worst day stands for all, and a day that is not listed has no number. */
  isMeasured?: boolean;
};

function seriesOf({ name, rows, say, sayShort }: Numbers, days: string[], isMeasured: boolean) {
  const told = { say: say ?? inDigits, sayShort: sayShort ?? say ?? compact.format };
  const known = new Map(rows.map(({ day, value }) => [day, value]));
  const words = days.map((day) => (isMeasured && !known.has(day) ? '–' : told.say(known.get(day) ?? 0)));
  return { name, ...told, words, values: days.map((day) => known.get(day) ?? 0) } satisfies Series;
}

/** A chart with its words and its table. `days` are those shown and as many before them. */
export function presentTrend(
  { key, title, text, isWhole = true, isMeasured = false, ...of }: Trend,
  days: string[],
) {
  const shown = days.slice(days.length / 2);
  const bars = seriesOf(of.bars, shown, isMeasured);
  const over = of.over && seriesOf(of.over, shown, isMeasured);
  const told = isMeasured && of.over ? of.over : of.bars;
  const inAll = (some: string[]) => {
    const { values } = seriesOf(told, some, isMeasured);
    return isMeasured ? Math.max(...values) : sumOf(values);
  };
  const sum = inAll(shown);
  const before = inAll(days.slice(0, days.length / 2));
  const named = shown.map((day) => ({
    name: whole.format(new Date(day)),
    short: short.format(new Date(day)),
  }));
  const change = compare(sum, before, shown.length);
  const trend = isMeasured ? `${told.name} of the worst day, ${change}` : change;
  const inWords = bars.say(sum);
  const all = over ? [bars, over] : [bars];
  return {
    key,
    title,
    text,
    sum: inWords,
    trend,
    names: all.map(({ name }) => name),
    finding: `${title} of the last ${shown.length} days: ${inWords} ${isMeasured ? trend : `${bars.name}, ${trend}`}`,
    chart: all.some(({ values }) => values.some((value) => value > 0))
      ? drawChart({ days: named, bars, over, isWhole })
      : null,
    lines: shown
      .map((day, nth) => ({
        day,
        name: named[nth]!.name,
        values: all.map(({ words }) => words[nth]!),
      }))
      .reverse(),
  };
}
export type PresentedTrend = ReturnType<typeof presentTrend>;
