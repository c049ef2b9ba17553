import type { SubmissionResult } from '@conform-to/react';
import { MessageSquareText } from 'lucide-react';
import { Link, redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { EmptyInput } from '#app/domain/accounts/schema.ts';
import { SAVED_REPLY_TITLE_MAX, TICKET_REPLY_MAX } from '#app/domain/support/limits.ts';
import {
  deleteSavedReply,
  listSavedReplies,
  type SavedReply,
  saveReply,
} from '#app/domain/support/save-reply.ts';
import { SavedReplyInput } from '#app/domain/support/schema.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuthOrKeep } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import { ConfirmDialog, Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { knowsDialogs } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/saved-replies.ts';
import styles from './saved-replies.css?url';

/** Said here again: one more file of addresses for two pages would be one more request of each. */
const HERE = '/app/admin/saved-replies';
const SUPPORT = '/app/admin/support-feedback';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuthOrKeep];

export const meta: Route.MetaFunction = () => [
  { title: 'Saved replies – Tidepost' },
  { name: 'description', content: 'What support answers often, kept for all admins to begin answers from.' },
];

export const shouldRevalidate = knowsDialogs('edit', 'confirm-delete');

export const loader = async () => ({ replies: await listSavedReplies(db()), under: SUPPORT });

export async function action({ request, context }: Route.ActionArgs) {
  const query = new URL(request.url).searchParams;
  const [replyId, gone] = [query.get('edit'), query.get('confirm-delete')];
  const admin = actorOf(context);
  const done = (said: string) => {
    notify(context, 'success', said);
    return redirect(HERE);
  };
  if (gone !== null) {
    return submit({ context }, EmptyInput, async () => {
      await deleteSavedReply(db(), admin, gone);
      return done('Reply deleted');
    });
  }
  return submit({ context }, SavedReplyInput, async (input) => {
    await saveReply(db(), admin, { ...input, replyId: replyId === 'new' ? null : replyId });
    return done('Reply saved');
  });
}

export default function SavedReplies({ loaderData: { replies }, actionData }: Route.ComponentProps) {
  const add = (
    <ButtonLink to="?edit=new" preventScrollReset>
      New reply
    </ButtonLink>
  );
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <Link to={SUPPORT} className="link inline-flex min-h-11 items-center">
        Support & Feedback
      </Link>
      <PageHeader
        title="Saved replies"
        description="What is answered often. Every admin can begin an answer with one, and change it before it is sent."
        actions={replies.length > 0 && add}
      />
      {replies.length === 0 ? (
        <EmptyState icon={MessageSquareText} {...NOTHING_YET} action={add} />
      ) : (
        <ul className="lines">
          {replies.map((reply) => (
            <Line key={reply.id} reply={reply} />
          ))}
        </ul>
      )}
      <Dialogs replies={replies} result={actionData} />
    </>
  );
}

const NOTHING_YET = {
  title: 'No saved replies yet',
  text: 'What you write a third time is worth keeping: the next answer begins with it.',
};

type Reply = Route.ComponentProps['loaderData']['replies'][number];

type DialogsProps = { replies: Reply[]; result: Route.ComponentProps['actionData'] };

function Dialogs({ replies, result }: DialogsProps) {
  const [query] = useSearchParams();
  const find = (name: string) => replies.find(({ id }) => id === query.get(name));
  const [editing, deleting] = [find('edit'), find('confirm-delete')];
  return (
    <>
      {(editing || query.get('edit') === 'new') && (
        <ReplyDialog reply={editing} result={result} closeTo={HERE} />
      )}
      {deleting && (
        <ConfirmDialog
          failure="Failed to delete the reply"
          title={`Delete “${deleting.title}”?`}
          body="No admin can begin an answer with it any more. Answers that were sent stay as they are."
          closeTo={HERE}
          confirmLabel="Delete reply"
        />
      )}
    </>
  );
}

const Line = ({ reply: { id, title, message } }: { reply: Reply }) => (
  <li className="line">
    <h2 className="font-semibold">
      <Link to={`?edit=${id}`} preventScrollReset className="line-title">
        <bdi>{title}</bdi>
      </Link>
    </h2>
    <p className="line-short" dir="auto">
      {message}
    </p>
  </li>
);

type ReplyDialogProps = {
  /** None for a new one. */
  reply: SavedReply | undefined;
  result: SubmissionResult<string[]> | undefined;
  closeTo: string;
};

function ReplyDialog({ reply, result, closeTo }: ReplyDialogProps) {
  const [form, fields] = useFormOf<{ title: string; message: string }>(result, {
    id: 'reply',
    defaultValue: reply,
    constraint: {
      title: { required: true, maxLength: SAVED_REPLY_TITLE_MAX },
      message: { required: true, maxLength: TICKET_REPLY_MAX },
    },
  });
  return (
    <Dialog title={reply ? 'Saved reply' : 'New reply'} closeTo={closeTo}>
      <FormPanel form={form} failure="Failed to save the reply" isOnce className="mt-4">
        <TextField field={fields.title} label="Title" hint="Only admins read it." dir="auto" />
        <TextArea
          field={fields.message}
          label="Message"
          hint="{name} becomes the name of who asked, and {number} the number of their request."
          rows={8}
          dir="auto"
        />
        <div className="flex flex-wrap justify-end gap-3">
          {reply && (
            <ButtonLink to={`?confirm-delete=${reply.id}`} replace preventScrollReset variant="secondary">
              Delete
            </ButtonLink>
          )}
          <SubmitButton busyLabel="Saving…">Save reply</SubmitButton>
        </div>
      </FormPanel>
    </Dialog>
  );
}
