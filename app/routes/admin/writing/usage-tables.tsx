import type { ReactNode } from 'react';
import { Address, Table } from '#app/ui/components/table.tsx';
import { Time } from '#app/ui/time.tsx';
import type { describeRunRow, describeUsers, ShownUsage } from './present.ts';

type User = ReturnType<typeof describeUsers>[number];
type Run = ReturnType<typeof describeRunRow>;

const Person = ({ name, email }: { name: string; email: string }) => (
  <span className="table-lines">
    <span className="font-semibold">{name}</span>
    <Address>{email}</Address>
  </span>
);

const Short = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-nowrap">{children}</span>
);

const Tokens = ({ tokensIn, tokensOut }: ShownUsage) => (
  <span className="flex flex-col whitespace-nowrap">
    <span>{tokensIn} in</span>
    <span>{tokensOut} out</span>
  </span>
);

const TOKENS = { label: 'Tokens', cell: (row: ShownUsage) => <Tokens {...row} />, isNumber: true };
const COST = { label: 'About', cell: (row: ShownUsage) => <Short>{row.cost}</Short>, isNumber: true };

/** What each row costs, where the price is known. */
const withCost = (rows: ShownUsage[]) => (rows[0]?.cost == null ? [TOKENS] : [TOKENS, COST]);

export const UsersTable = ({ users }: { users: User[] }) => (
  <Table
    caption="Who asked the writer on the chosen day, the most tokens first"
    columns={[
      { label: 'Who', cell: (row: User) => <Person {...row} /> },
      { label: 'Calls', cell: (row: User) => <Short>{row.calls}</Short>, isNumber: true },
      ...withCost(users),
    ]}
    rows={users}
    keyOf={({ key }) => key}
  />
);

const Begun = ({ at, kind, ...run }: Run) => (
  <span className="table-lines">
    <Person {...run} />
    <span className="text-ink-3">
      <Time {...at} className="whitespace-nowrap" /> · {kind}
    </span>
  </span>
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
      { label: 'For, begun', cell: (row: Run) => <Begun {...row} /> },
      { label: 'What came of it', cell: (row: Run) => <Outcome {...row} /> },
      ...withCost(runs),
    ]}
    rows={runs}
    keyOf={({ key }) => key}
  />
);
