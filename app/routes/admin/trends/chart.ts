import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

const WIDTH = 600;
const HEIGHT = 160;
const TICKS = 4;
const DAY_LABELS = 5;

export type Series = {
  name: string;
  /** One for each day. */
  values: number[];
  format: (value: number) => string;
  /** For the axis, where there is little room. */
  formatShort?: (value: number) => string;
  /** Texts of the values where `format` would not do: one for each day. */
  texts?: string[];
};
type ChartInput = {
  days: { name: string; short: string }[];
  bars: Series;
  overlay?: Series | undefined;
  isWhole: boolean;
};

const round = (value: number) => Math.round(value * 10) / 10;
const inPercent = (part: number, whole: number) => round((part / whole) * 100);

/** Labels every few days, counted from the last one. */
function labelsOf(days: ChartInput['days'], centerOf: (index: number) => number) {
  const step = Math.ceil(days.length / DAY_LABELS);
  return days.flatMap(({ short }, index) => {
    const fromEnd = days.length - 1 - index;
    if (fromEnd % step !== 0) return [];
    return [{ text: short, left: inPercent(centerOf(index), WIDTH), isSparse: (fromEnd / step) % 2 === 1 }];
  });
}

/**
 * The geometry of a bar chart with a dashed line over it. Its units are those of `size`, which the page stretches; the
 * texts are placed in percent, outside the SVG, so that they are not stretched.
 */
export function drawChart({ days, bars, overlay, isWhole }: ChartInput) {
  const max = Math.max(...bars.values, ...(overlay?.values ?? []), 0);
  const y = scaleLinear([0, max || 1], [HEIGHT, 0]).nice(TICKS);
  const x = scaleBand(days.keys(), [0, WIDTH]).padding(days.length > 40 ? 0.15 : 0.25);
  const centerOf = (index: number) => x(index)! + x.bandwidth() / 2;
  const linePath = line<number>(
    (_, index) => round(centerOf(index)),
    (value) => round(y(value)),
  );
  const formatTick = bars.formatShort ?? bars.format;
  const textOf = ({ name, values, format, texts }: Series, index: number) =>
    `${texts?.[index] ?? format(values[index]!)} ${name}`;
  return {
    size: { width: WIDTH, height: HEIGHT },
    barWidth: round(x.bandwidth()),
    bars: bars.values.map((value, index) => ({
      x: round(x(index)!),
      y: round(y(value)),
      height: round(HEIGHT - y(value)),
      title: [days[index]!.name, textOf(bars, index), ...(overlay ? [textOf(overlay, index)] : [])].join(
        ', ',
      ),
    })),
    line: overlay ? linePath(overlay.values) : null,
    ticks: y
      .ticks(TICKS)
      .filter((tick) => !isWhole || Number.isInteger(tick))
      .map((tick) => ({ y: round(y(tick)), top: inPercent(y(tick), HEIGHT), text: formatTick(tick) })),
    labels: labelsOf(days, centerOf),
  };
}
export type DrawnChart = ReturnType<typeof drawChart>;
