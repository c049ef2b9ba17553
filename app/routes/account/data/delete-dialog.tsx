import type { SubmissionResult } from '@conform-to/react';
import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';
import type { ProofInput } from '#app/domain/accounts/schema.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';

type DeleteDialogProps = {
  result?: SubmissionResult<string[]> | undefined;
  proof: 'password' | 'code';
  closeTo: string;
};

/** Asks for the password, or for a mailed code of who has none. */
export function DeleteDialog({ result, proof, closeTo }: DeleteDialogProps) {
  const [form, fields] = useFormOf<ProofInput>(result, { id: 'delete-account' });
  return (
    <Dialog title="Delete your account?" closeTo={closeTo} tone="danger">
      <p className="mt-3 mb-5 text-ink-2 text-pretty">
        Nothing is written or published from now on, you are signed out everywhere else, and your API tokens
        are revoked. We mail you a link with which you can keep the account for {DELETION_DAYS} days. Then
        everything in it is deleted, and cannot be brought back.
      </p>
      {proof === 'code' && <MailCode />}
      <FormPanel form={form} failure="Failed to delete the account" asksToLeave={false}>
        {proof === 'password' ? (
          <PasswordField field={fields.password} label="Your password" required />
        ) : (
          <TextField
            field={fields.otp}
            label="Code from the mail"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <ButtonLink to={closeTo} replace preventScrollReset variant="secondary">
            Keep my account
          </ButtonLink>
          <SubmitButton variant="danger" busyLabel="Deleting…">
            Delete account
          </SubmitButton>
        </div>
      </FormPanel>
    </Dialog>
  );
}

const MailCode = () => (
  <ActionForm
    action="/app/account/data/code"
    failure="Failed to mail a code"
    className="mb-5 flex flex-wrap items-center gap-3"
  >
    <p className="text-ink-2">You have no password, so we mail you a code.</p>
    <SubmitButton variant="secondary" size="sm" busyLabel="Mailing…">
      Mail me a code
    </SubmitButton>
  </ActionForm>
);
