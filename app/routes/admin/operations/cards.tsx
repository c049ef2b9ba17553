import { Link } from 'react-router';
import { listAddress } from '#app/routes/admin/tabs.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { Card, StatCard } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PresentedOperations } from './present.ts';

/** At most four in a row, so that the eight cards leave none alone in the last row. */
const GRID = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(max(min(9.5rem, 45%), 22%), 1fr))',
} as const;

export const Numbers = ({ numbers }: Pick<PresentedOperations, 'numbers'>) => (
  <div className="stat-row" style={GRID}>
    {numbers.map(({ label, value, detail, to }) => (
      <StatCard key={label} label={label} value={value} detail={detail} to={to} />
    ))}
  </div>
);

type Lane = PresentedOperations['lanes'][number];

/** The link reaches into the padding of its cell: large enough to touch, without a taller row. */
const IN_LINE = { marginBlock: '-0.75rem' } as const;

const JobCount = ({ lane, state }: { lane: Lane; state: 'waiting' | 'running' | 'later' }) => (
  <Link
    to={`${lane.to}&state=${state}`}
    className="link inline-flex min-h-11 items-center justify-end"
    style={{ ...IN_LINE, minWidth: '1.5rem' }}
  >
    {lane[state]}
    <span className="sr-only">
      {' '}
      {state}, {lane.lane}
    </span>
  </Link>
);

const LANE_COLUMNS = [
  {
    label: 'Lane',
    cell: ({ lane, to }: Lane) => (
      <Link to={to} className="link inline-flex min-h-11 items-center font-semibold" style={IN_LINE}>
        {lane}
      </Link>
    ),
  },
  { label: 'Waiting', cell: (lane: Lane) => <JobCount lane={lane} state="waiting" />, isNumber: true },
  { label: 'Running', cell: (lane: Lane) => <JobCount lane={lane} state="running" />, isNumber: true },
  { label: 'Later', cell: (lane: Lane) => <JobCount lane={lane} state="later" />, isNumber: true },
  { label: 'Oldest waits for', cell: ({ oldest }: Lane) => oldest, isNumber: true },
];

export const Lanes = ({ lanes }: Pick<PresentedOperations, 'lanes'>) => (
  <Card
    title="Lanes"
    description="Jobs that can begin now, that are being run, and that wait for an instant."
  >
    <Table caption="The jobs of each lane" columns={LANE_COLUMNS} rows={lanes} keyOf={({ lane }) => lane} />
  </Card>
);

export const Ticks = ({ ticks }: Pick<PresentedOperations, 'ticks'>) => (
  <Card title="Ticks" description="When each regular check last started.">
    <ul>
      {ticks.map(({ name, every, last, ago, isLate }) => (
        <li
          key={name}
          className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-t border-line py-1 text-sm tabular-nums first:border-t-0"
        >
          <span>
            <span className="font-semibold">{name}</span> <span className="text-ink-3">{every}</span>
          </span>
          <span className="flex items-center gap-2">
            {isLate && <Badge tone="danger">Late</Badge>}
            {last ? (
              <Time iso={last.iso} text={ago} title={last.text} />
            ) : (
              <span className="text-ink-3">Never yet</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  </Card>
);

export const LinkedIn = ({ linkedIn }: Pick<PresentedOperations, 'linkedIn'>) => (
  <Card
    title="LinkedIn"
    description={linkedIn.budget}
    actions={
      <Link to={listAddress('linkedin')} className="link flex min-h-11 items-center text-sm">
        Earlier days
      </Link>
    }
  >
    {linkedIn.share !== null && (
      <progress
        className="progress"
        value={linkedIn.share}
        aria-label={`${linkedIn.used} of what LinkedIn takes in a day`}
      />
    )}
    <ul>
      {linkedIn.versions.map(({ version, role, refused }) => (
        <li
          key={version}
          className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-t border-line py-1 text-sm tabular-nums first:border-t-0"
        >
          <span>
            Version <span className="font-semibold">{version}</span>{' '}
            <span className="text-ink-3">{role}</span>
          </span>
          <Badge tone={refused ? 'danger' : 'success'}>{refused ?? 'Not refused'}</Badge>
        </li>
      ))}
    </ul>
  </Card>
);
