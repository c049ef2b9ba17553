import { MousePointerClick } from 'lucide-react';
import { Card, StatCard } from '#app/ui/components/card.tsx';
import { Address, Table } from '#app/ui/components/table.tsx';
import { EmptyState } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { EmailPage } from './load.ts';
import { Ranks } from './ranks.tsx';

export const EmailTab = ({ sums, recent, top, ranks }: EmailPage) => (
  <>
    <div className="stat-row mb-6">
      {sums.map(({ label, value, detail }) => (
        <StatCard key={label} label={label} value={value} detail={detail} />
      ))}
    </div>
    {recent.length === 0 ? (
      <EmptyState
        icon={MousePointerClick}
        title="No clicks yet"
        text="When somebody opens a link of one of our mails, it is counted here, once an hour for each page."
      />
    ) : (
      <div className="desk-cards">
        <Card title="Recent clicks" className="desk-wide">
          <Table caption="Recent clicks" columns={CLICKS} rows={recent} keyOf={({ key }) => key} />
        </Card>
        <Card title="Top clickers" className="desk-wide">
          <Table caption="Top clickers" columns={CLICKERS} rows={top} keyOf={({ key }) => key} />
        </Card>
        {ranks.map(({ title, rows }) => (
          <Ranks key={title} title={title} rows={rows} />
        ))}
      </div>
    )}
  </>
);

type Click = EmailPage['recent'][number];
type Clicker = EmailPage['top'][number];

const CLICKS = [
  { label: 'When', cell: ({ at }: Click) => <Time {...at} className="whitespace-nowrap" /> },
  { label: 'Email', cell: ({ email }: Click) => <Address>{email}</Address> },
  { label: 'With', cell: ({ agent }: Click) => agent },
];

const CLICKERS = [
  { label: 'Email', cell: ({ email }: Clicker) => <Address>{email}</Address> },
  { label: 'Clicks', cell: ({ count }: Clicker) => count, isNumber: true },
  { label: 'Last click', cell: ({ at }: Clicker) => <Time {...at} className="whitespace-nowrap" /> },
];
