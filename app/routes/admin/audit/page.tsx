import { ScrollText } from 'lucide-react';
import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { actorOf } from '#app/http/session/session.ts';
import { Card } from '#app/ui/components/card.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/page.ts';
import { AuditFilters } from './filters.tsx';
import { loadAudit } from './load.ts';
import styles from './page.css?url';

export const meta: Route.MetaFunction = () =>
  pageMeta('Audit log', 'Who of the admins changed what, when, and what stood there before.');

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadAudit(db(), actorOf(context), new URL(request.url).searchParams);

type Row = Route.ComponentProps['loaderData']['rows'][number];

/** Keeps the column as wide as its longest word. */
const WHOLE_WORDS = { overflowWrap: 'normal' } as const;

const COLUMNS = [
  { label: 'When', cell: (row: Row) => <Time {...row.at} className="whitespace-nowrap" /> },
  {
    label: 'Admin',
    cell: (row: Row) => (
      <p className="audit-who" title={row.email ?? undefined}>
        {row.admin}
      </p>
    ),
  },
  {
    label: 'Action',
    cell: (row: Row) => (
      <p className="audit-act" style={WHOLE_WORDS}>
        {row.action}
      </p>
    ),
  },
  { label: 'From', cell: (row: Row) => <p className="audit-from">{row.network}</p> },
  {
    label: 'What happened',
    cell: (row: Row) => (
      <span className="flex flex-col gap-0.5 text-start">
        {row.messages.map((message) => (
          <span key={message}>{message}</span>
        ))}
      </span>
    ),
  },
];

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { rows, older, admins, chosen, errors } = loaderData;
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
        <EmptyState icon={ScrollText} {...(errors ? INVALID : isFiltered ? NO_MATCH : EMPTY)} />
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

const EMPTY = {
  title: 'Nothing yet',
  text: 'Whatever an admin changes for others is written down here, with what stood there before.',
};
const NO_MATCH = {
  title: 'No such entries',
  text: 'Choose another action, admin or time, or look for other words.',
};
const INVALID = { title: 'Nothing is shown', text: 'Please correct the days above.' };
