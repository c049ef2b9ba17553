import { db } from '#app/db/client.ts';
import { RenamedPasskey } from '#app/domain/accounts/schema.ts';
import { renamePasskey } from '#app/domain/accounts/two-step/passkeys.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { notify } from '#app/http/forms/flash.ts';
import { formOf } from '#app/http/forms/read-form.ts';
import { backTo } from '#app/http/forms/redirect-back.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/action.ts';

const PAGE = '/app/account/security';

export async function renameKey({ request, context }: Route.ActionArgs) {
  const { data: input, error } = RenamedPasskey.safeParse(Object.fromEntries(formOf(context)));
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
