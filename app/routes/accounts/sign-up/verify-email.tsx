import { MailCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { data, Link, redirect } from 'react-router';
import { z } from 'zod';
import { db } from '#app/db/client.ts';
import { findSignUpByLink, verifyByLink } from '#app/domain/accounts/sign-up/verify-link.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import { clearAttempt, findAttempt } from '#app/http/session/sign-up-cookie.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import type { Route } from './+types/verify-email.ts';

const DONE = '/verify-email?state=done';

export const meta: Route.MetaFunction = () => [
  { title: 'Verify your email – Tidepost' },
  {
    name: 'description',
    content: 'The link from our mail confirms your address, and your Tidepost account is ready.',
  },
  { name: 'robots', content: 'noindex, nofollow' },
];

/** The address is a key, so no other site is told it. */
const PRIVATE = { 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex, nofollow' };

export const headers: Route.HeadersFunction = () => PRIVATE;

type Outcome =
  | { state: 'done' }
  | { state: 'invalid'; isWhole: boolean }
  /** `isOwn`: this browser began the sign-up. */
  | { state: 'verifying'; email: string; isOwn: boolean };

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const show = (shown: Outcome, status = 200) => data(shown, { status, headers: PRIVATE });
  if (searchParams.get('state') === 'done') return show({ state: 'done' });
  const token = searchParams.get('token') ?? '';
  const linked = await findSignUpByLink(db(), token);
  if (!linked) return show({ state: 'invalid', isWhole: token !== '' }, 400);
  const attempt = await findAttempt(request);
  return show({ state: 'verifying', email: linked.email, isOwn: attempt?.signUpId === linked.id });
}

const LinkForm = z.object({ password: z.string().optional() });
type LinkForm = z.output<typeof LinkForm>;

export function action({ request, context }: Route.ActionArgs) {
  const answer = async ({ password }: LinkForm) => {
    const token = new URL(request.url).searchParams.get('token') ?? '';
    const linked = await findSignUpByLink(db(), token);
    // Who has the link has the mail: what strangers try at the address keeps nobody from it.
    if (linked) await limit(request, 'code', linked.email, { isKnown: true });
    const attempt = await findAttempt(request);
    await verifyByLink(db(), token, { signUpId: attempt?.signUpId, password });
    notify(context, 'success', 'Email verified successfully!');
    return clearAttempt(redirect(DONE));
  };
  return submit({ context }, LinkForm, answer, { secret: ['password'] });
}

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.state === 'done') {
    return (
      <AuthLayout title="Email Verified!" lead="Your account is ready. Sign in with the password you chose.">
        <MailCheck aria-hidden size={48} strokeWidth={1.5} className="mx-auto mb-6 text-brand" />
        <ButtonLink to="/login" className="w-full">
          Sign in
        </ButtonLink>
      </AuthLayout>
    );
  }
  if (loaderData.state === 'invalid') {
    return (
      <AuthLayout title="Invalid verification link" lead={loaderData.isWhole ? OVER : CUT}>
        <div className="grid gap-3">
          <ButtonLink to="/login">Sign in</ButtonLink>
          <ButtonLink to="/signup" variant="secondary">
            Create an account
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return <Verifying {...loaderData} result={actionData} />;
}

const OVER =
  'It was used already, a newer one was mailed, or it is more than a day old. If your address is verified, sign in. If not, sign up again.';
const CUT =
  'A part of its address is missing. Open the link in the mail again, or enter the code that is beside it.';

const SignInLink = () => (
  <>
    Verified already?{' '}
    <Link to="/login" className="link inline-flex min-h-11 items-center">
      Sign in
    </Link>
  </>
);

type VerifyingProps = { email: string; isOwn: boolean; result: Route.ComponentProps['actionData'] };

function Verifying({ email, isOwn, result }: VerifyingProps) {
  const [form, fields] = useFormOf<LinkForm>(result, { id: 'verify-email' });
  const button = useRef<HTMLDivElement>(null);
  const isAnswered = result !== undefined;
  useEffect(() => {
    if (isOwn && !isAnswered) button.current?.closest('form')?.requestSubmit();
  }, [isOwn, isAnswered]);
  return (
    <AuthLayout
      title="Verify your email"
      lead={
        isOwn ? (
          <>
            This makes your account with <strong className="break-words text-ink">{email}</strong>.
          </>
        ) : (
          <>
            Somebody signed up with <strong className="break-words text-ink">{email}</strong>. If it was you,
            enter the password you chose then. If not, close this page: no account is made.
          </>
        )
      }
      footer={<SignInLink />}
    >
      <FormPanel form={form} failure="Verification failed" asksToLeave={false}>
        {!isOwn && <PasswordField field={fields.password} label="Password" required />}
        <div ref={button}>
          <SubmitButton className="w-full" busyLabel="Verifying…">
            Verify Email
          </SubmitButton>
        </div>
      </FormPanel>
    </AuthLayout>
  );
}
