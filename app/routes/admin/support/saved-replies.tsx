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
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuthOrKeep } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import { ConfirmDialog, Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/saved-replies.ts';
import styles from './saved-replies.css?url';

// Not imported from paths.ts: a module that two pages share would be one more request for each.
const SAVED_REPLIES = '/app/admin/saved-replies';
const SUPPORT = '/app/admin/support-feedback';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuthOrKeep];

export const meta: Route.MetaFunction = () =>
  pageMeta('Saved replies', 'What support answers often, kept for all admins to begin answers from.');

export const shouldRevalidate = ignoreDialogParams('edit', 'confirm-delete');

export const loader = async () => ({ replies: await listSavedReplies(db()), under: SUPPORT });

export async function action({ request, context }: Route.ActionArgs) {
  const query = new URL(request.url).searchParams;
  const [replyId, deletedId] = [query.get('edit'), query.get('confirm-delete')];
  const admin = actorOf(context);
  const done = (message: string) => {
    setFlash(context, 'success', message);
    return redirect(SAVED_REPLIES);
  };
  if (deletedId !== null) {
    return submit({ context }, EmptyInput, async () => {
      await deleteSavedReply(db(), admin, deletedId);
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
        <EmptyState icon={MessageSquareText} {...EMPTY} action={add} />
      ) : (
        <ul className="lines">
          {replies.map((reply) => (
            <ReplyLine key={reply.id} {...reply} />
          ))}
        </ul>
      )}
      <Dialogs replies={replies} result={actionData} />
    </>
  );
}

const EMPTY = {
  title: 'No saved replies yet',
  text: 'What you write a third time is worth keeping: the next answer begins with it.',
};

type Reply = Route.ComponentProps['loaderData']['replies'][number];

function Dialogs({ replies, result }: { replies: Reply[]; result: Route.ComponentProps['actionData'] }) {
  const [query] = useSearchParams();
  const find = (name: string) => replies.find(({ id }) => id === query.get(name));
  const [editing, deleting] = [find('edit'), find('confirm-delete')];
  return (
    <>
      {(editing || query.get('edit') === 'new') && <ReplyDialog reply={editing} result={result} />}
      {deleting && (
        <ConfirmDialog
          failure="Failed to delete the reply"
          title={`Delete “${deleting.title}”?`}
          body="No admin can begin an answer with it any more. Answers that were sent stay as they are."
          closeTo={SAVED_REPLIES}
          confirmLabel="Delete reply"
        />
      )}
    </>
  );
}

const ReplyLine = ({ id, title, message }: Reply) => (
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
  /** Undefined for a new one. */
  reply: SavedReply | undefined;
  result: SubmissionResult<string[]> | undefined;
};

function ReplyDialog({ reply, result }: ReplyDialogProps) {
  const [form, fields] = useFormOf<{ title: string; message: string }>(result, {
    id: 'reply',
    defaultValue: reply,
    constraint: {
      title: { required: true, maxLength: SAVED_REPLY_TITLE_MAX },
      message: { required: true, maxLength: TICKET_REPLY_MAX },
    },
  });
  return (
    <Dialog title={reply ? 'Saved reply' : 'New reply'} closeTo={SAVED_REPLIES}>
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
