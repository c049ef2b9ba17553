import { ScrollText } from 'lucide-react';
import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { actorOf } from '#app/http/session/session.ts';
import { Card } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/page.ts';
import { AuditFilters } from './filters.tsx';
import { loadAudit } from './load.ts';
import styles from './page.css?url';

export const meta: Route.MetaFunction = () => [
  { title: 'Audit log – Tidepost' },
  { name: 'description', content: 'Who of the admins changed what, when, and what stood there before.' },
];

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadAudit(db(), actorOf(context), new URL(request.url).searchParams);

type Row = Route.ComponentProps['loaderData']['rows'][number];

/** Where there is little room, the column keeps what its longest word takes. */
const WHOLE_WORDS = { overflowWrap: 'normal' } as const;

const COLUMNS = [
  { label: 'When', cell: (row: Row) => <Time {...row.at} className="whitespace-nowrap" /> },
  {
    label: 'Admin',
    cell: (row: Row) => (
      <p className="audit-who" title={row.email ?? undefined}>
        {row.who}
      </p>
    ),
  },
  {
    label: 'Action',
    cell: (row: Row) => (
      <p className="audit-act" style={WHOLE_WORDS}>
        {row.what}
      </p>
    ),
  },
  { label: 'From', cell: (row: Row) => <p className="audit-from">{row.where}</p> },
  { label: 'What happened', cell: (row: Row) => <MessageLines lines={row.told} /> },
];

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { rows, older, admins, chosen, wrong } = loaderData;
  const isFiltered = Object.values(chosen).some(Boolean);
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <PageHeader
        title="Audit log"
        description="What admins did, newest first. Entries are never changed."
        actions={
          <ButtonLink to="/app/admin" variant="secondary">
            Back to the dashboard
          </ButtonLink>
        }
      />
      {admins.length > 0 && <AuditFilters key={JSON.stringify(chosen)} {...loaderData} />}
      {rows.length === 0 ? (
        <EmptyState icon={ScrollText} {...(wrong ? WRONG : isFiltered ? NONE_OF_THESE : NOTHING_YET)} />
      ) : (
        <Card className="audit two-rows">
          <Table caption="What admins did" columns={COLUMNS} rows={rows} keyOf={(row) => row.id} />
          {older && (
            <Link to={older} className="link mt-4">
              Older entries
            </Link>
          )}
        </Card>
      )}
    </>
  );
}

const NOTHING_YET = {
  title: 'Nothing yet',
  text: 'Whatever an admin changes for others is written down here, with what stood there before.',
};
const NONE_OF_THESE = {
  title: 'No such entries',
  text: 'Choose another action, admin or time, or look for other words.',
};
const WRONG = { title: 'Nothing is shown', text: 'Please correct the days above.' };

const MessageLines = ({ lines }: { lines: string[] }) => (
  <span className="flex flex-col gap-0.5 text-start">
    {lines.map((line) => (
      <span key={line}>{line}</span>
    ))}
  </span>
);
