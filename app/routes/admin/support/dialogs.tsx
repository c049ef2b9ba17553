import type { SubmissionResult } from '@conform-to/react';
import { Link } from 'react-router';
import { TICKET_REPLY_MAX } from '#app/domain/support/limits.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Time } from '#app/ui/time.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { AboutManaged, AboutTicket, From } from './list.tsx';
import { SAVED_REPLIES, supportAddress } from './paths.ts';
import type { PresentedFeedback, PresentedThread } from './present.ts';

type TicketDialogProps = {
  thread: PresentedThread;
  replies: Replies;
  /** What the answer begins with. */
  begun: string | undefined;
  result: Result;
};

/** Each form begins anew once it was sent, and keeps what is typed into it when only the other one was. */
const sentIn = ({ words }: PresentedThread, sent: 'answer' | 'note') =>
  words.filter(({ kind }) => kind === sent).length;

/** A request with its thread, and what an admin can do about it. The focus begins at its top and not in the list of statuses, where a key would change the status at once. */
export const TicketDialog = ({
  thread,
  replies,
  begun,
  result,
  closeTo,
  ...status
}: Opened & TicketDialogProps) => (
  <Dialog title={`#${thread.number} ${thread.title}`} closeTo={closeTo}>
    <div tabIndex={-1} data-first-stop>
      <From sender={thread} />
      <AboutTicket ticket={thread} />
    </div>
    <StatusForm id={thread.id} status={thread.status} {...status} />
    <ol className="support-thread" aria-label="Thread">
      {thread.words.map(({ id, kind, message, by, did, at }, nth) => (
        <li key={id} className={`is-${kind}`} {...(nth === thread.words.length - 1 && RESULT_MESSAGE)}>
          <p className="text-sm text-ink-3">
            <bdi>{by}</bdi> {did} · <Time {...at} />
          </p>
          <p className="line-text" dir="auto">
            {message}
          </p>
        </li>
      ))}
    </ol>
    <div className="grid gap-6">
      <BeginWith replies={replies} />
      <Write
        key={`answer ${sentIn(thread, 'answer')} ${begun}`}
        {...ANSWER}
        action={status.action}
        result={result}
        begun={begun}
      />
      <Write key={`note ${sentIn(thread, 'note')}`} {...NOTE} action={status.action} result={result} />
    </div>
  </Dialog>
);

type ManagedDialogProps = { entry: PresentedFeedback; request: { id: string; number: number } | null };

export const ManagedDialog = ({ entry, request, closeTo, ...status }: Opened & ManagedDialogProps) => (
  <Dialog title={entry.title} closeTo={closeTo}>
    <div tabIndex={-1} data-first-stop>
      <From sender={entry} />
      <AboutManaged entry={entry} />
    </div>
    <StatusForm id={entry.id} status={entry.status} {...status} />
    <p className="line-text" dir="auto">
      {entry.text}
    </p>
    <p className="mt-3 text-sm text-ink-3">
      What is declined is taken off the board; its author sees it still.
    </p>
    {request ? (
      <ButtonLink to={supportAddress({ tab: 'support' }, request.id)} variant="secondary" className="mt-4">
        Open request #{request.number}
      </ButtonLink>
    ) : (
      <ActionForm
        action={status.action}
        fields={{ act: 'request' }}
        failure="Failed to make a request"
        className="mt-4"
      >
        <SubmitButton variant="secondary">Make a request of it</SubmitButton>
        <p className="mt-2 text-sm text-ink-3">
          Its author finds it under their requests, and is mailed what you answer there.
        </p>
      </ActionForm>
    )}
  </Dialog>
);

type Result = SubmissionResult<string[]> | undefined;
type Words = { act: 'answer' | 'note'; label: string; hint: string; button: string };
type WriteProps = Words & { result: Result; action: string; begun?: string };

const Write = ({ act, label, hint, button, result, action, begun }: WriteProps) => {
  const isMine = result?.initialValue?.act === act;
  const [form, fields] = useFormOf<{ message: string; act: string }>(isMine ? result : undefined, {
    id: act,
    defaultValue: { message: begun },
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

const ANSWER = {
  ...({ act: 'answer', label: 'Answer', button: 'Send answer' } as const),
  hint: 'Goes out by mail, and stands in the thread that the mail leads to.',
};
const NOTE = {
  ...({ act: 'note', label: 'Internal note', button: 'Keep note' } as const),
  hint: 'Only admins read it.',
};

/** The addresses at which the answer begins with what was saved. */
type Replies = { to: string; title: string; isChosen: boolean }[];

/** Links, so that a reply is chosen without scripts as well; what was typed is asked about before it goes. */
const BeginWith = ({ replies }: { replies: Replies }) => (
  <nav aria-label="Saved replies" className="support-replies flex flex-wrap items-center gap-2">
    {replies.map(({ to, title, isChosen }) => (
      <ButtonLink
        key={to}
        to={to}
        preventScrollReset
        variant="secondary"
        size="sm"
        aria-current={isChosen || undefined}
      >
        {title}
      </ButtonLink>
    ))}
    <Link to={SAVED_REPLIES} className="link inline-flex min-h-11 items-center text-sm">
      Saved replies
    </Link>
  </nav>
);

type Option = { value: string; label: string };
/** What every dialog of the desk of support is opened with. */
type Opened = { statuses: Option[]; closeTo: string; action: string };
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
