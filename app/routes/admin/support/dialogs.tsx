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
import { FeedbackDetails, SenderLine, TicketDetails } from './list.tsx';
import { SAVED_REPLIES, supportAddress } from './paths.ts';
import type { PresentedFeedback, PresentedThread } from './present.ts';

type TicketDialogProps = {
  thread: PresentedThread;
  replies: Replies;
  /** The text that the answer begins with. */
  draft: string | undefined;
  result: Result;
};

/** Part of the key of a form: a form is emptied once it was sent, and keeps its text when the other form was sent. */
const countSent = ({ messages }: PresentedThread, sent: 'answer' | 'note') =>
  messages.filter(({ kind }) => kind === sent).length;

/** The focus starts at the top: in the list of statuses a key would change the status. */
export const TicketDialog = ({
  thread,
  replies,
  draft,
  result,
  closeTo,
  ...status
}: DialogProps & TicketDialogProps) => (
  <Dialog title={`#${thread.number} ${thread.title}`} closeTo={closeTo}>
    <div tabIndex={-1} data-first-stop>
      <SenderLine {...thread} />
      <TicketDetails {...thread} />
    </div>
    <StatusForm id={thread.id} status={thread.status} {...status} />
    <ol className="support-thread" aria-label="Thread">
      {thread.messages.map(({ id, kind, message, by, verb, at }, index) => (
        <li key={id} className={`is-${kind}`} {...(index === thread.messages.length - 1 && RESULT_MESSAGE)}>
          <p className="text-sm text-ink-3">
            <bdi>{by}</bdi> {verb} · <Time {...at} />
          </p>
          <p className="line-text" dir="auto">
            {message}
          </p>
        </li>
      ))}
    </ol>
    <div className="grid gap-6">
      <SavedReplyLinks replies={replies} />
      <MessageForm
        key={`answer ${countSent(thread, 'answer')} ${draft}`}
        {...ANSWER}
        action={status.action}
        result={result}
        draft={draft}
      />
      <MessageForm
        key={`note ${countSent(thread, 'note')}`}
        {...NOTE}
        action={status.action}
        result={result}
      />
    </div>
  </Dialog>
);

type FeedbackDialogProps = { entry: PresentedFeedback; request: { id: string; number: number } | null };

export const FeedbackDialog = ({ entry, request, closeTo, ...status }: DialogProps & FeedbackDialogProps) => (
  <Dialog title={entry.title} closeTo={closeTo}>
    <div tabIndex={-1} data-first-stop>
      <SenderLine {...entry} />
      <FeedbackDetails {...entry} />
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
type MessageTexts = { act: 'answer' | 'note'; label: string; hint: string; button: string };
type MessageFormProps = MessageTexts & { result: Result; action: string; draft?: string };

const MessageForm = ({ act, label, hint, button, result, action, draft }: MessageFormProps) => {
  const isOwnResult = result?.initialValue?.act === act;
  const [form, fields] = useFormOf<{ message: string; act: string }>(isOwnResult ? result : undefined, {
    id: act,
    defaultValue: { message: draft },
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

const ANSWER: MessageTexts = {
  act: 'answer',
  label: 'Answer',
  button: 'Send answer',
  hint: 'Goes out by mail, and stands in the thread that the mail leads to.',
};
const NOTE: MessageTexts = {
  act: 'note',
  label: 'Internal note',
  button: 'Keep note',
  hint: 'Only admins read it.',
};

type Replies = { to: string; title: string; isChosen: boolean }[];

/** Links work without scripts. With scripts the user is asked before a typed text is lost. */
const SavedReplyLinks = ({ replies }: { replies: Replies }) => (
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
type DialogProps = { statuses: Option[]; closeTo: string; action: string };
type StatusProps = { id: string; status: string; statuses: Option[]; action: string };

/** Saves a status when it is chosen. Without scripts a button saves it. */
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
