import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import { NewPasskeyForm } from '#app/domain/accounts/schema.ts';
import { beginPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { relyingParty, sendOptions } from '#app/http/session/passkey-cookie.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/passkey-options.ts';

export const loader = () => redirect('/app/account/passkeys/new');

/** Returns the options for the browser's passkey call, after confirming the user's identity. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = Object.fromEntries([...formDataOf(context)].filter(([, value]) => value !== ''));
  try {
    const { data: input, error } = NewPasskeyForm.safeParse(fields);
    if (!input) throw new Refusal(422, 'invalid', error.issues[0]!.message);
    const actor = actorOf(context);
    await reauthenticate(db(), actor, input);
    return await sendOptions(await beginPasskey(db(), actor, relyingParty(request)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ message: error.message }, { status: error.status });
  }
}
