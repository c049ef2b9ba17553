import { jobAddress, listAddress } from '#app/routes/admin/tabs.tsx';
import { Table } from '#app/ui/components/table.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import type { loadOperationsList } from './load-list.ts';

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

export const DeadJobs = ({ jobs }: { jobs: Job[] }) => (
  <Table caption="Dead jobs" columns={COLUMNS} rows={jobs} keyOf={({ id }) => id} />
);
