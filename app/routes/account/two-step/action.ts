import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { sendReauthCode } from '#app/domain/accounts/reauthenticate.ts';
import { PasskeyRename } from '#app/domain/accounts/schema.ts';
import { renamePasskey } from '#app/domain/accounts/two-step/passkeys.ts';
import { beginTotp } from '#app/domain/accounts/two-step/totp.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { notify } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { backTo } from '#app/http/forms/redirect-back.ts';
import { press } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { SecondStepVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';

const PAGE = '/app/account/security';

async function renameKey({ request, context }: Route.ActionArgs) {
  const { data: input, error } = PasskeyRename.safeParse(Object.fromEntries(formDataOf(context)));
  return press(
    { context },
    `${PAGE}#passkeys`,
    async () => {
      if (!input) throw new Refusal(422, 'invalid', error.issues[0]!.message);
      await renamePasskey(db(), actorOf(context), input.id, input.name);
      notify(context, 'success', `The passkey is called "${input.name}" now`);
      return backTo(request, PAGE, 'passkeys');
    },
    'passkeys',
  );
}

const HOME = '/app/account/security';
/** Pages of the account, and nothing that leads elsewhere. */
const BACK = /^\/app\/account(?:[/?][\w/?=&-]*)?$/;

async function mailProof({ context }: Route.ActionArgs) {
  const asked = String(formDataOf(context).get('back') ?? '');
  const back = BACK.test(asked) ? asked : HOME;
  return press({ context }, back, async () => {
    await sendReauthCode(db(), actorOf(context));
    notify(context, 'success', 'A code is on its way to your address.');
    return redirect(back);
  });
}

const SECURITY = '/app/account/security';

const startApp = ({ context }: Route.ActionArgs) =>
  press({ context }, SECURITY, async () => {
    await beginTotp(db(), actorOf(context));
    return redirect('/app/account/authenticator-app');
  });

type Act = (args: Route.ActionArgs) => Promise<Response>;

const ACTS: Record<SecondStepVerb, Act> = {
  begin: startApp,
  prove: mailProof,
  rename: renameKey,
};

export function loader({ params }: Route.LoaderArgs) {
  verbOf(ACTS, params.verb);
  return redirect('/app/account/security');
}

export const action = (args: Route.ActionArgs) => verbOf(ACTS, args.params.verb)(args);

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
