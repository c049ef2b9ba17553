import { Dialog } from '#app/ui/components/dialog.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { SAID } from '#app/ui/layout/focus.ts';
import { Time } from '#app/ui/time.tsx';
import { ANSWER, BeginWith, NOTE, type Replies, type Result, Write } from './answer-form.tsx';
import { AboutManaged, AboutTicket, From } from './list.tsx';
import { supportAddress } from './paths.ts';
import type { ShownManaged, ShownThread } from './present.ts';
import { type Opened, StatusForm } from './support-status.tsx';

type TicketDialogProps = {
  thread: ShownThread;
  replies: Replies;
  /** What the answer begins with. */
  begun: string | undefined;
  result: Result;
};

/** Each form begins anew once it was sent, and keeps what is typed into it when only the other one was. */
const sentIn = ({ words }: ShownThread, sent: 'answer' | 'note') =>
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
        <li key={id} className={`is-${kind}`} {...(nth === thread.words.length - 1 && SAID)}>
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

type ManagedDialogProps = { entry: ShownManaged; request: { id: string; number: number } | null };

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
