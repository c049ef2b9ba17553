import type { SubmissionResult } from '@conform-to/react';
import { SAVED_REPLY_TITLE_MAX, TICKET_REPLY_MAX } from '#app/domain/support/limits.ts';
import type { SavedReply } from '#app/domain/support/save-reply.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';

type ReplyDialogProps = {
  /** None for a new one. */
  reply: SavedReply | undefined;
  result: SubmissionResult<string[]> | undefined;
  closeTo: string;
};

export function ReplyDialog({ reply, result, closeTo }: ReplyDialogProps) {
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
