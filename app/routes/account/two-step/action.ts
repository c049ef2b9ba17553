import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { sendReauthCode } from '#app/domain/accounts/reauthenticate.ts';
import { PasskeyRename } from '#app/domain/accounts/schema.ts';
import { renamePasskey } from '#app/domain/accounts/two-step/passkeys.ts';
import { beginTotp } from '#app/domain/accounts/two-step/totp.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { redirectToCard } from '#app/http/forms/redirect-back.ts';
import { press } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { SecondStepVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';

const SECURITY = '/app/account/security';

async function rename({ request, context }: Route.ActionArgs) {
  const { data: input, error } = PasskeyRename.safeParse(Object.fromEntries(formDataOf(context)));
  return press(
    { context },
    `${SECURITY}#passkeys`,
    async () => {
      if (!input) throw new Refusal(422, 'invalid', error.issues[0]!.message);
      await renamePasskey(db(), actorOf(context), input.id, input.name);
      setFlash(context, 'success', `The passkey is called "${input.name}" now`);
      return redirectToCard(request, SECURITY, 'passkeys');
    },
    'passkeys',
  );
}

/** Only pages of the account. */
const BACK = /^\/app\/account(?:[/?][\w/?=&-]*)?$/;

async function mailProof({ context }: Route.ActionArgs) {
  const field = String(formDataOf(context).get('back') ?? '');
  const back = BACK.test(field) ? field : SECURITY;
  return press({ context }, back, async () => {
    await sendReauthCode(db(), actorOf(context));
    setFlash(context, 'success', 'A code is on its way to your address.');
    return redirect(back);
  });
}

const beginApp = ({ context }: Route.ActionArgs) =>
  press({ context }, SECURITY, async () => {
    await beginTotp(db(), actorOf(context));
    return redirect('/app/account/authenticator-app');
  });

const ACTIONS: Record<SecondStepVerb, (args: Route.ActionArgs) => Promise<Response>> = {
  begin: beginApp,
  prove: mailProof,
  rename,
};

export function loader({ params }: Route.LoaderArgs) {
  verbOf(ACTIONS, params.verb);
  return redirect(SECURITY);
}

export const action = (args: Route.ActionArgs) => verbOf(ACTIONS, args.params.verb)(args);

/** Never rendered. A route without a component would answer a 404 as bare data instead of our error page. */
export default () => null;
