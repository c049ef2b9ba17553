import type { SubmissionResult } from '@conform-to/react';
import { NAME_MAX } from '#app/domain/accounts/limits.ts';
import { useFormAt } from '#app/routes/account/inline-form.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';

type NameCardProps = { name: string; result: SubmissionResult<string[]> | undefined };

export const NameCard = (props: NameCardProps) => (
  <Card id="name" title="Name">
    <NameForm key={props.name} {...props} />
  </Card>
);

function NameForm({ name, result }: NameCardProps) {
  const [form, fields] = useFormOf<{ name: string }>(result, {
    id: 'name-form',
    defaultValue: { name },
    constraint: { name: { required: true, maxLength: NAME_MAX } },
  });
  return (
    <FormPanel
      form={form}
      action={useFormAt('name', 'name')}
      failure="Failed to save your name"
      preventScrollReset
    >
      <TextField
        field={fields.name}
        label="Full name"
        hint="Mails greet you with it, and previews of posts show it until LinkedIn is connected."
        autoComplete="name"
        dir="auto"
      />
      <div>
        <SubmitButton busyLabel="Saving…">Save name</SubmitButton>
      </div>
    </FormPanel>
  );
}
