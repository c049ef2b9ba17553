import { Link } from 'react-router';
import { Badge, type BadgeTone } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { Time } from '#app/ui/time.tsx';
import type { DescribedLedger } from './present.ts';

type Entry = DescribedLedger['entries'][number];

const TONES: Record<Entry['kind'], BadgeTone> = {
  requested: 'neutral',
  submitted: 'info',
  verified_first: 'info',
  verified: 'success',
  rejected: 'danger',
  credited: 'brand',
  period: 'neutral',
  cancelled: 'warning',
};

const TakeLink = ({ requestId }: { requestId: string }) => (
  <Link
    to={`?take=${requestId}`}
    preventScrollReset
    className="link inline-flex min-h-11 items-center print:hidden"
  >
    Take a payment in
  </Link>
);

const What = ({ kind, what, by, note, span, lost }: Entry) => (
  <span className="table-lines">
    <Badge tone={TONES[kind]}>{what}</Badge>
    {span && <span>{kind === 'requested' ? `Good for ${span}` : span}</span>}
    {note && <span className="text-ink-2">{note}</span>}
    {lost && <TakeLink requestId={lost.requestId} />}
    {by && <span className="text-ink-3">by {by}</span>}
  </span>
);

const Ids = ({ reference, transactionId }: Entry) => (
  <span className="table-lines font-mono">
    <span className="whitespace-nowrap">{reference}</span>
    {transactionId && <span className="number text-ink-3">{transactionId}</span>}
  </span>
);

const COLUMNS = [
  { label: 'When', cell: ({ at }: Entry) => <Time {...at} /> },
  { label: 'What', cell: What },
  { label: 'Plan', cell: ({ plan }: Entry) => plan },
  { label: 'Reference, transaction', cell: Ids },
  {
    label: 'Amount',
    cell: ({ amount }: Entry) => <span className="font-medium whitespace-nowrap">{amount ?? '–'}</span>,
    isNumber: true,
  },
];

export const LedgerTable = ({ entries }: { entries: Entry[] }) => (
  <Card className="ledger two-rows">
    <Table
      caption="Everything of this account’s money"
      columns={COLUMNS}
      rows={entries}
      keyOf={({ key }) => key}
    />
  </Card>
);
