import { Table } from '#app/ui/table.tsx';
import { Time } from '#app/ui/time.tsx';
import type { describeRunRow, describeUsers, ShownUsage } from './describe-usage.ts';

type User = ReturnType<typeof describeUsers>[number];
type Run = ReturnType<typeof describeRunRow>;

const Person = ({ name, email }: { name: string; email: string }) => (
  <span className="flex flex-col">
    <span className="font-semibold">{name}</span>
    <span className="text-ink-3">{email}</span>
  </span>
);

const TOKENS = [
  { label: 'In', cell: (row: ShownUsage) => row.tokensIn, isNumber: true },
  { label: 'Out', cell: (row: ShownUsage) => row.tokensOut, isNumber: true },
];
const COST = { label: 'About', cell: (row: ShownUsage) => row.cost, isNumber: true };

/** What each row costs, where the price is known. */
const withCost = (rows: ShownUsage[]) => (rows[0]?.cost == null ? TOKENS : [...TOKENS, COST]);

export const UsersTable = ({ users }: { users: User[] }) => (
  <Table
    caption="Who asked the writer on the chosen day, the most tokens first"
    columns={[
      { label: 'Who', cell: (row: User) => <Person {...row} /> },
      { label: 'Calls', cell: (row: User) => row.calls, isNumber: true },
      ...withCost(users),
    ]}
    rows={users}
    keyOf={({ key }) => key}
  />
);

const Outcome = ({ outcome, why, model }: Run) => (
  <span className="flex flex-col">
    <span className="font-semibold">{outcome}</span>
    {why && <span>{`${why}.`}</span>}
    {model && <span className="text-ink-3">{model}</span>}
  </span>
);

export const RunsTable = ({ runs }: { runs: Run[] }) => (
  <Table
    caption="What was begun last, and what came of it"
    columns={[
      { label: 'Begun', cell: (row: Run) => <Time {...row.at} /> },
      { label: 'For', cell: (row: Run) => <Person {...row} /> },
      { label: 'How', cell: (row: Run) => row.kind },
      { label: 'What came of it', cell: (row: Run) => <Outcome {...row} /> },
      ...withCost(runs),
    ]}
    rows={runs}
    keyOf={({ key }) => key}
  />
);
