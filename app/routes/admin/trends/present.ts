import { formatCount } from '#app/ui/text.ts';
import { drawChart, type Series } from './chart.ts';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const shortDay = inUtc({ month: 'short', day: 'numeric' });
const fullDay = inUtc({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

export function compare(sum: number, before: number, dayCount: number): string {
  const period = `the ${dayCount} days before`;
  if (before === 0) return sum === 0 ? `as in ${period}` : `after none in ${period}`;
  const change = Math.round(((sum - before) / before) * 100);
  if (change === 0) return `about as much as in ${period}`;
  return `${change > 0 ? 'up' : 'down'} ${formatCount(Math.abs(change))}% on ${period}`;
}

/** `rows` leaves out the days without a value. */
type Figures = Pick<Series, 'name' | 'formatShort'> & {
  rows: { day: string; value: number }[];
  format?: Series['format'];
};
export type Trend = {
  key: string;
  title: string;
  text: string;
  bars: Figures;
  overlay?: Figures;
  isWhole?: boolean;
  /** Values that can't be added up: the worst day counts instead of the sum, and a missing day is unknown, not zero. */
  isMeasured?: boolean;
};

function seriesOf(
  { name, rows, format = formatCount, formatShort }: Figures,
  days: string[],
  isMeasured: boolean,
) {
  const values = new Map(rows.map(({ day, value }) => [day, value]));
  return {
    name,
    format,
    formatShort: formatShort ?? (format === formatCount ? compact.format : format),
    texts: days.map((day) => (isMeasured && !values.has(day) ? '–' : format(values.get(day) ?? 0))),
    values: days.map((day) => values.get(day) ?? 0),
  } satisfies Series;
}

/** `days`: the days of the chart, and as many before them to compare with. */
export function presentTrend(
  { key, title, text, isWhole = true, isMeasured = false, ...figures }: Trend,
  days: string[],
) {
  const shownDays = days.slice(days.length / 2);
  const bars = seriesOf(figures.bars, shownDays, isMeasured);
  const overlay = figures.overlay && seriesOf(figures.overlay, shownDays, isMeasured);
  const compared = (isMeasured && figures.overlay) || figures.bars;
  const total = (period: string[]) => {
    const { values } = seriesOf(compared, period, isMeasured);
    return isMeasured ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0);
  };
  const sum = total(shownDays);
  const named = shownDays.map((day) => ({
    name: fullDay.format(new Date(day)),
    short: shortDay.format(new Date(day)),
  }));
  const change = compare(sum, total(days.slice(0, days.length / 2)), shownDays.length);
  const trend = isMeasured ? `${compared.name} of the worst day, ${change}` : change;
  const all = overlay ? [bars, overlay] : [bars];
  return {
    key,
    title,
    text,
    sum: bars.format(sum),
    trend,
    names: all.map(({ name }) => name),
    finding: `${title} of the last ${shownDays.length} days: ${bars.format(sum)} ${isMeasured ? trend : `${bars.name}, ${trend}`}`,
    chart: all.some(({ values }) => values.some((value) => value > 0))
      ? drawChart({ days: named, bars, overlay, isWhole })
      : null,
    rows: shownDays
      .map((day, index) => ({ day, name: named[index]!.name, values: all.map(({ texts }) => texts[index]!) }))
      .reverse(),
  };
}
export type PresentedTrend = ReturnType<typeof presentTrend>;
