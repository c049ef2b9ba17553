import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '#app/domain/accounts/limits.ts';
import { SignUpForm } from '#app/domain/accounts/schema.ts';
import { startSignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { configuredProviders } from '#app/http/oauth/oauth.ts';
import { absoluteUrl } from '#app/http/public-site.ts';
import { limit } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { rememberAttempt } from '#app/http/session/sign-up-cookie.ts';
import { ContinueWithProvider } from '#app/routes/auth/oauth/buttons.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { canonicalLink } from '#app/ui/layout/meta.ts';
import { spellNumberFirst } from '#app/ui/text.ts';
import type { Route } from './+types/page.ts';
import { TimeZoneInput } from './time-zone-input.tsx';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: 'Create your account – Tidepost' },
  {
    name: 'description',
    content:
      'Create a Tidepost account and read your first post today. Some posts a month are free, without a card.',
  },
  ...canonicalLink(loaderData?.address),
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const loader = () => ({ providers: configuredProviders(), address: absoluteUrl('/signup') });

export function action({ request, context }: Route.ActionArgs) {
  const signUp = async (input: SignUpForm) => {
    await limit(request, 'sign-up', input.email);
    const attempt = await inConstantTime(() => startSignUp(db(), input));
    const outcome = attempt.isRepeated ? 'New OTP sent!' : 'Account created!';
    setFlash(context, 'success', `${outcome} Check your email for verification code.`);
    return rememberAttempt(redirect('/verify-otp'), attempt);
  };
  return submit({ context }, SignUpForm, signUp, { secret: ['password', 'confirmPassword'] });
}

const passwordConstraint = { required: true, minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX };
const constraint = {
  name: { required: true, maxLength: NAME_MAX },
  email: { required: true, maxLength: EMAIL_MAX },
  password: passwordConstraint,
  confirmPassword: passwordConstraint,
};

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useFormOf<SignUpForm>(actionData, { id: 'signup', constraint });
  return (
    <AuthLayout
      title="Create your account"
      lead={`${spellNumberFirst(FREE_POSTS_A_MONTH)} free posts a month. No card.`}
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" className="link">
            Sign in
          </Link>
        </>
      }
    >
      <FormPanel form={form} failure="Signup failed" warnsOnLeave={false} className="gap-4">
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
      <ContinueWithProvider providers={loaderData.providers} from="signup" />
    </AuthLayout>
  );
}
