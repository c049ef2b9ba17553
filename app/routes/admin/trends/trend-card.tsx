import { Card } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { capitalised } from '#app/ui/text.ts';
import type { DrawnChart } from './chart.ts';
import type { PresentedTrend } from './present.ts';

export const TrendCard = ({ title, text, sum, trend, ...details }: Omit<PresentedTrend, 'key'>) => (
  <Card title={title} description={text}>
    {details.chart ? (
      <>
        <p className="trend-sum">
          <strong>{sum}</strong> <span>{trend}</span>
        </p>
        <Chart {...details.chart} finding={details.finding} />
        {details.names.length > 1 && <Legend names={details.names} />}
        <TrendTable title={title} names={details.names} rows={details.rows} />
      </>
    ) : (
      <p className="text-sm text-ink-2">Nothing yet</p>
    )}
  </Card>
);

const Chart = ({ size, bars, barWidth, line, ticks, labels, finding }: DrawnChart & { finding: string }) => (
  <div className="trend">
    <div className="trend-ticks" aria-hidden="true">
      {ticks.map(({ top, text }) => (
        <span key={top} style={{ top: `${top}%` }}>
          {text}
        </span>
      ))}
    </div>
    <svg role="img" viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none">
      <title>{finding}</title>
      {ticks.map(({ y }) => (
        <path key={y} className="trend-grid" d={`M0,${y}H${size.width}`} />
      ))}
      {bars.map(({ x, y, height, title }) => (
        <rect key={x} className="trend-bar" x={x} y={y} width={barWidth} height={height}>
          <title>{title}</title>
        </rect>
      ))}
      {line && <path className="trend-line is-under" d={line} />}
      {line && <path className="trend-line" d={line} />}
    </svg>
    <div className="trend-days" aria-hidden="true">
      {labels.map(({ text, left, isSparse }) => (
        <span key={left} className={isSparse ? 'is-sparse' : undefined} style={{ left: `${left}%` }}>
          {text}
        </span>
      ))}
    </div>
  </div>
);

const Legend = ({ names: [bars, line] }: Pick<PresentedTrend, 'names'>) => (
  <p className="trend-legend">
    <span className="is-bars">Bars: {bars}</span> <span className="is-line">Dashed line: {line}</span>
  </p>
);

type Row = PresentedTrend['rows'][number];

const TrendTable = ({ title, names, rows }: Pick<PresentedTrend, 'title' | 'names' | 'rows'>) => (
  <details className="trend-table">
    <summary>
      Show as table<span className="sr-only">: {title}</span>
    </summary>
    <Table
      caption={`${title} by day, the latest first`}
      columns={[
        { label: 'Day', cell: ({ name }: Row) => name },
        ...names.map((name, index) => ({
          label: capitalised(name),
          isNumber: true,
          cell: ({ values }: Row) => values[index],
        })),
      ]}
      rows={rows}
      keyOf={({ day }) => day}
    />
  </details>
);
