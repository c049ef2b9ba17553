import type { SubmissionResult } from '@conform-to/react';
import { TOKEN_DAYS_MAX, TOKEN_NAME_MAX } from '#app/domain/accounts/limits.ts';
import { Card } from '#app/ui/components/card.tsx';
import { FormPanel, SelectField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';

const SCOPES = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
];
const DAYS = [
  { value: '', label: 'Until I revoke it' },
  { value: '30', label: 'For 30 days' },
  { value: '90', label: 'For 90 days' },
  { value: String(TOKEN_DAYS_MAX), label: 'For a year' },
];

type Fields = { name: string; scope: string; days: string };

/** Makes a token with a name. */
export function NewToken({ result }: { result: SubmissionResult<string[]> | null }) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'new-token',
    defaultValue: { scope: 'read' },
    constraint: { name: { required: true, maxLength: TOKEN_NAME_MAX } },
  });
  return (
    <Card
      title="New token"
      description="It speaks for you wherever it is, so give each program its own, with no more than it needs."
    >
      <FormPanel form={form} failure="Failed to make the token">
        <TextField field={fields.name} label="Name" hint="What it is for, so that you know it again." />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField field={fields.scope} label="It may" options={SCOPES} />
          <SelectField field={fields.days} label="It works" options={DAYS} />
        </div>
        <div>
          <SubmitButton busyLabel="Making…">Make token</SubmitButton>
        </div>
      </FormPanel>
    </Card>
  );
}
