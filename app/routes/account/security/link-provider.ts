import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { ProviderChoice } from '#app/domain/accounts/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { redirectToProvider } from '#app/http/oauth/oauth.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import type { Route } from './+types/link-provider.ts';

const PAGE = '/app/account/security';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

export const loader = () => redirect(PAGE);

export const action = ({ request, context }: Route.ActionArgs) =>
  press(
    { context },
    PAGE,
    async () => {
      const { actor, sessionId } = context.get(viewerContext)!;
      const { success, data } = ProviderChoice.safeParse(Object.fromEntries(formDataOf(context)));
      if (!success) throw new Refusal(422, 'invalid', 'Please choose what to link');
      const user = { userId: actor.userId, sessionId, timeZone: null };
      return redirectToProvider(request, { intent: 'link', target: null, ...data, ...user });
    },
    'sign-in-methods',
  );
