import { MailCheck } from 'lucide-react';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { CODE_LENGTH, CODE_MINUTES } from '#app/domain/accounts/limits.ts';
import { OtpForm } from '#app/domain/accounts/schema.ts';
import { findResendAt, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limit, resetAfterSignIn } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { signIn } from '#app/http/session/session.ts';
import { clearAttempt, requireAttempt } from '#app/http/session/sign-up-cookie.ts';
import { presentWait } from '#app/routes/auth/present-wait.ts';
import { ResendForm } from '#app/routes/auth/resend-form.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, useFormOf } from '#app/ui/form/form.tsx';
import { OtpInput } from '#app/ui/form/otp-input.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { spellNumber } from '#app/ui/text.ts';
import type { Route } from './+types/verify-otp.ts';

const VERIFIED = '/verify-otp?state=verified';

export const meta: Route.MetaFunction = ({ data }) => [
  { title: 'Verify your email – Tidepost' },
  {
    name: 'description',
    content: 'Enter the code from our mail, and your Tidepost account is ready to plan its first posts.',
  },
  ...(data?.isVerified ? [{ httpEquiv: 'refresh', content: '2;url=/app/dashboard' }] : []),
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const isSignedIn = Boolean(context.get(viewerContext));
  const isVerified = new URL(request.url).searchParams.get('state') === 'verified';
  if (isSignedIn && isVerified) return { isVerified, email: '', wait: null };
  const attempt = await requireAttempt({ request, context });
  const now = databaseNow();
  return {
    isVerified: false,
    email: attempt.email,
    wait: presentWait(await findResendAt(db(), attempt, now), now),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const attempt = await requireAttempt({ request, context });
  return submit({ context }, OtpForm, async ({ otp }) => {
    await limit(request, 'code', attempt.email, { isKnown: true });
    const { userId } = await inConstantTime(() => verifySignUp(db(), { ...attempt, otp }));
    await resetAfterSignIn(request, attempt.email);
    setFlash(context, 'success', 'Email verified successfully! Logging you in...');
    return clearAttempt(await signIn(request, userId, VERIFIED));
  });
}

export default function VerifyOtp({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useFormOf<{ otp: string }>(actionData, { id: 'verify' });
  if (loaderData.isVerified) return <Verified />;
  return (
    <AuthLayout
      title="Check your email"
      lead={
        <>
          We sent a {spellNumber(CODE_LENGTH)}-digit code to{' '}
          <strong className="break-words text-ink">{loaderData.email}</strong>. It is valid for {CODE_MINUTES}{' '}
          minutes.
        </>
      }
    >
      <FormPanel form={form} failure="Verification failed" warnsOnLeave={false}>
        <OtpInput
          field={fields.otp}
          label="Verification code"
          submitLabel="Verify Email"
          busyLabel="Verifying…"
        />
      </FormPanel>
      <div className="mt-4 flex flex-wrap justify-between gap-3">
        <ResendForm
          action="/verify-otp/resend"
          failure="Failed to resend OTP"
          label="Resend"
          wait={loaderData.wait}
        />
        <ActionForm action="/logout" failure="Failed to go back">
          <SubmitButton variant="ghost">Back to Login</SubmitButton>
        </ActionForm>
      </div>
    </AuthLayout>
  );
}

function Verified() {
  return (
    <AuthLayout title="Email Verified!" lead="Your account is ready. Taking you to your dashboard…">
      <MailCheck aria-hidden size={48} strokeWidth={1.5} className="mx-auto mb-6 text-brand" />
      {/* A client-side navigation would leave the page's refresh running. */}
      <ButtonLink to="/app/dashboard" reloadDocument className="w-full">
        Go to the dashboard
      </ButtonLink>
    </AuthLayout>
  );
}
