import { Coins } from 'lucide-react';
import { listEarnings } from '#app/domain/payments/ledger/revenue.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { readReplica } from '#app/http/read-replica.ts';
import { actorOf } from '#app/http/session/session.ts';
import { AdminTabs, OVERVIEW } from '#app/routes/admin/tabs.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import revenueStyles from './page.css?url';
import { listMonths, type PresentedEarnings, sumUp } from './present.ts';

const MONTHS = 24;

export const meta: Route.MetaFunction = () =>
  pageMeta('Revenue', 'What was received in each currency and in each month, and what was taken off.');

export async function loader({ context }: Route.LoaderArgs) {
  const { timeZone } = actorOf(context);
  const earned = await readReplica((db) => listEarnings(db, timeZone));
  return { totals: sumUp(earned), months: listMonths(earned, MONTHS), zone: formatTimeZone(timeZone) };
}

type Data = Route.ComponentProps['loaderData'];

export default function Revenue({ loaderData: { totals, months, zone } }: Route.ComponentProps) {
  return (
    <>
      <link rel="stylesheet" href={revenueStyles} precedence="page" />
      <PageHeader
        title="Revenue"
        description="What verified payments cost, what of that the promotion and credits for unused time took off, and what was received. Nothing is converted from one currency to another."
      />
      <AdminTabs current={OVERVIEW} />
      <div className="flex flex-col gap-6">
        <Card title="In all" className="sums">
          <Table
            caption="What was ever received in each currency"
            columns={[{ label: 'Currency', cell: ({ code }: PresentedEarnings) => code }, ...SUMS]}
            rows={totals}
            keyOf={({ code }) => code}
          />
        </Card>
        {months.length === 0 ? (
          <EmptyState
            icon={Coins}
            title="Nothing was received yet"
            text="The first payment that is verified stands here under its month."
          />
        ) : (
          <ByMonth months={months} zone={zone} />
        )}
      </div>
    </>
  );
}

type Row = Data['months'][number];

const Month = ({ month, code }: { month: string; code: string }) => (
  <span className="flex flex-col whitespace-nowrap">
    <span className="font-medium">{month}</span> <span className="text-ink-3">{code}</span>
  </span>
);

const ByMonth = ({ months, zone }: Pick<Data, 'months' | 'zone'>) => (
  <Card
    className="sums"
    title="By month"
    description={`The latest ${MONTHS} months with a payment, by the day of its verification. ${zone}.`}
  >
    <Table
      caption="What was received in each month, by currency"
      columns={[
        { label: 'Month', cell: ({ month, code }: Row) => <Month month={month} code={code} /> },
        ...SUMS,
      ]}
      rows={months}
      keyOf={({ key }) => key}
    />
  </Card>
);

const SUMS = [
  { label: 'Payments', cell: ({ count }: PresentedEarnings) => count, isNumber: true },
  { label: 'Prices', cell: ({ full }: PresentedEarnings) => full, isNumber: true },
  { label: 'Promotion', cell: ({ promo }: PresentedEarnings) => promo, isNumber: true },
  { label: 'Credit', cell: ({ credit }: PresentedEarnings) => credit, isNumber: true },
  {
    label: 'Received',
    cell: ({ paid }: PresentedEarnings) => <span className="font-semibold">{paid}</span>,
    isNumber: true,
  },
];
