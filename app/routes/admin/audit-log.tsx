import { ScrollText } from 'lucide-react';
import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { listAuditLog } from '#app/domain/audit.ts';
import { formatMinute } from '#app/domain/dates.ts';
import { actorOf } from '#app/http/session.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { EmptyState, PageHeader } from '#app/ui/page.tsx';
import { Table } from '#app/ui/table.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/audit-log.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Audit log – Tidepost' }];

const ACTIONS: Record<string, string> = {
  'payment.verified': 'Verified a payment',
  'payment.rejected': 'Rejected a payment',
  'publishing.paused': 'Paused publishing',
  'publishing.resumed': 'Resumed publishing',
};

/** "transactionId" as people write it. */
function inWords(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bid$/, 'ID');
  return words[0]!.toUpperCase() + words.slice(1);
}

/** An instant of the log's JSON as the admin's clock shows it; anything else as it stands. */
function readable(value: unknown, timeZone: string): string {
  const isInstant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return isInstant ? formatMinute(new Date(value), timeZone) : String(value);
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const before = new URL(request.url).searchParams.get('before') ?? undefined;
  const { timeZone } = actorOf(context);
  const { entries, next } = await listAuditLog(db(), { before });
  const rows = entries.map(({ id, action, detail, createdAt, ...admin }) => ({
    ...{ id, what: ACTIONS[action] ?? action, who: admin.adminName ?? 'A deleted account' },
    ...{
      email: admin.adminEmail,
      detail: Object.entries(detail).map(([key, value]) => [inWords(key), readable(value, timeZone)]),
    },
    at: { iso: createdAt.toISOString(), text: formatMinute(createdAt, timeZone) },
  }));
  return { rows, next };
}

type Row = Route.ComponentProps['loaderData']['rows'][number];

const COLUMNS = [
  { label: 'When', cell: (row: Row) => <Time {...row.at} className="whitespace-nowrap" /> },
  { label: 'Admin', cell: (row: Row) => <span title={row.email ?? undefined}>{row.who}</span> },
  { label: 'Action', cell: (row: Row) => row.what },
  { label: 'Details', cell: (row: Row) => <Detail pairs={row.detail} /> },
];

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { rows, next } = loaderData;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="What admins did, newest first. Entries are never changed."
        actions={
          <ButtonLink to="/app/admin" variant="secondary">
            Back to the dashboard
          </ButtonLink>
        }
      />
      {rows.length === 0 ? (
        <EmptyState
          icon={ScrollText}
          title="Nothing yet"
          text="Each payment that is verified or rejected, and each pause of publishing, is written down here."
        />
      ) : (
        <Card>
          <Table caption="What admins did" columns={COLUMNS} rows={rows} keyOf={(row) => row.id} />
          {next && (
            <Link to={`?before=${next}`} className="link mt-4">
              Older entries
            </Link>
          )}
        </Card>
      )}
    </>
  );
}

const Detail = ({ pairs }: { pairs: string[][] }) => (
  <span className="flex flex-col gap-0.5 text-start">
    {pairs.map(([key, value]) => (
      <span key={key}>
        <span className="text-ink-3">{key}</span> {value}
      </span>
    ))}
  </span>
);
