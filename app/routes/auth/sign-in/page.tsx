import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { LoginInput, socialErrorText } from '#app/domain/accounts/schema.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { configuredProviders } from '#app/http/oauth/oauth.ts';
import { absoluteUrl } from '#app/http/public-site.ts';
import { limit, resetAfterSignIn } from '#app/http/rate-limit.ts';
import { sharePage } from '#app/http/server/page-cache.ts';
import { findReturnTo } from '#app/http/session/return-to-cookie.ts';
import { requiresSecondStep } from '#app/http/session/second-step-cookie.ts';
import { signIn } from '#app/http/session/session.ts';
import { rememberAttempt } from '#app/http/session/sign-up-cookie.ts';
import { isTrustedBrowser } from '#app/http/session/trusted-browser.ts';
import { ContinueWithProvider } from '#app/routes/auth/oauth/buttons.tsx';
import { parseReturnTo } from '#app/routes/auth/return-to.ts';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { canonicalLink } from '#app/ui/layout/meta.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import { PasskeyButton } from './passkey-button.tsx';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: 'Sign in – Tidepost' },
  { name: 'description', content: 'Sign in to Tidepost: your topics, your queue of posts and their times.' },
  ...canonicalLink(loaderData?.address),
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

const UNVERIFIED = 'Please verify your email first';

export function loader({ request, context }: Route.LoaderArgs) {
  sharePage(request, context);
  const query = new URL(request.url).searchParams;
  return {
    providers: configuredProviders(),
    to: parseReturnTo(query.get('to')),
    failure: socialErrorText(query.get('failed') ?? ''),
    address: absoluteUrl('/login'),
  };
}

export function action({ request, context }: Route.ActionArgs) {
  const logIn = async (input: LoginInput) => {
    await limit(request, 'sign-in', input.email, { isKnown: await isTrustedBrowser(request, input.email) });
    const login = await checkLogin(db(), input);
    if (!login.isVerified) {
      const { signUpId, email, waits } = login;
      setFlash(context, 'error', waits ? `${UNVERIFIED}. ${waits}` : UNVERIFIED);
      if (!waits) setFlash(context, 'success', 'New OTP sent! Check your email for verification code.');
      return rememberAttempt(redirect('/verify-otp'), { signUpId, email });
    }
    const returnTo =
      parseReturnTo(new URL(request.url).searchParams.get('to')) ?? (await findReturnTo(request));
    const to = returnTo ?? (login.isAdmin ? '/app/admin' : '/app/dashboard');
    const response = await signIn(request, login.userId, to, { passwordHash: login.passwordHash });
    if (requiresSecondStep(response)) return response;
    await resetAfterSignIn(request, input.email);
    setFlash(context, 'success', 'Welcome back!');
    return response;
  };
  return submit({ context }, LoginInput, logIn, { secret: ['password'] });
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
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
      {loaderData.failure && (
        <Banner tone="danger" className="mb-4">
          {loaderData.failure}
        </Banner>
      )}
      <FormPanel form={form} failure="Login failed" warnsOnLeave={false}>
        <TextField field={fields.email} label="Email" type="email" autoComplete="username" />
        <PasswordField field={fields.password} label="Password" />
        <Link
          to="/forgot-password"
          className="link -my-2 inline-flex min-h-11 items-center self-start text-sm sm:min-h-0"
        >
          Forgot password?
        </Link>
        <SubmitButton className="w-full" busyLabel="Signing in…">
          Sign In
        </SubmitButton>
      </FormPanel>
      <ContinueWithProvider providers={loaderData.providers} from="login" to={loaderData.to} />
      <PasskeyButton step="alone" label="Sign in with a passkey" to={loaderData.to} />
    </AuthLayout>
  );
}
