import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { CODE_LENGTH, RECOVERY_CODES_FEW } from '#app/domain/accounts/limits.ts';
import { SecondStepForm } from '#app/domain/accounts/schema.ts';
import { findFactors, passSecondStep, supportEmail } from '#app/domain/accounts/two-step/verify.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limit, welcome } from '#app/http/rate-limit.ts';
import { clearSecondStep, requireHalfSignedIn } from '#app/http/session/second-step-cookie.ts';
import { signIn } from '#app/http/session/session.ts';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { OtpInput } from '#app/ui/form/otp-input.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { inWords } from '#app/ui/text.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { Route } from './+types/second-step.ts';
import { PasskeyButton } from './passkey-button.tsx';

type Way = 'app' | 'passkey' | 'recovery';

export const meta: Route.MetaFunction = () => [
  { title: 'Second step – Tidepost' },
  {
    name: 'description',
    content: 'Confirm with your app, a passkey or a recovery code that it is you who signs in to Tidepost.',
  },
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { userId } = await requireHalfSignedIn({ request, context });
  const { hasApp, passkeys } = await findFactors(db(), userId);
  const isRecovery = new URL(request.url).searchParams.get('with') === 'recovery-code';
  const way: Way = isRecovery ? 'recovery' : hasApp ? 'app' : 'passkey';
  return { way, hasApp, hasPasskey: passkeys > 0, support: supportEmail() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const half = await requireHalfSignedIn({ request, context });
  return submit({ context }, SecondStepForm, async ({ otp }) => {
    const { userId, email, to, passwordHash } = half;
    await limit(request, 'code', userId, { isKnown: true });
    await passSecondStep(db(), userId, otp);
    const answer = await signIn(request, userId, to, { isPassed: true, passwordHash });
    await welcome(request, email);
    notify(context, 'success', 'Welcome back!');
    await warnOfFewCodes(userId, context);
    return clearSecondStep(answer);
  });
}

async function warnOfFewCodes(userId: string, context: Route.ActionArgs['context']) {
  const { recoveryCodes } = await findFactors(db(), userId);
  if (recoveryCodes > RECOVERY_CODES_FEW) return;
  const left = recoveryCodes === 0 ? 'no recovery codes' : `only ${recoveryCodes} recovery codes`;
  notify(context, 'info', `You have ${left} left. Make new ones in your security settings.`);
}

const LEADS: Record<Way, string> = {
  app: `Enter the ${inWords(CODE_LENGTH)} digits that your authenticator app shows now.`,
  passkey: 'Your account asks for a passkey as well.',
  recovery: 'Enter one of the recovery codes that you kept. Each works once.',
};

export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { way, hasApp, hasPasskey, support } = loaderData;
  return (
    <AuthLayout
      title="One more step"
      lead={LEADS[way]}
      footer={
        <Link to="/login" className="link inline-flex min-h-11 items-center">
          Back to Sign In
        </Link>
      }
    >
      {way === 'passkey' ? <PasskeyNeeded /> : <CodeForm key={way} way={way} result={actionData} />}
      {hasPasskey && way !== 'recovery' && (
        <PasskeyButton step="second" label="Use a passkey" autoFocus={way === 'passkey'} />
      )}
      <p className="mt-4">
        <Link
          to={way === 'recovery' ? '/login/second-step' : '/login/second-step?with=recovery-code'}
          className="link inline-flex min-h-11 items-center text-sm"
        >
          {way === 'recovery'
            ? `Use your ${hasApp ? 'authenticator app' : 'passkey'}`
            : 'Use a recovery code'}
        </Link>
      </p>
      {way === 'recovery' && <NothingLeft support={support} />}
    </AuthLayout>
  );
}

const NothingLeft = ({ support }: { support: string }) => (
  <p className="text-sm text-ink-2">
    No code left either? Write to{' '}
    <a href={`mailto:${support}`} className="link">
      {support}
    </a>{' '}
    from the address of your account.
  </p>
);

function PasskeyNeeded() {
  if (useHydrated()) return null;
  return <p className="text-ink-2">Passkeys need scripts. Without them you can use a recovery code.</p>;
}

type CodeFormProps = { way: Way; result: Route.ComponentProps['actionData'] };

function CodeForm({ way, result }: CodeFormProps) {
  const [form, fields] = useFormOf<{ otp: string }>(result, { id: 'second-step' });
  return (
    <FormPanel form={form} failure="Sign-in failed" asksToLeave={false}>
      {way === 'app' ? (
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
