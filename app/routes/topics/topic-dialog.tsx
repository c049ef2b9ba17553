import type { SubmissionResult } from '@conform-to/react';
import {
  APPROVAL_WORDS,
  TONES,
  TOPIC_DESCRIPTION_MAX,
  TOPIC_NAME_MAX,
  type TopicApproval,
  USUAL_TONE,
} from '#app/domain/topics/limits.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormPanel, SelectField, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form.tsx';
import { capitalised } from '#app/ui/in-words.ts';

type Topic = Omit<Fields, 'keywords'> & { id: string; keywords: string[] };
type Fields = { name: string; description: string; keywords: string; tone: string; approval: TopicApproval };

const TONE_OPTIONS = TONES.map((tone) => ({
  value: tone,
  label: capitalised(tone),
}));
const APPROVAL_OPTIONS = Object.entries(APPROVAL_WORDS).map(([value, label]) => ({ value, label }));
const CONSTRAINT = {
  name: { required: true, maxLength: TOPIC_NAME_MAX },
  description: { maxLength: TOPIC_DESCRIPTION_MAX },
};

type TopicDialogProps = { topic?: Topic; result?: SubmissionResult<string[]> };

/** Creates a topic, or changes the given one. */
export function TopicDialog({ topic, result }: TopicDialogProps) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'topic',
    defaultValue: { tone: USUAL_TONE, ...topic, keywords: topic?.keywords.join(', ') },
    constraint: CONSTRAINT,
  });
  return (
    <Dialog title={topic ? 'Edit topic' : 'Add a topic'} closeTo="/app/topics">
      <FormPanel form={form} failure="Failed to save topic" isOnce={!topic} className="mt-4">
        <TextField
          field={fields.name}
          label="Name"
          hint="For example: Hiring your first salesperson"
          autoComplete="off"
        />
        <TextArea
          field={fields.description}
          label="Description"
          hint="Your view of it, your readers, what the posts should say."
          rows={4}
        />
        <div className="grid gap-5 sm:grid-cols-2 sm:items-end">
          <TextField field={fields.keywords} label="Keywords" hint="Separated by commas" autoComplete="off" />
          <SelectField field={fields.tone} label="Tone" options={TONE_OPTIONS} />
        </div>
        <SelectField
          field={fields.approval}
          label="Approval"
          hint="Posts that wait for your approval already go on waiting for it."
          options={APPROVAL_OPTIONS}
        />
        <SubmitButton busyLabel="Saving…">{topic ? 'Save topic' : 'Create topic'}</SubmitButton>
      </FormPanel>
    </Dialog>
  );
}
