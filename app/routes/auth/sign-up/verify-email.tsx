import { MailCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { data, Link, redirect } from 'react-router';
import { z } from 'zod';
import { db } from '#app/db/client.ts';
import { findSignUpByLink, verifyByLink } from '#app/domain/accounts/sign-up/verify-link.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { PRIVATE_HEADERS } from '#app/http/private-headers.ts';
import { limit } from '#app/http/rate-limit.ts';
import { clearAttempt, findAttempt } from '#app/http/session/sign-up-cookie.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/verify-email.ts';

const DONE = '/verify-email?state=done';

export const meta: Route.MetaFunction = () => [
  ...pageMeta(
    'Verify your email',
    'The link from our mail confirms your address, and your Tidepost account is ready.',
  ),
  { name: 'robots', content: 'noindex, nofollow' },
];

export const headers: Route.HeadersFunction = () => PRIVATE_HEADERS;

type PageData =
  | { state: 'done' }
  | { state: 'invalid'; hasToken: boolean }
  | { state: 'verifying'; email: string; isSameBrowser: boolean };

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const respond = (page: PageData, status = 200) => data(page, { status, headers: PRIVATE_HEADERS });
  if (searchParams.get('state') === 'done') return respond({ state: 'done' });
  const token = searchParams.get('token') ?? '';
  const linked = await findSignUpByLink(db(), token);
  if (!linked) return respond({ state: 'invalid', hasToken: token !== '' }, 400);
  const attempt = await findAttempt(request);
  return respond({
    state: 'verifying',
    email: linked.email,
    isSameBrowser: attempt?.signUpId === linked.id,
  });
}

const LinkForm = z.object({ password: z.string().optional() });
type LinkForm = z.output<typeof LinkForm>;

export function action({ request, context }: Route.ActionArgs) {
  const verify = async ({ password }: LinkForm) => {
    const token = new URL(request.url).searchParams.get('token') ?? '';
    const linked = await findSignUpByLink(db(), token);
    // The link proves access to the mail, so failed attempts of others at this address do not count.
    if (linked) await limit(request, 'code', linked.email, { isKnown: true });
    const attempt = await findAttempt(request);
    await verifyByLink(db(), token, { signUpId: attempt?.signUpId, password });
    setFlash(context, 'success', 'Email verified successfully!');
    return clearAttempt(redirect(DONE));
  };
  return submit({ context }, LinkForm, verify, { secret: ['password'] });
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
      <AuthLayout
        title="Invalid verification link"
        lead={loaderData.hasToken ? USED_OR_EXPIRED : TOKEN_MISSING}
      >
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

const USED_OR_EXPIRED =
  'It was used already, a newer one was mailed, or it is more than a day old. If your address is verified, sign in. If not, sign up again.';
const TOKEN_MISSING =
  'A part of its address is missing. Open the link in the mail again, or enter the code that is beside it.';

type VerifyingProps = {
  email: string;
  isSameBrowser: boolean;
  result: Route.ComponentProps['actionData'];
};

function Verifying({ email, isSameBrowser, result }: VerifyingProps) {
  const [form, fields] = useFormOf<LinkForm>(result, { id: 'verify-email' });
  const button = useRef<HTMLDivElement>(null);
  const isSubmitted = result !== undefined;
  useEffect(() => {
    if (isSameBrowser && !isSubmitted) button.current?.closest('form')?.requestSubmit();
  }, [isSameBrowser, isSubmitted]);
  return (
    <AuthLayout
      title="Verify your email"
      lead={
        isSameBrowser ? (
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
      footer={
        <>
          Verified already?{' '}
          <Link to="/login" className="link inline-flex min-h-11 items-center">
            Sign in
          </Link>
        </>
      }
    >
      <FormPanel form={form} failure="Verification failed" warnsOnLeave={false}>
        {!isSameBrowser && <PasswordField field={fields.password} label="Password" required />}
        <div ref={button}>
          <SubmitButton className="w-full" busyLabel="Verifying…">
            Verify Email
          </SubmitButton>
        </div>
      </FormPanel>
    </AuthLayout>
  );
}
