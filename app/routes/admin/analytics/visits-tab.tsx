import { Eye } from 'lucide-react';
import { Link } from 'react-router';
import { VISITS } from '#app/routes/admin/tabs.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { EmptyState } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { VisitsPage } from './load.ts';
import type { PresentedVisits } from './present.ts';
import { Ranks } from './ranks.tsx';

const NO_CITIES =
  'The file of places that comes with Tidepost knows countries alone; GEOIP_DB names one with cities.';

export const VisitsTab = ({ sums, ranks, hasCities, recent, frequent, hasVisits }: VisitsPage) => (
  <>
    <nav aria-label="Time that is counted" className="spans">
      {sums.map(({ span, label, value, detail, isChosen }) => (
        <Link
          key={span}
          to={span === 'all' ? VISITS : `${VISITS}&span=${span}`}
          preventScrollReset
          aria-current={isChosen ? 'true' : undefined}
        >
          <span className="span-label">{label}</span> <span className="span-value">{value}</span>{' '}
          <span className="span-detail">{detail}</span>
        </Link>
      ))}
    </nav>
    {hasVisits ? (
      <div className="desk-cards">
        {ranks.map(({ title, rows }) => (
          <Ranks
            key={title}
            title={title}
            rows={rows}
            none={title === 'Cities' && !hasCities ? NO_CITIES : undefined}
          />
        ))}
        <Card title="Recent visits" className="desk-wide">
          <Table caption="Recent visits" columns={VISIT_COLUMNS} rows={recent} keyOf={({ key }) => key} />
        </Card>
        <Card
          title="Frequent visitors"
          description="Of all time, by address. One that does not come for 30 days is forgotten."
          className="desk-wide"
        >
          <Table
            caption="Frequent visitors"
            columns={VISITOR_COLUMNS}
            rows={frequent}
            keyOf={({ key }) => key}
          />
        </Card>
      </div>
    ) : (
      <EmptyState
        icon={Eye}
        title="No visits yet"
        text="Each page that somebody looks at is counted here. Robots are left out, and whoever asks not to be tracked."
      />
    )}
  </>
);

type Visit = PresentedVisits['recent'][number];
type Visitor = PresentedVisits['frequent'][number];

const VISIT_COLUMNS = [
  { label: 'When', cell: ({ at }: Visit) => <Time {...at} className="whitespace-nowrap" /> },
  { label: 'Page', cell: ({ page }: Visit) => page },
  { label: 'From', cell: ({ place }: Visit) => place },
  { label: 'With', cell: ({ agent }: Visit) => agent },
  { label: 'Address', cell: ({ address }: Visit) => address },
];

const VISITOR_COLUMNS = [
  { label: 'Address', cell: ({ address }: Visitor) => address },
  { label: 'Visits', cell: ({ count }: Visitor) => count, isNumber: true },
  { label: 'Last visit', cell: ({ at }: Visitor) => <Time {...at} className="whitespace-nowrap" /> },
  { label: 'From', cell: ({ place }: Visitor) => place },
  { label: 'With', cell: ({ agent }: Visitor) => agent },
];
