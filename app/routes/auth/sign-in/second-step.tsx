import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { CODE_LENGTH, RECOVERY_CODES_FEW } from '#app/domain/accounts/limits.ts';
import { SecondStepForm } from '#app/domain/accounts/schema.ts';
import { findFactors, passSecondStep, supportEmail } from '#app/domain/accounts/two-step/verify.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limit, resetAfterSignIn } from '#app/http/rate-limit.ts';
import { clearSecondStep, requireHalfSignedIn } from '#app/http/session/second-step-cookie.ts';
import { signIn } from '#app/http/session/session.ts';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { OtpInput } from '#app/ui/form/otp-input.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { spellNumber } from '#app/ui/text.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { Route } from './+types/second-step.ts';
import { PasskeyButton } from './passkey-button.tsx';

type Method = 'app' | 'passkey' | 'recovery';

export const meta: Route.MetaFunction = () =>
  pageMeta(
    'Second step',
    'Confirm with your app, a passkey or a recovery code that it is you who signs in to Tidepost.',
  );

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { userId } = await requireHalfSignedIn({ request, context });
  const { hasApp, passkeys } = await findFactors(db(), userId);
  const isRecovery = new URL(request.url).searchParams.get('with') === 'recovery-code';
  const method: Method = isRecovery ? 'recovery' : hasApp ? 'app' : 'passkey';
  return { method, hasApp, hasPasskey: passkeys > 0, support: supportEmail() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const half = await requireHalfSignedIn({ request, context });
  return submit({ context }, SecondStepForm, async ({ otp }) => {
    const { userId, email, to, passwordHash } = half;
    await limit(request, 'code', userId, { isKnown: true });
    await passSecondStep(db(), userId, otp);
    const response = await signIn(request, userId, to, { isPassed: true, passwordHash });
    await resetAfterSignIn(request, email);
    setFlash(context, 'success', 'Welcome back!');
    await warnOfFewCodes(userId, context);
    return clearSecondStep(response);
  });
}

async function warnOfFewCodes(userId: string, context: Route.ActionArgs['context']) {
  const { recoveryCodes } = await findFactors(db(), userId);
  if (recoveryCodes > RECOVERY_CODES_FEW) return;
  const left = recoveryCodes === 0 ? 'no recovery codes' : `only ${recoveryCodes} recovery codes`;
  setFlash(context, 'info', `You have ${left} left. Make new ones in your security settings.`);
}

const LEADS: Record<Method, string> = {
  app: `Enter the ${spellNumber(CODE_LENGTH)} digits that your authenticator app shows now.`,
  passkey: 'Your account asks for a passkey as well.',
  recovery: 'Enter one of the recovery codes that you kept. Each works once.',
};

export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { method, hasApp, hasPasskey, support } = loaderData;
  return (
    <AuthLayout
      title="One more step"
      lead={LEADS[method]}
      footer={
        <Link to="/login" className="link inline-flex min-h-11 items-center">
          Back to Sign In
        </Link>
      }
    >
      {method === 'passkey' ? (
        <PasskeysNeedScripts />
      ) : (
        <CodeForm key={method} method={method} result={actionData} />
      )}
      {hasPasskey && method !== 'recovery' && (
        <PasskeyButton step="second" label="Use a passkey" autoFocus={method === 'passkey'} />
      )}
      <p className="mt-4">
        <Link
          to={method === 'recovery' ? '/login/second-step' : '/login/second-step?with=recovery-code'}
          className="link inline-flex min-h-11 items-center text-sm"
        >
          {method === 'recovery'
            ? `Use your ${hasApp ? 'authenticator app' : 'passkey'}`
            : 'Use a recovery code'}
        </Link>
      </p>
      {method === 'recovery' && <RecoveryHelp support={support} />}
    </AuthLayout>
  );
}

const RecoveryHelp = ({ support }: { support: string }) => (
  <p className="text-sm text-ink-2">
    No code left either? Write to{' '}
    <a href={`mailto:${support}`} className="link">
      {support}
    </a>{' '}
    from the address of your account.
  </p>
);

function PasskeysNeedScripts() {
  if (useHydrated()) return null;
  return <p className="text-ink-2">Passkeys need scripts. Without them you can use a recovery code.</p>;
}

function CodeForm({ method, result }: { method: Method; result: Route.ComponentProps['actionData'] }) {
  const [form, fields] = useFormOf<{ otp: string }>(result, { id: 'second-step' });
  return (
    <FormPanel form={form} failure="Sign-in failed" warnsOnLeave={false}>
      {method === 'app' ? (
        <OtpInput field={fields.otp} label="Code of your app" submitLabel="Sign In" busyLabel="Signing in…" />
      ) : (
        <>
          <TextField
            field={fields.otp}
            label="Recovery code"
            autoComplete="off"
            autoCapitalize="characters"
            autoFocus
            required
          />
          <SubmitButton className="w-full" busyLabel="Signing in…">
            Sign In
          </SubmitButton>
        </>
      )}
    </FormPanel>
  );
}
