import { Download, Printer, ReceiptText } from 'lucide-react';
import { data, Link, redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { recordLatePayment } from '#app/domain/payments/review/record-late-payment.ts';
import { LatePaymentInput } from '#app/domain/payments/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import { ledgerOf, PAYMENTS, SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';
import { Badge, type BadgeTone } from '#app/ui/components/badge.tsx';
import { Card, StatCard } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { Button, ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import { Time } from '#app/ui/time.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { Route } from './+types/page.ts';
import ledgerStyles from './page.css?url';
import { type PresentedLedger, presentLedger } from './present.ts';

const RecordPaymentDialog = onDemand(
  async () => (await import('./record-payment-dialog.tsx')).RecordPaymentDialog,
);

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `Ledger of ${loaderData.payer.name} – Tidepost` : 'Ledger – Tidepost' },
  { name: 'description', content: 'What one payer has paid, was given back and has left, line by line.' },
];

export async function loader({ params }: Route.LoaderArgs) {
  await RecordPaymentDialog.load();
  try {
    return presentLedger(await getLedger(db(), params.id));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(`${error.message}.`, { status: error.status });
  }
}

export const shouldRevalidate = ignoreDialogParams('take');

export function action({ request, context, params }: Route.ActionArgs) {
  const requestId = new URL(request.url).searchParams.get('take') ?? '';
  return submit({ context }, LatePaymentInput, async (input) => {
    await recordLatePayment(db(), actorOf(context), { ...input, requestId, payerId: params.id });
    setFlash(context, 'success', 'Payment taken in. Nothing begins before it is verified.');
    return redirect(PAYMENTS);
  });
}

export default function LedgerPage({ loaderData, actionData }: Route.ComponentProps) {
  const { payer, zone, sums, entries } = loaderData;
  const [query] = useSearchParams();
  const lateEntry = entries.find(({ lost }) => lost?.requestId === query.get('take'));
  return (
    <>
      <link rel="stylesheet" href={ledgerStyles} precedence="page" />
      <PageHeader
        title={`Ledger of ${payer.name}`}
        description={`${payer.email}. Everything of this account’s money, oldest first. ${zone}, where the payer is.`}
        actions={<Actions payerId={payer.id} hasEntries={entries.length > 0} />}
      />
      {sums.length > 0 && (
        <div className="stat-row mb-6">
          {sums.map(({ code, paid, payments }) => (
            <StatCard
              key={code}
              label={`Received in ${code}`}
              value={paid}
              detail={payments === 1 ? '1 verified payment' : `${payments} verified payments`}
            />
          ))}
        </div>
      )}
      {entries.length > 0 ? (
        <Card className="ledger two-rows">
          <Table
            caption="Everything of this account’s money"
            columns={COLUMNS}
            rows={entries}
            keyOf={({ key }) => key}
          />
        </Card>
      ) : (
        <EmptyState
          icon={ReceiptText}
          title="No money moved yet"
          text="As soon as this account is asked to pay for a plan, each step stands here."
        />
      )}
      {lateEntry?.lost && (
        <RecordPaymentDialog
          entry={lateEntry}
          payerName={payer.name}
          result={actionData}
          closeTo={ledgerOf(payer.id)}
        />
      )}
    </>
  );
}

function Actions({ payerId, hasEntries }: { payerId: string; hasEntries: boolean }) {
  const isHydrated = useHydrated();
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <ButtonLink to={SUBSCRIPTIONS} variant="ghost">
        All subscriptions
      </ButtonLink>
      {hasEntries && isHydrated && (
        <Button variant="secondary" onClick={() => print()}>
          <Printer aria-hidden size={18} />
          Print
        </Button>
      )}
      {hasEntries && (
        <a href={`${ledgerOf(payerId)}/ledger.csv`} className="btn btn-secondary">
          <Download aria-hidden size={18} />
          Download as CSV
        </a>
      )}
    </div>
  );
}

type Entry = PresentedLedger['entries'][number];

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

const EntryCell = ({ kind, what, by, note, span, lost }: Entry) => (
  <span className="table-lines">
    <Badge tone={TONES[kind]}>{what}</Badge>
    {span && <span>{kind === 'requested' ? `Good for ${span}` : span}</span>}
    {note && <span className="text-ink-2">{note}</span>}
    {lost && (
      <Link
        to={`?take=${lost.requestId}`}
        preventScrollReset
        className="link inline-flex min-h-11 items-center print:hidden"
      >
        Take a payment in
      </Link>
    )}
    {by && <span className="text-ink-3">by {by}</span>}
  </span>
);

const IdsCell = ({ reference, transactionId }: Entry) => (
  <span className="table-lines font-mono">
    <span className="whitespace-nowrap">{reference}</span>
    {transactionId && <span className="number text-ink-3">{transactionId}</span>}
  </span>
);

const COLUMNS = [
  { label: 'When', cell: ({ at }: Entry) => <Time {...at} /> },
  { label: 'What', cell: EntryCell },
  { label: 'Plan', cell: ({ plan }: Entry) => plan },
  { label: 'Reference, transaction', cell: IdsCell },
  {
    label: 'Amount',
    cell: ({ amount }: Entry) => <span className="font-medium whitespace-nowrap">{amount ?? '–'}</span>,
    isNumber: true,
  },
];
