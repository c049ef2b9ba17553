import { KeyRound } from 'lucide-react';
import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import {
  CODE_LENGTH,
  CODE_MINUTES,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PROVIDER_NAMES,
} from '#app/domain/accounts/limits.ts';
import { findNextCodeAt } from '#app/domain/accounts/one-time-codes.ts';
import { resetPassword } from '#app/domain/accounts/password/reset.ts';
import { ResetForm } from '#app/domain/accounts/schema.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { clearReset, requireReset } from '#app/http/session/reset-cookie.ts';
import { codeRequester } from '#app/http/session/trusted-browser.ts';
import { presentWait } from '#app/routes/auth/present-wait.ts';
import { ResendForm, type Wait } from '#app/routes/auth/resend-form.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { spellNumber } from '#app/ui/text.ts';
import type { Route } from './+types/reset.ts';

const DONE = '/reset-password?state=done';

export const meta: Route.MetaFunction = ({ data }) => [
  { title: 'Choose a new password – Tidepost' },
  {
    name: 'description',
    content: 'Enter the code from our mail and choose a new password for your Tidepost account.',
  },
  ...(data?.isDone ? [{ httpEquiv: 'refresh', content: '2;url=/login' }] : []),
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

type PageData = { isDone: boolean; email: string; wait: Wait | null; unlinked: string[] };

export async function loader({ request, context }: Route.LoaderArgs): Promise<PageData> {
  const query = new URL(request.url).searchParams;
  const isDone = query.get('state') === 'done';
  const providers = query.getAll('unlinked');
  const unlinked = Object.entries(PROVIDER_NAMES).flatMap(([provider, name]) =>
    providers.includes(provider) ? name : [],
  );
  if (isDone) return { isDone, email: '', wait: null, unlinked };
  const { email } = await requireReset({ request, context });
  const now = databaseNow();
  const at = await findNextCodeAt(db(), email, now, await codeRequester(request, email));
  return { isDone, email, wait: presentWait(at && { at, timeZone: 'UTC' }, now), unlinked };
}

export async function action({ request, context }: Route.ActionArgs) {
  const pending = await requireReset({ request, context });
  const reset = async ({ otp, newPassword }: ResetForm) => {
    await limit(request, 'code', pending.email, { isKnown: true });
    const unlinked = await inConstantTime(() => resetPassword(db(), { ...pending, otp, newPassword }));
    setFlash(context, 'success', 'Password reset successfully!');
    return clearReset(redirect(DONE + unlinked.map(({ provider }) => `&unlinked=${provider}`).join('')));
  };
  return submit({ context }, ResetForm, reset, { secret: ['newPassword', 'confirmPassword'] });
}

const passwordConstraint = { required: true, minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX };
const constraint = {
  otp: { required: true },
  newPassword: passwordConstraint,
  confirmPassword: passwordConstraint,
};

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.isDone) return <Done unlinked={loaderData.unlinked} />;
  return (
    <AuthLayout
      title="Choose a new password"
      lead={
        <>
          If there is an account with <strong className="break-words text-ink">{loaderData.email}</strong>, a{' '}
          {spellNumber(CODE_LENGTH)}-digit code is on its way to it. It is valid for {CODE_MINUTES} minutes.
        </>
      }
      footer={
        <>
          Remembered it?{' '}
          <Link to="/login" className="link inline-flex min-h-11 items-center">
            Sign in
          </Link>
        </>
      }
    >
      <NewPassword result={actionData} />
      <div className="mt-4">
        <ResendForm
          action="/reset-password/resend"
          failure="Failed to resend code"
          label="Resend code"
          wait={loaderData.wait}
        />
      </div>
    </AuthLayout>
  );
}

function NewPassword({ result }: { result: Route.ComponentProps['actionData'] }) {
  const [form, fields] = useFormOf<ResetForm>(result, { id: 'reset-password', constraint });
  return (
    <FormPanel form={form} failure="Failed to reset the password" warnsOnLeave={false}>
      <TextField
        field={fields.otp}
        label={`${CODE_LENGTH}-digit code`}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
      />
      <PasswordField
        field={fields.newPassword}
        label="New password"
        hint={`At least ${PASSWORD_MIN} characters. You are signed out everywhere, and your API tokens are revoked.`}
        autoComplete="new-password"
      />
      <PasswordField field={fields.confirmPassword} label="Confirm password" autoComplete="new-password" />
      <SubmitButton className="w-full" busyLabel="Saving…">
        Reset Password
      </SubmitButton>
    </FormPanel>
  );
}

function Done({ unlinked }: { unlinked: string[] }) {
  const verb = unlinked.length > 1 ? 'sign' : 'signs';
  const alsoUnlinked =
    unlinked.length > 0 ? `${unlinked.join(' and ')} ${verb} in no more: our mail says why. ` : '';
  return (
    <AuthLayout
      title="Password reset!"
      lead={`You were signed out everywhere. ${alsoUnlinked}Taking you to where you sign in with the new password…`}
    >
      <KeyRound aria-hidden size={48} strokeWidth={1.5} className="mx-auto mb-6 text-brand" />
      {/* A client-side navigation would leave the page's refresh running. */}
      <ButtonLink to="/login" reloadDocument className="w-full">
        Sign in
      </ButtonLink>
    </AuthLayout>
  );
}
