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
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/list-page.ts';
import { loadOperationsList, type Row } from './load-list.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Behind the numbers', 'The jobs, posts and mails behind a number of the operations page.');

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const { timeZone } = actorOf(context);
  const page = await loadOperationsList(db(), query, timeZone, new Date());
  return { ...page, zone: page.list === 'linkedin' ? '' : ` ${formatTimeZone(timeZone)}.` };
}

type ListTexts = { label: string; title: string; text: string; empty: string };

const TEXTS: Record<OperationList, ListTexts> = {
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

/** The first column has a time, which is not to break. */
const columnsOf = (headings: string[]) =>
  headings.map((label, index) => ({
    label,
    cell: ({ cells }: Row) =>
      index === 0 ? <span className="whitespace-nowrap">{cells[0]}</span> : cells[index],
  }));

export default function OperationsList({ loaderData }: Route.ComponentProps) {
  const { list, lane, state, headings, rows, dead, next, first, discarding, zone } = loaderData;
  const { title, text, empty } = TEXTS[list];
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
      <TabLinks
        label="Lists"
        tabs={OPERATION_LISTS.map((name) => ({
          to: listAddress(name),
          label: TEXTS[name].label,
          isCurrent: name === list,
        }))}
      />
      {rows.length + dead.length === 0 ? (
        <EmptyState icon={CircleCheck} title={empty} text="There is nothing to do here." />
      ) : (
        <Card>
          {dead.length > 0 ? (
            <Table caption="Dead jobs" columns={JOB_COLUMNS} rows={dead} keyOf={({ id }) => id} />
          ) : (
            <Table caption={title} columns={columnsOf(headings)} rows={rows} keyOf={({ key }) => key} />
          )}
        </Card>
      )}
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
      {discarding && <DiscardDialog {...discarding} />}
    </>
  );
}

const DiscardDialog = ({ id, task }: { id: string; task: string }) => (
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

/** Keeps the first column wide enough beside long error messages. */
const JOB_WIDTH = { minWidth: 'clamp(0rem, 100vw - 27rem, 13rem)' } as const;

const JobCell = ({ task, id, about }: Job) => (
  <span className="flex flex-col" style={JOB_WIDTH}>
    <span className="font-semibold">
      {task} ({id})
    </span>
    {about && <span className="text-ink-3">{about}</span>}
  </span>
);

const ErrorCell = ({ error, tries, failedAt }: Job) => (
  <span className="flex flex-col text-start">
    <span>{error}</span>
    <span className="text-ink-3">
      {tries}, the last one {failedAt}
    </span>
  </span>
);

const ActionsCell = ({ id, task }: Job) => (
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

const JOB_COLUMNS = [
  { label: 'Job', cell: JobCell },
  { label: 'Why', cell: ErrorCell },
  { label: 'What to do', cell: ActionsCell, isNumber: true },
];
