import type { SubmissionResult } from '@conform-to/react';
import { PASSWORD_MAX, PASSWORD_MIN } from '#app/domain/accounts/limits.ts';
import { CloseLink, OpenLink, useFormAt } from '#app/routes/account/inline-form.tsx';
import { type Proof, ProofCode, ProofField } from '#app/routes/account/proof-field.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { FormPanel, PasswordField, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import { StandingErrors } from '#app/ui/messages/inline-notices.tsx';

type PasswordCardProps = {
  proof: Proof;
  isOpen: boolean;
  result: SubmissionResult<string[]> | undefined;
};

export function PasswordCard({ proof, isOpen, result }: PasswordCardProps) {
  const hasPassword = proof.kind === 'password';
  return (
    <Card
      id="password"
      title="Password"
      description={
        hasPassword
          ? 'A new one signs you out everywhere else, and revokes your API tokens.'
          : 'You sign in without one. With a password you can sign in with your email, too.'
      }
      actions={
        !isOpen && (
          <OpenLink form="password" card="password">
            {hasPassword ? 'Change password' : 'Set a password'}
          </OpenLink>
        )
      }
    >
      <StandingErrors isHere={(at) => at === 'password'} className="mb-4" />
      {isOpen && <NewPassword proof={proof} result={result} />}
    </Card>
  );
}

const chosen = { required: true, minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX };
const CONSTRAINT = {
  password: { required: true },
  otp: { required: true },
  newPassword: chosen,
  confirmPassword: chosen,
};
type Fields = { password: string; otp: string; newPassword: string; confirmPassword: string };

function NewPassword({ proof, result }: Omit<PasswordCardProps, 'isOpen'>) {
  const [form, fields] = useFormOf<Fields>(result, { id: 'password-form', constraint: CONSTRAINT });
  return (
    <>
      <ProofCode proof={proof} action={useFormAt('prove-password', 'password')} />
      <FormPanel
        form={form}
        action={useFormAt('password', 'password')}
        failure="Failed to save the password"
        preventScrollReset
        asksToLeave={false}
      >
        <ProofField proof={proof} fields={fields} autoFocus />
        <PasswordField
          field={fields.newPassword}
          label="New password"
          hint={`At least ${PASSWORD_MIN} characters.`}
          autoComplete="new-password"
        />
        <PasswordField field={fields.confirmPassword} label="Confirm password" autoComplete="new-password" />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel="Saving…">Save password</SubmitButton>
          <CloseLink card="password" />
        </div>
      </FormPanel>
    </>
  );
}
