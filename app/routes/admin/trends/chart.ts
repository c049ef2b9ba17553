import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

const WIDTH = 600;
const HEIGHT = 160;
const TICKS = 4;
const DAY_LABELS = 5;

/** Numbers of the days in the order of the days, how one is said, and the words of each where they are other ones. */
export type Series = {
  name: string;
  values: number[];
  say: (value: number) => string;
  /** How one is said beside a line, where there is little room. */
  sayShort?: (value: number) => string;
  words?: string[];
};
type ChartInput = {
  days: { name: string; short: string }[];
  bars: Series;
  over?: Series | undefined;
  isWhole: boolean;
};

const round = (value: number) => Math.round(value * 10) / 10;
const inPercent = (part: number, whole: number) => round((part / whole) * 100);

/** Every so many days one has a label, counted from the last one. */
function labelsOf(days: ChartInput['days'], at: (nth: number) => number) {
  const step = Math.ceil(days.length / DAY_LABELS);
  return days.flatMap(({ short }, nth) => {
    const before = days.length - 1 - nth;
    if (before % step !== 0) return [];
    return [{ text: short, left: inPercent(at(nth), WIDTH), isSparse: (before / step) % 2 === 1 }];
  });
}

/**
 * A chart of days as what is printed: bars, and a dashed line over them. The measures are those of `size`, which a page
 * stretches as it needs; words stand beside the picture, so that they stay as large as they are.
 */
export function drawChart({ days, bars, over, isWhole }: ChartInput) {
  const most = Math.max(...bars.values, ...(over?.values ?? []), 0);
  const y = scaleLinear([0, most || 1], [HEIGHT, 0]).nice(TICKS);
  const x = scaleBand(days.keys(), [0, WIDTH]).padding(days.length > 40 ? 0.15 : 0.25);
  const middle = (nth: number) => x(nth)! + x.bandwidth() / 2;
  const dashed = line<number>(
    (_, nth) => round(middle(nth)),
    (value) => round(y(value)),
  );
  const sayTick = bars.sayShort ?? bars.say;
  const said = ({ name, values, say, words }: Series, nth: number) =>
    `${words?.[nth] ?? say(values[nth]!)} ${name}`;
  return {
    size: { width: WIDTH, height: HEIGHT },
    barWidth: round(x.bandwidth()),
    bars: bars.values.map((value, nth) => ({
      x: round(x(nth)!),
      y: round(y(value)),
      height: round(HEIGHT - y(value)),
      title: [days[nth]!.name, said(bars, nth), ...(over ? [said(over, nth)] : [])].join(', '),
    })),
    line: over ? dashed(over.values) : null,
    ticks: y
      .ticks(TICKS)
      .filter((tick) => !isWhole || Number.isInteger(tick))
      .map((tick) => ({ y: round(y(tick)), top: inPercent(y(tick), HEIGHT), text: sayTick(tick) })),
    labels: labelsOf(days, middle),
  };
}
export type DrawnChart = ReturnType<typeof drawChart>;
