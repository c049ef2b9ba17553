import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { ProofInput } from '#app/domain/payments/schema.ts';
import { submitProof } from '#app/domain/payments/submit-proof.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/payments.ts';

/** The form of the subscription dialog. A page on which it opens hands it here, and shows a refused one again. */
export const submitPayment = ({ request, context }: Pick<Route.ActionArgs, 'request' | 'context'>) =>
  submit({ request, context }, ProofInput, async (input) => {
    const { upgradeType } = await submitProof(db(), actorOf(context), input);
    const what = upgradeType ? 'Upgrade payment' : 'Payment proof';
    notify(context, 'success', `${what} submitted! Waiting for admin verification.`);
    return redirect('/app/payments');
  });
