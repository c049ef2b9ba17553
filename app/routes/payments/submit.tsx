import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { ProofInput } from '#app/domain/payments/schema.ts';
import { submitProof } from '#app/domain/payments/submit-proof.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { PageHeader } from '#app/ui/page.tsx';
import type { Route } from './+types/submit.ts';
import { loadSubscribeDialog } from './subscribe-data.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Payment – Tidepost' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const dialog = await loadSubscribeDialog(db(), actorOf(context), query);
  return dialog ?? redirect('/app/payments');
}

export const action = ({ request, context }: Route.ActionArgs) =>
  submit({ request, context }, ProofInput, async (input) => {
    const { upgradeType } = await submitProof(db(), actorOf(context), input);
    const what = upgradeType ? 'Upgrade payment' : 'Payment proof';
    notify(context, 'success', `${what} submitted! Waiting for admin verification.`);
    return redirect('/app/payments');
  });

/** A refused form is shown again here, with what was typed. */
export default function Submit({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Payment" />
      <SubscribeDialog data={loaderData} result={actionData} page="/app/payments" />
    </>
  );
}
