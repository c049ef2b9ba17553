import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import { FACT_KINDS, FACT_MAX } from '#app/domain/voice/limits.ts';
import { FACTS } from '#app/routes/voice/tabs.tsx';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { FormPanel, SelectField, SubmitButton, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { optionsOf } from '#app/ui/text.ts';
import type { PresentedFact } from './present.ts';

type Fields = { content: string; topicId: string; kind: string };
type Topic = { id: string; name: string };
type Result = SubmissionResult<string[]> | undefined;

const CONSTRAINT = { content: { required: true, maxLength: FACT_MAX } };
const KIND_OPTIONS = optionsOf(FACT_KINDS);
const GUESS_KIND = { value: '', label: 'Guess it from the sentence' };

const topicOptions = (topics: Topic[]) => [
  { value: '', label: 'All topics' },
  ...topics.map(({ id, name }) => ({ value: id, label: name })),
];

type FactFieldsProps = {
  fields: ReturnType<typeof useFormOf<Fields>>[1];
  topics: Topic[];
  className: string;
  children?: ReactNode;
};

const FactFields = ({ fields, topics, className, children }: FactFieldsProps) => (
  <>
    <TextArea
      field={fields.content}
      label="Fact"
      hint="One sentence that is true, for example: Since May our quotes are one page long, and 9 of 10 are signed."
      rows={2}
      dir="auto"
    />
    <div className={className}>
      <SelectField field={fields.topicId} label="For" options={topicOptions(topics)} />
      <SelectField field={fields.kind} label="Kind" options={[GUESS_KIND, ...KIND_OPTIONS]} />
      {children}
    </div>
  </>
);

type AddFactProps = { topics: Topic[]; topic: string; search: string; result: Result };

export function AddFact({ topics, topic, search, result }: AddFactProps) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'add-fact',
    defaultValue: { topicId: topic },
    constraint: CONSTRAINT,
  });
  return (
    <FormPanel form={form} action={FACTS + search} failure="Failed to save the fact" preventScrollReset>
      <FactFields fields={fields} topics={topics} className="fact-choices grid gap-5">
        <SubmitButton busyLabel="Adding…">Add fact</SubmitButton>
      </FactFields>
    </FormPanel>
  );
}

type EditFactProps = { fact: PresentedFact; topics: Topic[]; closeTo: string; result: Result };

export function EditFact({ fact, topics, closeTo, result }: EditFactProps) {
  const { content, topicId, kind } = fact;
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'edit-fact',
    defaultValue: { content, topicId: topicId ?? '', kind },
    constraint: CONSTRAINT,
  });
  return (
    <Dialog title="Edit fact" closeTo={closeTo}>
      <FormPanel form={form} failure="Failed to save the fact" className="mt-4">
        <FactFields fields={fields} topics={topics} className="grid gap-5 sm:grid-cols-2" />
        <SubmitButton busyLabel="Saving…">Save fact</SubmitButton>
      </FormPanel>
    </Dialog>
  );
}
