import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { findReauthMethod, reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import { ReauthInput } from '#app/domain/accounts/schema.ts';
import { listPasskeys, removePasskey } from '#app/domain/accounts/two-step/passkeys.ts';
import { removeAuthenticatorApp } from '#app/domain/accounts/two-step/two-step.ts';
import { findFactors, needsSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { ProofFields } from '#app/routes/account/proof-fields.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/remove-factor.ts';

const SECURITY = '/app/account/security';

export const meta: Route.MetaFunction = () =>
  pageMeta('Remove a second step', 'Take a second step away from how you sign in.');

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

const OTHERS_STAY = 'What else you have set up stays your second step.';
const afterLast = (isNeeded: boolean) =>
  `It is your last second step: from then on one step alone signs you in, and your recovery codes go, too.${isNeeded ? ' The admin pages are closed until you set up another one.' : ''}`;

/** Null for the authenticator app. */
const passkeyOf = (request: Request) => new URL(request.url).searchParams.get('passkey');

export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const id = passkeyOf(request);
  const passkey = (await listPasskeys(db(), actor)).find((factor) => factor.id === id);
  if (id && !passkey) throw redirect(SECURITY);
  const factor = passkey ? `the passkey "${passkey.name}"` : 'the authenticator app';
  const [proof, { hasApp, passkeys }] = await Promise.all([
    findReauthMethod(db(), actor),
    findFactors(db(), actor.userId),
  ]);
  if (!passkey && !hasApp) throw redirect(SECURITY);
  const isLast = Number(hasApp) + passkeys <= 1;
  const effect = passkey ? 'It signs you in no longer.' : 'Its codes are good for nothing any more.';
  return { factor, proof, effect: `${effect} ${isLast ? afterLast(needsSecondStep(actor)) : OTHERS_STAY}` };
}

export function action({ request, context }: Route.ActionArgs) {
  const actor = actorOf(context);
  const id = passkeyOf(request);
  const remove = async (proof: ReauthInput) => {
    await reauthenticate(db(), actor, proof);
    await (id ? removePasskey(db(), actor, id) : removeAuthenticatorApp(db(), actor));
    setFlash(context, 'success', id ? 'The passkey was removed' : 'The authenticator app was removed');
    return redirect(SECURITY);
  };
  return submit({ context }, ReauthInput, remove, { secret: ['password'] });
}

export default function RemoveFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { factor, proof, effect } = loaderData;
  const [form, fields] = useFormOf<ReauthInput>(actionData, { id: 'remove-factor' });
  return (
    <AccountPage current="security" description="How you sign in, and where you are signed in.">
      <Card title={`Remove ${factor}`} description={effect}>
        <FormPanel form={form} failure={`Failed to remove ${factor}`} warnsOnLeave={false}>
          <ProofFields kind={proof} fields={fields} />
          <div className="flex flex-wrap gap-3">
            <SubmitButton variant="danger" busyLabel="Removing…">
              Remove
            </SubmitButton>
            <ButtonLink to={SECURITY} variant="ghost">
              Keep it
            </ButtonLink>
          </div>
        </FormPanel>
      </Card>
    </AccountPage>
  );
}
