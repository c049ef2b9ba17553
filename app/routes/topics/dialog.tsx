import type { SubmissionResult } from '@conform-to/react';
import {
  APPROVAL_WORDS,
  TONES,
  TOPIC_DESCRIPTION_MAX,
  TOPIC_NAME_MAX,
  type TopicApproval,
  USUAL_TONE,
} from '#app/domain/topics/limits.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { FormPanel, SelectField, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { capitalised, optionsOf } from '#app/ui/text.ts';
import { type ListPage, pageOf } from './paths.ts';
import type { TopicView } from './present.ts';

type Fields = { name: string; description: string; keywords: string; tone: string; approval: TopicApproval };

const TONE_OPTIONS = TONES.map((tone) => ({
  value: tone,
  label: capitalised(tone),
}));
const APPROVAL_OPTIONS = optionsOf(APPROVAL_WORDS);
const CONSTRAINT = {
  name: { required: true, maxLength: TOPIC_NAME_MAX },
  description: { maxLength: TOPIC_DESCRIPTION_MAX },
};

const typedIn = ({ name, description, keywords, tone, approval }: TopicView): Fields => ({
  name,
  description,
  tone,
  approval,
  keywords: keywords.join(', '),
});

/** The mail about a paused topic leads here. */
const Failing = ({ topic: { isActive, isPaused, pausedUntil, failure } }: { topic: TopicView }) =>
  isActive && isPaused && !pausedUntil ? (
    <Banner tone="warning" className="mt-4">
      It is paused{failure && `. The last time: ${failure}`}. Save what you change here, then press Resume on
      its card.
    </Banner>
  ) : null;

type TopicDialogProps = {
  topic?: TopicView | undefined;
  /** The idempotency key of the form that creates a topic. */
  formKey: string;
  listPage: ListPage;
  result?: SubmissionResult<string[]> | undefined;
};

export function TopicDialog({ topic, formKey, listPage, result }: TopicDialogProps) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'topic',
    defaultValue: topic ? typedIn(topic) : { tone: USUAL_TONE },
    constraint: CONSTRAINT,
  });
  return (
    <Dialog title={topic ? 'Edit topic' : 'Add a topic'} closeTo={pageOf(listPage)}>
      {topic && <Failing topic={topic} />}
      <FormPanel
        form={form}
        fields={topic ? {} : { key: formKey }}
        failure="Failed to save topic"
        isOnce={!topic}
        className="mt-4"
      >
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
          hint={topic && 'Posts already waiting for approval are not affected.'}
          options={APPROVAL_OPTIONS}
        />
        <SubmitButton busyLabel="Saving…">{topic ? 'Save topic' : 'Create topic'}</SubmitButton>
      </FormPanel>
    </Dialog>
  );
}
