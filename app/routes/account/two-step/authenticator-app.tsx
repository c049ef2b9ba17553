import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { findReauthMethod, reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import { AppForm } from '#app/domain/accounts/schema.ts';
import { findAppToSetUp } from '#app/domain/accounts/two-step/totp.ts';
import { setUpAuthenticatorApp } from '#app/domain/accounts/two-step/two-step.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf, signedInOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { ProofFields } from '#app/routes/account/proof-fields.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { qrDataUri } from '#app/ui/qr.server.ts';
import type { Route } from './+types/authenticator-app.ts';
import { RecoveryCodes } from './shown-codes.tsx';

const SECURITY = '/app/account/security';
const QR_SIZE = 208;

export const meta: Route.MetaFunction = () =>
  pageMeta('Authenticator app', 'Add an authenticator app as the second step of signing in.');

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const app = await findAppToSetUp(db(), actor);
  if (!app) return null;
  const { groups, uri } = app;
  return { groups, qr: qrDataUri(uri, QR_SIZE), proof: await findReauthMethod(db(), actor) };
}

export function action({ context }: Route.ActionArgs) {
  const actor = actorOf(context);
  const confirm = async ({ code, ...proof }: AppForm) => {
    await reauthenticate(db(), actor, proof);
    const codes = await setUpAuthenticatorApp(db(), signedInOf(context), code);
    setFlash(context, 'success', 'Your authenticator app is set up');
    return codes ? { codes } : redirect(SECURITY);
  };
  return submit({ context }, AppForm, confirm, { secret: ['password'] });
}

type FormResult = Exclude<Route.ComponentProps['actionData'], { codes: string[] }>;

export default function SetUpApp({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && 'codes' in actionData) return <RecoveryCodes codes={actionData.codes} />;
  return (
    <AccountPage
      current="security"
      description="An app on your phone that shows a new code every 30 seconds."
    >
      {loaderData ? <ScanAndConfirm {...loaderData} result={actionData} /> : <NothingPending />}
    </AccountPage>
  );
}

const NothingPending = () => (
  <Card
    title="Nothing to set up"
    description="The app is set up already, or this took longer than an hour."
    actions={
      <ButtonLink to={SECURITY} size="sm">
        Back to Security
      </ButtonLink>
    }
  />
);

type PendingApp = NonNullable<Route.ComponentProps['loaderData']> & { result: FormResult };

const ScanAndConfirm = ({ groups, qr, ...form }: PendingApp) => (
  <Card title="Set up an authenticator app">
    <ol className="grid gap-4">
      <li>
        Scan this with the app, or type the key into it.
        <img src={qr} width={QR_SIZE} height={QR_SIZE} alt="QR code of the key" className="mt-3" />
        <p className="mt-3 break-words">
          <span className="sr-only">Key: </span>
          <code>{groups}</code>
        </p>
      </li>
      <li>
        Enter the code that it shows then.
        <ConfirmForm {...form} />
      </li>
    </ol>
  </Card>
);

function ConfirmForm({ proof, result }: Pick<PendingApp, 'proof' | 'result'>) {
  const [form, fields] = useFormOf<AppForm>(result, { id: 'authenticator-app' });
  return (
    <FormPanel form={form} failure="Failed to set up the app" warnsOnLeave={false} className="mt-3">
      <TextField
        field={fields.code}
        label="Code of your app"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
      <ProofFields kind={proof} fields={fields} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel="Checking…">Turn on two-step sign-in</SubmitButton>
        <ButtonLink to={SECURITY} variant="ghost">
          Cancel
        </ButtonLink>
      </div>
    </FormPanel>
  );
}
