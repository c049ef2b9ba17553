import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { unlinkIdentity } from '#app/domain/accounts/oauth/identities.ts';
import { ProviderChoice } from '#app/domain/accounts/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/unlink-provider.ts';

const PAGE = '/app/account/security';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

export const loader = () => redirect(PAGE);

export const action = ({ context }: Route.ActionArgs) =>
  press(
    { context },
    PAGE,
    async () => {
      const { success, data } = ProviderChoice.safeParse(Object.fromEntries(formDataOf(context)));
      if (!success) throw new Refusal(422, 'invalid', 'Please choose what to unlink');
      await unlinkIdentity(db(), actorOf(context), data.provider);
      setFlash(context, 'success', `${PROVIDER_NAMES[data.provider]} is linked no longer.`);
      return redirect(PAGE);
    },
    'sign-in-methods',
  );
