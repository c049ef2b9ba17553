import type { SubmissionResult } from '@conform-to/react';
import { TICKET_REPLY_MAX } from '#app/domain/support/limits.ts';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormPanel, TextArea, useFormOf } from '#app/ui/form.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import { Time } from '#app/ui/time.tsx';
import type { ShownManaged, ShownThread } from './describe-support.ts';
import { AboutManaged, AboutTicket, From } from './support-lines.tsx';

type Option = { value: string; label: string };
type StatusProps = { id: string; status: string; statuses: Option[]; action: string };

/** Stores a status as soon as it is chosen; without scripts a button does. */
const StatusForm = ({ id, status, statuses, action }: StatusProps) => {
  const isHydrated = useHydrated();
  return (
    <ActionForm
      action={action}
      failure="Failed to update status"
      preventScrollReset
      className="support-status"
    >
      <label className="field">
        <span className="field-label">Status</span>
        <select
          key={`${id} ${status}`}
          name="status"
          defaultValue={status}
          onChange={({ currentTarget }) => currentTarget.form!.requestSubmit()}
          className="input select"
        >
          {statuses.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {!isHydrated && <SubmitButton variant="secondary">Save</SubmitButton>}
    </ActionForm>
  );
};

type Result = SubmissionResult<string[]> | undefined;
type WriteProps = { act: 'answer' | 'note'; label: string; hint: string; button: string; result: Result };

const Write = ({ act, label, hint, button, result, action }: WriteProps & { action: string }) => {
  const isMine = result?.initialValue?.act === act;
  const [form, fields] = useFormOf<{ message: string; act: string }>(isMine ? result : undefined, {
    id: act,
    constraint: { message: { required: true, maxLength: TICKET_REPLY_MAX } },
  });
  return (
    <FormPanel form={form} action={action} fields={{ act }} failure={`Failed to send the ${act}`} isOnce>
      <TextArea field={fields.message} label={label} hint={hint} rows={3} dir="auto" />
      <SubmitButton variant={act === 'answer' ? 'primary' : 'secondary'} size="sm" className="self-start">
        {button}
      </SubmitButton>
    </FormPanel>
  );
};

type Opened = { statuses: Option[]; closeTo: string; action: string };

/** A request with its thread, and what an admin can do about it. Read first: the keys of a list of statuses would save one. */
export const TicketDialog = ({
  thread,
  result,
  closeTo,
  ...status
}: Opened & { thread: ShownThread; result: Result }) => (
  <Dialog title={`#${thread.number} ${thread.title}`} closeTo={closeTo}>
    <From sender={thread} />
    <AboutTicket ticket={thread} />
    <StatusForm id={thread.id} status={thread.status} {...status} />
    <ol className="support-thread" aria-label="Thread" tabIndex={-1} data-first-stop>
      <li>
        <p className="line-text" dir="auto">
          {thread.text}
        </p>
      </li>
      {thread.replies.map(({ id, kind, message, by, at }) => (
        <li key={id} className={`is-${kind}`}>
          <p className="text-sm text-ink-3">
            <bdi>{by}</bdi> · <Time {...at} />
          </p>
          <p className="line-text" dir="auto">
            {message}
          </p>
        </li>
      ))}
    </ol>
    <div key={thread.replies.length} className="grid gap-6">
      <Write {...ANSWER} action={status.action} result={result} />
      <Write {...NOTE} action={status.action} result={result} />
    </div>
  </Dialog>
);

const ANSWER = {
  ...({ act: 'answer', label: 'Answer', button: 'Send answer' } as const),
  hint: 'Goes out by mail, and stands in the thread that the mail leads to.',
};
const NOTE = {
  ...({ act: 'note', label: 'Internal note', button: 'Keep note' } as const),
  hint: 'Only admins read it.',
};

export const ManagedDialog = ({ entry, closeTo, ...status }: Opened & { entry: ShownManaged }) => (
  <Dialog title={entry.title} closeTo={closeTo}>
    <From sender={entry} />
    <AboutManaged entry={entry} />
    <StatusForm id={entry.id} status={entry.status} {...status} />
    <p className="line-text" dir="auto" tabIndex={-1} data-first-stop>
      {entry.text}
    </p>
    <p className="mt-3 text-sm text-ink-3">
      What is declined is taken off the board; its author sees it still.
    </p>
  </Dialog>
);
