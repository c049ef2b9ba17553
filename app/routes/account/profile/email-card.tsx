import type { SubmissionResult } from '@conform-to/react';
import { CODE_LENGTH, CODE_MINUTES, EMAIL_MAX } from '#app/domain/accounts/limits.ts';
import { CloseLink, OpenLink, useFormAt } from '#app/routes/account/inline-form.tsx';
import { ProofCode, ProofField } from '#app/routes/account/proof-field.tsx';
import { ResendForm } from '#app/routes/auth/resend-form.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { OtpInput } from '#app/ui/form/otp-input.tsx';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { spellNumber } from '#app/ui/text.ts';
import type { Profile } from './load.ts';

type Result = { result: SubmissionResult<string[]> | undefined };
type EmailCardProps = Pick<Profile, 'email' | 'change' | 'proof'> & Result & { isOpen: boolean };

export function EmailCard({ email, change, proof, isOpen, result }: EmailCardProps) {
  return (
    <Card
      id="email"
      title="Email"
      description={<span className="break-all">{email}</span>}
      actions={
        !isOpen &&
        !change && (
          <OpenLink form="email" card="email">
            Change email
          </OpenLink>
        )
      }
    >
      <InlineErrors isHere={(card) => card === 'email'} className="mb-4" />
      {isOpen && <NewEmail proof={proof} result={result} />}
      {!isOpen && change && <PendingChange {...change} email={email} result={result} />}
    </Card>
  );
}

function NewEmail({ proof, result }: Pick<Profile, 'proof'> & Result) {
  const [form, fields] = useFormOf<{ email: string; password: string; otp: string }>(result, {
    id: 'email-form',
    constraint: {
      email: { required: true, maxLength: EMAIL_MAX },
      password: { required: true },
      otp: { required: true },
    },
  });
  return (
    <>
      <ProofCode proof={proof} action={useFormAt('prove-email', 'email')} />
      <FormPanel
        form={form}
        action={useFormAt('email', 'email')}
        failure="Failed to change your email"
        preventScrollReset
        warnsOnLeave={false}
      >
        <TextField
          field={fields.email}
          label="New email"
          hint="We mail a code to it, and a word to your present address. Once you enter the code the address is changed, you are signed out everywhere else, and your API tokens are revoked."
          type="email"
          autoComplete="email"
          autoFocus
        />
        <ProofField proof={proof} fields={fields} />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel="Mailing…">Mail the code</SubmitButton>
          <CloseLink card="email" />
        </div>
      </FormPanel>
    </>
  );
}

type PendingChangeProps = NonNullable<Profile['change']> & { email: string } & Result;

function PendingChange({ newEmail, wait, email, result }: PendingChangeProps) {
  const [form, fields] = useFormOf<{ otp: string }>(result, { id: 'email-code-form' });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-2">
        Enter the {spellNumber(CODE_LENGTH)}-digit code that was mailed to{' '}
        <strong className="break-all text-ink">{newEmail}</strong>. It is valid for {CODE_MINUTES} minutes. An
        address that has an account already gets none.
      </p>
      <FormPanel
        form={form}
        action={useFormAt('code', 'email')}
        failure="Failed to change your email"
        preventScrollReset
        warnsOnLeave={false}
      >
        <OtpInput field={fields.otp} label="Code" submitLabel="Change email" busyLabel="Changing…" />
      </FormPanel>
      <div className="flex flex-wrap justify-between gap-3">
        <ResendForm
          action={useFormAt('again', 'email')}
          failure="Failed to resend the code"
          label="Resend code"
          wait={wait}
        />
        <ActionForm action={useFormAt('keep', 'email')} failure="Failed to end the change" preventScrollReset>
          <SubmitButton variant="ghost" title={`Keep ${email}`}>
            Keep the present email
          </SubmitButton>
        </ActionForm>
      </div>
    </div>
  );
}
