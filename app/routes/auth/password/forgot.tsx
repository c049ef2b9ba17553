import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { EMAIL_MAX } from '#app/domain/accounts/limits.ts';
import { startReset } from '#app/domain/accounts/password/reset.ts';
import { ForgotInput } from '#app/domain/accounts/schema.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { findReset, rememberReset } from '#app/http/session/reset-cookie.ts';
import { codeRequester } from '#app/http/session/trusted-browser.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/forgot.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta(
    'Forgot password',
    'Have a code mailed to you and choose a new password for your Tidepost account.',
  );

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const loader = async ({ request }: Route.LoaderArgs) => ({ hasCode: !!(await findReset(request)) });

export function action({ request, context }: Route.ActionArgs) {
  return submit({ context }, ForgotInput, async ({ email }) => {
    await limit(request, 'forgot', email);
    const requester = await codeRequester(request, email);
    const reset = await inConstantTime(() => startReset(db(), email, databaseNow(), requester));
    setFlash(context, 'success', 'Password reset code sent! Check your email.');
    return rememberReset(redirect('/reset-password'), reset);
  });
}

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const constraint = { email: { required: true, maxLength: EMAIL_MAX } };
  const [form, fields] = useFormOf<ForgotInput>(actionData, { id: 'forgot-password', constraint });
  return (
    <AuthLayout
      title="Forgot your password?"
      lead="Tell us the address you sign in with. We mail a code to it, if there is an account."
      footer={
        <>
          Remembered it?{' '}
          <Link to="/login" className="link inline-flex min-h-11 items-center">
            Sign in
          </Link>
        </>
      }
    >
      <FormPanel form={form} failure="Failed to send reset code" warnsOnLeave={false}>
        <TextField field={fields.email} label="Email" type="email" autoComplete="username" />
        <SubmitButton className="w-full" busyLabel="Sending…">
          Send Reset Code
        </SubmitButton>
      </FormPanel>
      {loaderData.hasCode && (
        <ButtonLink to="/reset-password" variant="ghost" className="mt-4 w-full">
          Enter the code you have
        </ButtonLink>
      )}
    </AuthLayout>
  );
}
