import { Link } from 'react-router';
import { STATUS_WORDS } from '#app/routes/admin/status-words.ts';
import { Badge, type BadgeTone } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { Address, Table } from '#app/ui/components/table.tsx';
import { Time } from '#app/ui/time.tsx';
import type { ListedSubscription } from './present.ts';

const TONES: Record<ListedSubscription['status'], BadgeTone> = {
  pending: 'warning',
  active: 'success',
  expired: 'neutral',
  cancelled: 'neutral',
  rejected: 'danger',
};

const Payer = ({ payer, email, ledger }: ListedSubscription) => (
  <span className="table-lines">
    {ledger ? (
      <Link to={ledger} className="payer-link link font-semibold">
        {payer}
        <span className="sr-only">: ledger</span>
      </Link>
    ) : (
      <span className="text-ink-2">{payer}</span>
    )}
    {email && <Address>{email}</Address>}
  </span>
);

const Plan = ({ plan, posts, amount, method }: ListedSubscription) => (
  <span className="table-lines">
    <span className="font-medium whitespace-nowrap">{plan}</span>
    <span className="whitespace-nowrap text-ink-2">{posts}</span>
    <span className="whitespace-nowrap text-ink-3">
      {amount} by {method}
    </span>
  </span>
);

const State = ({ status, isCancelled, rejectReason, period }: ListedSubscription) => (
  <span className="table-lines">
    <Badge tone={TONES[status]}>{STATUS_WORDS[status]}</Badge>
    {period && <span className="text-ink-2">{period}</span>}
    {isCancelled && <span className="text-ink-3">Cancelled: ends then</span>}
    {rejectReason && <span className="text-ink-3">{rejectReason}</span>}
  </span>
);

const Ids = ({ reference, transactionId }: ListedSubscription) => (
  <span className="table-lines font-mono">
    <span className="whitespace-nowrap">{reference}</span>
    <span className="number text-ink-3">{transactionId}</span>
  </span>
);

const COLUMNS = [
  { label: 'Payer', cell: Payer },
  { label: 'Plan, amount', cell: Plan },
  { label: 'State', cell: State },
  { label: 'Reference, transaction', cell: Ids },
  { label: 'Submitted', cell: ({ at }: ListedSubscription) => <Time {...at} /> },
];

export const SubscriptionTable = ({ plans }: { plans: ListedSubscription[] }) => (
  <Card className="plans two-rows">
    <Table caption="Everybody’s plans" columns={COLUMNS} rows={plans} keyOf={({ id }) => id} />
  </Card>
);
