import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { sendProof } from '#app/domain/accounts/reauthenticate.ts';
import { notify } from '#app/http/forms/flash.ts';
import { formOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/action.ts';

const HOME = '/app/account/security';
/** Pages of the account, and nothing that leads elsewhere. */
const BACK = /^\/app\/account(?:[/?][\w/?=&-]*)?$/;

export async function mailProof({ context }: Route.ActionArgs) {
  const asked = String(formOf(context).get('back') ?? '');
  const back = BACK.test(asked) ? asked : HOME;
  return press({ context }, back, async () => {
    await sendProof(db(), actorOf(context));
    notify(context, 'success', 'A code is on its way to your address.');
    return redirect(back);
  });
}
