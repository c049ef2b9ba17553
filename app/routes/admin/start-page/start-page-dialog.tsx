import type { SubmissionResult } from '@conform-to/react';
import { BAR_REASON_MAX } from '#app/domain/posts/limits.ts';
import { START_PAGE } from '#app/routes/admin/tabs.tsx';
import { Dialog, DialogButtons } from '#app/ui/components/dialog.tsx';
import { FormPanel, TextArea, useFormOf } from '#app/ui/form/form.tsx';

const VERBS = {
  'take-off': {
    title: 'Take this post off the start page?',
    text: 'It stays on LinkedIn, and in its author’s history. The post before it may be shown in its place.',
    hint: 'Its author reads it, and the audit log keeps it.',
    button: 'Take off',
    busy: 'Taking it off…',
    failure: 'Failed to take the post off',
  },
  'put-back': {
    title: 'Let this post be shown again?',
    text: 'It is shown while it is the newest of its author, who may switch that off at any time.',
    hint: 'The audit log keeps it.',
    button: 'Put back',
    busy: 'Putting it back…',
    failure: 'Failed to put the post back',
  },
};

type ExclusionDialogProps = {
  post: { topicName: string; content: string };
  verb: keyof typeof VERBS;
  result?: SubmissionResult<string[]>;
};

export function ExclusionDialog({ post: { topicName, content }, verb, result }: ExclusionDialogProps) {
  const { title, text, hint, button, busy, failure } = VERBS[verb];
  const isOff = verb === 'take-off';
  const [form, fields] = useFormOf<{ reason: string }>(result, {
    id: verb,
    constraint: { reason: { required: true, maxLength: BAR_REASON_MAX } },
  });
  return (
    <Dialog title={title} closeTo={START_PAGE} tone={isOff ? 'danger' : 'neutral'}>
      <p className="mt-3 break-words text-ink-2" dir="auto">
        <strong>{topicName}</strong>: {content}
      </p>
      <p className="mt-3 mb-5 text-ink-2">{text}</p>
      <FormPanel form={form} failure={failure}>
        <TextArea field={fields.reason} label="Reason" hint={hint} rows={3} dir="auto" />
        <DialogButtons closeTo={START_PAGE} isDanger={isOff} busyLabel={busy}>
          {button}
        </DialogButtons>
      </FormPanel>
    </Dialog>
  );
}
