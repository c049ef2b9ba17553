import { ScrollText } from 'lucide-react';
import { Form, Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { listAuditAdmins, listAuditLog } from '#app/domain/audit.ts';
import { actorOf } from '#app/http/session.ts';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { optionsOf } from '#app/ui/options.ts';
import { EmptyState, PageHeader } from '#app/ui/page.tsx';
import { Table } from '#app/ui/table.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/audit-log.ts';
import { ACTIONS, describeEntry, nameAdmin } from './describe-audit.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Audit log – Tidepost' }];

/** The address of the log's pages for what was chosen. */
function addressOf({
  before,
  action,
  admin,
  q,
}: Record<'before' | 'action' | 'admin' | 'q', string | undefined>) {
  const chosen = Object.entries({ action, admin, q, before }).filter(([, value]) => value);
  return `?${new URLSearchParams(chosen as [string, string][])}`;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const asked = (name: string) => query.get(name) || undefined;
  const [before, action, admin, q] = [asked('before'), asked('action'), asked('admin'), asked('q')?.trim()];
  const { timeZone } = actorOf(context);
  const [{ entries, next }, admins] = await Promise.all([
    listAuditLog(db(), { before, action, adminId: admin, q }),
    listAuditAdmins(db()),
  ]);
  return {
    rows: entries.map((entry) => describeEntry(entry, timeZone)),
    older: next && addressOf({ before: next, action, admin, q }),
    chosen: { action: action ?? '', admin: admin ?? '', q: q ?? '' },
    actions: optionsOf(ACTIONS),
    admins: admins.map((each) => ({ value: each.id, label: nameAdmin(each) })),
  };
}

type Row = Route.ComponentProps['loaderData']['rows'][number];

const COLUMNS = [
  { label: 'When', cell: (row: Row) => <Time {...row.at} className="whitespace-nowrap" /> },
  { label: 'Admin', cell: (row: Row) => <span title={row.email ?? undefined}>{row.who}</span> },
  { label: 'Action', cell: (row: Row) => row.what },
  { label: 'From', cell: (row: Row) => row.where },
  { label: 'What happened', cell: (row: Row) => <Told lines={row.told} /> },
];

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { rows, older, actions, admins, chosen } = loaderData;
  const isFiltered = Object.values(chosen).some(Boolean);
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
      {admins.length > 0 && <Filters key={JSON.stringify(chosen)} {...{ actions, admins, chosen }} />}
      {rows.length === 0 ? (
        <EmptyState icon={ScrollText} {...(isFiltered ? NONE_OF_THESE : NOTHING_YET)} />
      ) : (
        <Card>
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
  text: 'Each payment that is verified or rejected, and each pause of publishing, is written down here.',
};
const NONE_OF_THESE = {
  title: 'No such entries',
  text: 'Choose another action or admin, or look for other words.',
};

type Option = { value: string; label: string };
type FiltersProps = {
  actions: Option[];
  admins: Option[];
  chosen: { action: string; admin: string; q: string };
};

const Filters = ({ actions, admins, chosen }: FiltersProps) => (
  <Form className="mb-6 flex flex-wrap items-end gap-3">
    <Choice label="Action" name="action" all="All actions" options={actions} chosen={chosen.action} />
    <Choice label="Admin" name="admin" all="All admins" options={admins} chosen={chosen.admin} />
    <label className="field">
      <span className="field-label">Words, an address or an ID</span>
      <input name="q" type="search" defaultValue={chosen.q} className="input" />
    </label>
    <SubmitButton variant="secondary">Show</SubmitButton>
  </Form>
);

type ChoiceProps = { label: string; name: string; all: string; options: Option[]; chosen: string };

const Choice = ({ label, name, all, options, chosen }: ChoiceProps) => (
  <label className="field">
    <span className="field-label">{label}</span>
    <select name={name} defaultValue={chosen} className="input select">
      <option value="">{all}</option>
      {options.map(({ value, label: option }) => (
        <option key={value} value={value}>
          {option}
        </option>
      ))}
    </select>
  </label>
);

const Told = ({ lines }: { lines: string[] }) => (
  <span className="flex flex-col gap-0.5 text-start">
    {lines.map((line) => (
      <span key={line}>{line}</span>
    ))}
  </span>
);
