import { CODE_LENGTH } from '#app/domain/accounts/limits.ts';
import { ResendForm, type Wait } from '#app/routes/auth/resend-form.tsx';
import { PasswordField, TextField, type useFormOf } from '#app/ui/form/form.tsx';

/** How the user confirms their identity, and how long until another code can be mailed. */
export type Proof = { kind: 'password' | 'code'; wait: Wait | null };
type Fields = ReturnType<typeof useFormOf<{ password: string; otp: string }>>[1];

type ProofFieldProps = { proof: Proof; fields: Fields; autoFocus?: boolean };

export const ProofField = ({ proof, fields, ...input }: ProofFieldProps) =>
  proof.kind === 'password' ? (
    <PasswordField
      field={fields.password}
      label="Your password"
      hint="So that nobody else can change it."
      {...input}
    />
  ) : (
    <TextField
      field={fields.otp}
      label={`${CODE_LENGTH}-digit code`}
      hint="The one that was mailed to the address of your account."
      inputMode="numeric"
      autoComplete="one-time-code"
      {...input}
    />
  );

/** Mails the code to users without a password. A form of its own, so it goes above the form of the `ProofField`. */
export const ProofCode = ({ proof, action }: { proof: Proof; action: string }) =>
  proof.kind === 'code' && (
    <div className="mb-5">
      <p className="mb-3 text-sm text-ink-2">You have no password here. Prove with a code that it is you.</p>
      <ResendForm
        action={action}
        failure="Failed to send the code"
        label="Mail me a code"
        wait={proof.wait}
      />
    </div>
  );
