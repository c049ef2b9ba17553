import type { SubmissionResult } from '@conform-to/react';
import { EMAIL_MAX, NAME_MAX } from '#app/domain/accounts/limits.ts';
import { TICKET_CATEGORIES, TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from '#app/domain/support/limits.ts';
import { FormPanel, SelectField, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { optionsOf } from '#app/ui/text.ts';

type Fields = { name: string; email: string; category: string; subject: string; message: string };
const CATEGORIES = optionsOf(TICKET_CATEGORIES);
const CONSTRAINT = {
  name: { required: true, maxLength: NAME_MAX },
  email: { required: true, maxLength: EMAIL_MAX },
  subject: { required: true, maxLength: TICKET_SUBJECT_MAX },
  message: { required: true, maxLength: TICKET_MESSAGE_MAX },
};

/** Who asks, as far as their account says it. */
export type CodeRequester = { name: string; email: string } | null;

type SupportFormProps = {
  asker: CodeRequester;
  /** Where its reader goes on when it is taken in; else on the page of help, which says its number. */
  back?: string;
  result: SubmissionResult<string[]> | undefined;
  /** The key of what brings it, where it is not the page that is left for the answer. */
  fetcherKey?: string;
  isBusy?: boolean;
};

/** The form that asks support. It is long in letters of three bytes, so its body is not that of an address. */
export function SupportForm({ asker, back, result, fetcherKey, isBusy }: SupportFormProps) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'ask-support',
    defaultValue: { name: asker?.name, email: asker?.email, category: 'general' },
    constraint: CONSTRAINT,
  });
  return (
    <FormPanel
      form={form}
      // What is wrong with it is shown where it stands, far down on a phone.
      action={back === undefined ? '/help#support' : '/help'}
      encType="multipart/form-data"
      failure="Failed to submit support request"
      fields={back === undefined ? {} : { back }}
      asksToLeave={false}
      {...(fetcherKey && { navigate: false, fetcherKey })}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField field={fields.name} label="Name" autoComplete="name" dir="auto" />
        <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
      </div>
      <SelectField field={fields.category} label="Category" options={CATEGORIES} />
      <TextField field={fields.subject} label="Subject" dir="auto" />
      <TextArea field={fields.message} label="Message" rows={5} dir="auto" />
      <SubmitButton isBusy={isBusy} busyLabel="Sending…">
        Send request
      </SubmitButton>
    </FormPanel>
  );
}
