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

/** The user who asks; null if signed out. */
export type HelpUser = { name: string; email: string } | null;

type SupportFormProps = {
  asker: HelpUser;
  /** The page to return to. By default the help page, which shows the number of the request. */
  back?: string;
  result: SubmissionResult<string[]> | undefined;
  /** The key of the fetcher that submits the form inside a dialog. */
  fetcherKey?: string;
  isBusy?: boolean;
};

/** Multipart: URL-encoding would make letters of three bytes too long. */
export function SupportForm({ asker, back, result, fetcherKey, isBusy }: SupportFormProps) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'ask-support',
    defaultValue: { name: asker?.name, email: asker?.email, category: 'general' },
    constraint: CONSTRAINT,
  });
  return (
    <FormPanel
      form={form}
      // The fragment scrolls to the errors, which are far down on a phone.
      action={back === undefined ? '/help#support' : '/help'}
      encType="multipart/form-data"
      failure="Failed to submit support request"
      fields={back === undefined ? {} : { back }}
      warnsOnLeave={false}
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
