import { useLocation } from 'react-router';
import { SubmitButton } from '#app/ui/form/button.tsx';
import type { Field } from '#app/ui/form/field.tsx';
import { PasswordField, TextField } from '#app/ui/form/form.tsx';

/** See `findReauthMethod`. */
export type ProofKind = 'password' | 'code';

type ProofFieldsProps = { kind: ProofKind; fields: { password: Field; otp: Field } };

/** The field that confirms the user's identity, with a button that mails a code. `ReauthInput` parses it. */
export function ProofFields({ kind, fields }: ProofFieldsProps) {
  const { pathname, search } = useLocation();
  if (kind === 'password') {
    return <PasswordField field={fields.password} label="Your password" required />;
  }
  return (
    <div className="grid gap-2">
      {/* Enter presses the first button of a form: it has to submit the form, and not mail a code. */}
      <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
      <TextField
        field={fields.otp}
        label="Code from your mail"
        hint="You have no password, so we mail you a code to make sure that it is you."
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      <div>
        <SubmitButton
          variant="secondary"
          size="sm"
          formAction="/app/account/second-step/prove"
          formNoValidate
          name="back"
          value={`${pathname}${search}`}
        >
          Mail me a code
        </SubmitButton>
      </div>
    </div>
  );
}
