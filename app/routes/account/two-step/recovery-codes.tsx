import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { findReauthMethod, reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import { ReauthInput } from '#app/domain/accounts/schema.ts';
import { renewRecoveryCodes } from '#app/domain/accounts/two-step/two-step.ts';
import { findFactors } from '#app/domain/accounts/two-step/verify.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { ProofFields } from '#app/routes/account/proof-fields.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/recovery-codes.ts';
import { RecoveryCodes } from './shown-codes.tsx';

export const meta: Route.MetaFunction = () =>
  pageMeta('Recovery codes', 'New codes to sign in with when your second step is not at hand.');

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const { hasApp, passkeys } = await findFactors(db(), actor.userId);
  if (!hasApp && passkeys === 0) throw redirect('/app/account/security');
  return { proof: await findReauthMethod(db(), actor) };
}

export function action({ context }: Route.ActionArgs) {
  const actor = actorOf(context);
  const renew = async (proof: ReauthInput) => {
    await reauthenticate(db(), actor, proof);
    return { codes: await renewRecoveryCodes(db(), actor) };
  };
  return submit({ context }, ReauthInput, renew, { secret: ['password'] });
}

export default function NewCodes({ loaderData: { proof }, actionData }: Route.ComponentProps) {
  if (actionData && 'codes' in actionData) return <RecoveryCodes codes={actionData.codes} />;
  return <NewCodesForm proof={proof} result={actionData} />;
}

type NewCodesFormProps = {
  proof: Route.ComponentProps['loaderData']['proof'];
  result: Exclude<Route.ComponentProps['actionData'], { codes: string[] }>;
};

function NewCodesForm({ proof, result }: NewCodesFormProps) {
  const [form, fields] = useFormOf<ReauthInput>(result, { id: 'new-codes' });
  return (
    <AccountPage current="security" description="For the day on which your phone or key is lost.">
      <Card title="Make new recovery codes" description="Those that you have stop working.">
        <FormPanel form={form} failure="Failed to make new codes" warnsOnLeave={false}>
          <ProofFields kind={proof} fields={fields} />
          <div className="flex flex-wrap gap-3">
            <SubmitButton busyLabel="Making them…">Make new codes</SubmitButton>
            <ButtonLink to="/app/account/security" variant="ghost">
              Cancel
            </ButtonLink>
          </div>
        </FormPanel>
      </Card>
    </AccountPage>
  );
}
