import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '#app/domain/accounts/limits.ts';
import { SignUpForm } from '#app/domain/accounts/schema.ts';
import { startSignUp } from '#app/domain/accounts/sign-ups.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { submit } from '#app/http/forms.ts';
import { limit } from '#app/http/limit.ts';
import { notify } from '#app/http/notice.ts';
import { rememberAttempt } from '#app/http/sign-up-cookie.ts';
import { AuthLayout } from '#app/ui/auth-layout.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import { inWordsFirst } from '#app/ui/in-words.ts';
import type { Route } from './+types/signup.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Create your account – Tidepost' }];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export function action({ request, context }: Route.ActionArgs) {
  const answer = async (input: SignUpForm) => {
    await limit(request, 'sign-up', input.email);
    const started = await startSignUp(db(), input);
    const what = started.isRepeated ? 'New OTP sent!' : 'Account created!';
    notify(context, 'success', `${what} Check your email for verification code.`);
    return rememberAttempt(redirect('/verify-otp'), started);
  };
  return submit({ request, context }, SignUpForm, answer, { secret: ['password', 'confirmPassword'] });
}

const passwordConstraint = { required: true, minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX };
const constraint = {
  name: { required: true, maxLength: NAME_MAX },
  email: { required: true, maxLength: EMAIL_MAX },
  password: passwordConstraint,
  confirmPassword: passwordConstraint,
};

export default function SignUp({ actionData }: Route.ComponentProps) {
  const [form, fields] = useFormOf<SignUpForm>(actionData, { id: 'signup', constraint });
  return (
    <AuthLayout
      title="Create your account"
      lead={`${inWordsFirst(FREE_POSTS_A_MONTH)} posts a month are free. No card needed.`}
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" className="link">
            Sign in
          </Link>
        </>
      }
    >
      <FormPanel form={form} failure="Signup failed" asksToLeave={false}>
        <TextField field={fields.name} label="Full name" autoComplete="name" />
        <TextField field={fields.email} label="Email" type="email" autoComplete="username" />
        <PasswordField
          field={fields.password}
          label="Password"
          hint={`At least ${PASSWORD_MIN} characters`}
          autoComplete="new-password"
        />
        <PasswordField field={fields.confirmPassword} label="Confirm password" autoComplete="new-password" />
        <TimeZoneInput />
        <SubmitButton className="w-full" busyLabel="Creating…">
          Create Account
        </SubmitButton>
      </FormPanel>
    </AuthLayout>
  );
}

/** The browser's zone, once scripts run; empty means UTC. */
function TimeZoneInput() {
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : '';
  return <input type="hidden" name="timeZone" value={zone} />;
}
