import { PenLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import {
  listLatestRuns,
  listWriterDays,
  listWriterUsers,
  readWriterLimits,
} from '#app/domain/writing/usage.ts';
import { actorOf } from '#app/http/session/session.ts';
import styles from '#app/routes/admin/tables.css?url';
import { AdminTabs, WRITING } from '#app/routes/admin/tabs.tsx';
import { Card, StatCard } from '#app/ui/components/card.tsx';
import { Address, Table } from '#app/ui/components/table.tsx';
import { cx } from '#app/ui/cx.ts';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { Banner, EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/page.ts';
import { type PresentedUsage, parseDay, presentDays, presentRunRow, presentUsers } from './present.ts';

const DAYS = 30;
const USERS = 10;
const RUNS = 12;

export const meta: Route.MetaFunction = () =>
  pageMeta('Writing', 'How posts are written: calls to the model, their tokens and what they cost.');

export async function loader({ request, context }: Route.LoaderArgs) {
  const now = new Date();
  const { timeZone } = actorOf(context);
  const day = parseDay(new URL(request.url).searchParams.get('day'), now);
  const [days, users, runs, faults] = await Promise.all([
    listWriterDays(db(), DAYS, now),
    listWriterUsers(db(), day, USERS),
    listLatestRuns(db(), RUNS),
    listOperatorFaults(db()),
  ]);
  const bounds = readWriterLimits();
  return {
    ...presentDays(days, bounds, day, now),
    users: presentUsers(
      users,
      days.find((usage) => usage.day === day),
      bounds.prices,
    ),
    runs: runs.map((run) => presentRunRow(run, bounds.prices, timeZone)),
    zone: formatTimeZone(timeZone),
    faults: faults.flatMap(({ key, message }) => (key.startsWith('writer') ? { key, message } : [])),
  };
}

export default function Writing({ loaderData }: Route.ComponentProps) {
  const { faults, runs, days, zone } = loaderData;
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <PageHeader
        title="Writing"
        description={`What the writer is asked for, by whom, and what comes of it. ${zone}, days in UTC.`}
      />
      {faults.map(({ key, message }) => (
        <Banner key={key} tone="danger" title="Something needs the operator" className="mb-3">
          {message}
        </Banner>
      ))}
      <AdminTabs current={WRITING} />
      {runs.length === 0 && days.length === 0 ? (
        <EmptyState
          icon={PenLine}
          title="Nothing was written yet"
          text="As soon as somebody has a post written, its calls and tokens stand here."
        />
      ) : (
        <UsageCards {...loaderData} />
      )}
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

const UsageCards = (data: Data) => (
  <div className="flex flex-col gap-6">
    <Figures {...data} />
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <Card id="who" title={`Who asked: ${data.chosen}`}>
          {data.users.length > 0 ? (
            <UsersTable users={data.users} />
          ) : (
            <p className="text-sm text-ink-2">Nobody did</p>
          )}
        </Card>
        <Card title="The latest runs">
          {data.runs.length > 0 ? (
            <RunsTable runs={data.runs} />
          ) : (
            <p className="text-sm text-ink-2">Nothing yet</p>
          )}
        </Card>
      </div>
      <Days {...data} />
    </div>
  </div>
);

const Figures = ({ today, ceiling, sum }: Data) => (
  <div className="stat-row">
    <StatCard label="Calls today" value={today.calls} detail={`of ${ceiling.calls} a day`} />
    <StatCard label="Tokens today" value={today.tokens} detail={`of ${ceiling.tokens} a day`} />
    <StatCard
      label="Used of today"
      value={today.used}
      detail={today.cost ? `about ${today.cost}` : 'of the ceiling'}
    />
    <StatCard
      label={`Last ${DAYS} days`}
      value={sum.cost ? `about ${sum.cost}` : `${sum.tokens} tokens`}
      detail={`${sum.calls} calls, ${sum.tokensIn} in, ${sum.tokensOut} out`}
    />
  </div>
);

const Days = ({ days }: Data) => (
  <Card
    title={`The last ${DAYS} days`}
    description="Calls and tokens. The bar is what was used of the ceiling."
  >
    {days.length === 0 && <p className="text-sm text-ink-2">Nothing yet</p>}
    <ul className="flex flex-col">
      {days.map(({ day, name, isChosen, calls, tokens, cost, share, used }) => (
        <li key={day} className="border-t border-line py-1 first:border-t-0">
          <Link
            to={`${WRITING}?day=${day}#who`}
            aria-current={isChosen ? 'true' : undefined}
            className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 text-sm tabular-nums"
          >
            <span className={cx('font-semibold', isChosen && 'text-brand-ink')}>{name}</span>
            <span className="text-ink-2">
              {calls} calls, {tokens}
              {cost && `, ${cost}`}
            </span>
            <progress className="progress" value={share} aria-label={`${used} of the ceiling`} />
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);

type User = ReturnType<typeof presentUsers>[number];
type Run = ReturnType<typeof presentRunRow>;

const UserCell = ({ name, email }: { name: string; email: string }) => (
  <span className="table-lines">
    <span className="font-semibold">{name}</span>
    <Address>{email}</Address>
  </span>
);

const Short = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-nowrap">{children}</span>
);

const Tokens = ({ tokensIn, tokensOut }: PresentedUsage) => (
  <span className="flex flex-col whitespace-nowrap">
    <span>{tokensIn} in</span>
    <span>{tokensOut} out</span>
  </span>
);

const TOKENS = { label: 'Tokens', cell: (row: PresentedUsage) => <Tokens {...row} />, isNumber: true };
const COST = { label: 'About', cell: (row: PresentedUsage) => <Short>{row.cost}</Short>, isNumber: true };

/** The cost is known only where a price is configured. */
const usageColumns = (rows: PresentedUsage[]) => (rows[0]?.cost == null ? [TOKENS] : [TOKENS, COST]);

const UsersTable = ({ users }: { users: User[] }) => (
  <Table
    caption="Who asked the writer on the chosen day, the most tokens first"
    columns={[
      { label: 'Who', cell: (row: User) => <UserCell {...row} /> },
      { label: 'Calls', cell: (row: User) => <Short>{row.calls}</Short>, isNumber: true },
      ...usageColumns(users),
    ]}
    rows={users}
    keyOf={({ key }) => key}
  />
);

const RunCell = ({ at, kind, ...run }: Run) => (
  <span className="table-lines">
    <UserCell {...run} />
    <span className="text-ink-3">
      <Time {...at} className="whitespace-nowrap" /> · {kind}
    </span>
  </span>
);

const OutcomeCell = ({ outcome, error, model }: Run) => (
  <span className="flex flex-col">
    <span className="font-semibold">{outcome}</span>
    {error && <span>{`${error}.`}</span>}
    {model && <span className="text-ink-3">{model}</span>}
  </span>
);

const RunsTable = ({ runs }: { runs: Run[] }) => (
  <Table
    caption="What was begun last, and what came of it"
    columns={[
      { label: 'For, begun', cell: (row: Run) => <RunCell {...row} /> },
      { label: 'What came of it', cell: (row: Run) => <OutcomeCell {...row} /> },
      ...usageColumns(runs),
    ]}
    rows={runs}
    keyOf={({ key }) => key}
  />
);
