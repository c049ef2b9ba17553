import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { LoginInput } from '#app/domain/accounts/schema.ts';
import { checkLogin } from '#app/domain/accounts/sign-in.ts';
import { submit } from '#app/http/forms.ts';
import { limit, welcome } from '#app/http/limit.ts';
import { notify } from '#app/http/notice.ts';
import { signIn } from '#app/http/session.ts';
import { rememberAttempt } from '#app/http/sign-up-cookie.ts';
import { AuthLayout } from '#app/ui/auth-layout.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form.tsx';
import { listOf } from '../kept.ts';
import type { Route } from './+types/login.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Sign in – Tidepost' }];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export function action({ request, context }: Route.ActionArgs) {
  const answer = async (input: LoginInput) => {
    await limit(request, 'sign-in', input.email);
    const login = await checkLogin(db(), input);
    if (!login.isVerified) {
      notify(context, 'error', 'Please verify your email first');
      return rememberAttempt(redirect('/verify-otp'), login);
    }
    await welcome(request, input.email);
    notify(context, 'success', 'Welcome back!');
    const asked = listOf(new URL(request.url).searchParams.get('to'));
    return signIn(request, login.userId, asked ?? (login.isAdmin ? '/app/admin' : '/app/dashboard'));
  };
  return submit({ request, context }, LoginInput, answer, { secret: ['password'] });
}

export default function Login({ actionData }: Route.ComponentProps) {
  const [form, fields] = useFormOf<LoginInput>(actionData, {
    id: 'login',
    constraint: { email: { required: true }, password: { required: true } },
  });
  return (
    <AuthLayout
      title="Welcome back"
      lead="Sign in to see what goes out next."
      footer={
        <>
          New to Tidepost?{' '}
          <Link to="/signup" className="link">
            Create an account
          </Link>
        </>
      }
    >
      <FormPanel form={form} failure="Login failed" asksToLeave={false}>
        <TextField field={fields.email} label="Email" type="email" autoComplete="username" />
        <PasswordField field={fields.password} label="Password" />
        <Link
          to="/forgot-password"
          className="link inline-flex min-h-11 items-center self-start text-sm sm:-my-2 sm:min-h-0"
        >
          Forgot password?
        </Link>
        <SubmitButton className="w-full" busyLabel="Signing in…">
          Sign In
        </SubmitButton>
      </FormPanel>
    </AuthLayout>
  );
}
