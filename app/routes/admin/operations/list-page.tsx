import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { actorOf } from '#app/http/session/session.ts';
import {
  jobAddress,
  listAddress,
  OPERATION_LISTS,
  OPERATIONS,
  type OperationList,
} from '#app/routes/admin/tabs.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/list-page.ts';
import { type Line, loadOperationsList } from './load-list.ts';

export const meta: Route.MetaFunction = () => [
  { title: 'Behind the numbers – Tidepost' },
  { name: 'description', content: 'The jobs, posts and mails behind a number of the operations page.' },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const { timeZone } = actorOf(context);
  const shown = await loadOperationsList(db(), query, timeZone, new Date());
  return { ...shown, zone: shown.list === 'linkedin' ? '' : ` ${formatTimeZone(timeZone)}.` };
}

type Words = { label: string; title: string; text: string; empty: string };

const WORDS: Record<OperationList, Words> = {
  due: {
    label: 'Due posts',
    title: 'Posts that are due',
    empty: 'No post is due',
    text: 'Their time has come and they are not out, the oldest first. What may not go out is not among them.',
  },
  unknown: {
    label: 'Unknown',
    title: 'Unknown publications',
    empty: 'Every attempt is known',
    text: 'LinkedIn has left it open whether these are there. A worker finds out within nine minutes, or their owners are asked.',
  },
  unconfirmed: {
    label: 'Left to owners',
    title: 'Left to their owners',
    empty: 'Nobody is asked',
    text: 'Nobody but their owners can say whether these are on LinkedIn.',
  },
  mails: {
    label: 'Mails',
    title: 'Mails that wait',
    empty: 'No mail waits',
    text: 'Still to be sent, the oldest first. One that cannot be sent for a day is given up.',
  },
  dead: {
    label: 'Dead jobs',
    title: 'Dead jobs',
    empty: 'No job is dead',
    text: 'Every try failed. Retry begins a job again with all its tries; Discard gives it up.',
  },
  jobs: {
    label: 'Lanes',
    title: 'Jobs of a lane',
    empty: 'The lane is empty',
    text: 'What the queue holds, in the order in which it was added.',
  },
  linkedin: {
    label: 'LinkedIn',
    title: 'What LinkedIn was asked for',
    empty: 'LinkedIn was asked for nothing',
    text: 'The last 30 days, in UTC, as its daily limits count.',
  },
};

/** An instant is read in one line. */
const cellOf = (text: string | undefined, at: number) =>
  at === 0 ? <span className="whitespace-nowrap">{text}</span> : text;

const columnsOf = (heads: string[]) =>
  heads.map((label, at) => ({ label, cell: ({ cells }: Line) => cellOf(cells[at], at) }));

export default function OperationsList({ loaderData }: Route.ComponentProps) {
  const { list, lane, state, heads, lines, dead, next, first, discarding, zone } = loaderData;
  const { title, text, empty } = WORDS[list];
  return (
    <>
      <PageHeader
        title={lane ? `Jobs of the lane ${lane}${state ? `: ${state.toLowerCase()}` : ''}` : title}
        description={text + zone}
        actions={
          <ButtonLink to={OPERATIONS} variant="secondary">
            Back to operations
          </ButtonLink>
        }
      />
      <Lists current={list} />
      {lines.length + dead.length === 0 ? (
        <EmptyState icon={CircleCheck} title={empty} text="There is nothing to do here." />
      ) : (
        <Card>
          {dead.length > 0 ? (
            <DeadJobs jobs={dead} />
          ) : (
            <Table caption={title} columns={columnsOf(heads)} rows={lines} keyOf={({ key }) => key} />
          )}
        </Card>
      )}
      <Pages next={next} first={first} />
      {discarding && <Discard {...discarding} />}
    </>
  );
}

const Lists = ({ current }: { current: OperationList }) => (
  <TabLinks
    label="Lists"
    tabs={OPERATION_LISTS.map((list) => ({
      to: listAddress(list),
      label: WORDS[list].label,
      isCurrent: list === current,
    }))}
  />
);

const Pages = ({ next, first }: { next: string | null; first: string | null }) => (
  <p className="mt-4 flex gap-4 empty:hidden">
    {first && (
      <Link to={first} className="link flex min-h-11 items-center">
        From the beginning
      </Link>
    )}
    {next && (
      <Link to={next} className="link flex min-h-11 items-center">
        More
      </Link>
    )}
  </p>
);

const Discard = ({ id, task }: { id: string; task: string }) => (
  <ConfirmDialog
    failure="Failed to discard the job"
    title="Discard this job?"
    body={`${task} (${id}) is given up and leaves the queue. What it was about stays as it is; if a sweep finds it unfinished, it begins a new job for it.`}
    closeTo={listAddress('dead')}
    confirmLabel="Discard the job"
    action={jobAddress(id, 'discard')}
  />
);

type Job = Awaited<ReturnType<typeof loadOperationsList>>['dead'][number];

/** Where there are columns, the first one is not squeezed by what went wrong. */
const NO_LESS = { minWidth: 'clamp(0rem, 100vw - 27rem, 13rem)' } as const;

const Name = ({ task, id, about }: Job) => (
  <span className="flex flex-col" style={NO_LESS}>
    <span className="font-semibold">
      {task} ({id})
    </span>
    {about && <span className="text-ink-3">{about}</span>}
  </span>
);

const Why = ({ error, tries, failed }: Job) => (
  <span className="flex flex-col text-start">
    <span>{error}</span>
    <span className="text-ink-3">
      {tries}, the last one {failed}
    </span>
  </span>
);

const Acts = ({ id, task }: Job) => (
  <span className="flex justify-end gap-2 whitespace-nowrap">
    <ActionForm action={jobAddress(id, 'retry')} failure="Failed to begin the job again">
      <SubmitButton size="sm" variant="secondary" busyLabel="Retrying…">
        Retry
        <span className="sr-only">
          {' '}
          {task} ({id})
        </span>
      </SubmitButton>
    </ActionForm>
    <ButtonLink to={`${listAddress('dead')}&discard=${id}`} preventScrollReset size="sm" variant="secondary">
      Discard
      <span className="sr-only">
        {' '}
        {task} ({id})
      </span>
    </ButtonLink>
  </span>
);

const COLUMNS = [
  { label: 'Job', cell: Name },
  { label: 'Why', cell: Why },
  { label: 'What to do', cell: Acts, isNumber: true },
];

const DeadJobs = ({ jobs }: { jobs: Job[] }) => (
  <Table caption="Dead jobs" columns={COLUMNS} rows={jobs} keyOf={({ id }) => id} />
);
