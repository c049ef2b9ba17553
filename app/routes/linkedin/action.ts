import { type RouterContextProvider, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { sendTestPost } from '#app/domain/publishing/manual/test-post.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { redirectToProvider } from '#app/http/oauth/oauth.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { LinkedInVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';

const PAGE = '/app/linkedin';

type ActionArgs = { request: Request; context: Readonly<RouterContextProvider> };

/** The actions of the connection. Each returns where to redirect, or the response. */
const ACTIONS: Record<LinkedInVerb, (args: ActionArgs) => Promise<string | Response>> = {
  connect: ({ request, context }) => {
    const { sessionId, actor } = context.get(viewerContext)!;
    const flow = { provider: 'linkedin', intent: 'connect', target: null, timeZone: null } as const;
    return redirectToProvider(request, { ...flow, userId: actor.userId, sessionId }).catch(
      (error: unknown) => {
        const isLimit = error instanceof Refusal && error.status === 429;
        if (!isLimit) throw error;
        const options = { retryAfter: error.retryAfter! };
        throw new Refusal(429, error.code, 'Failed to initiate LinkedIn connection', options);
      },
    );
  },
  disconnect: async ({ context }) => {
    await disconnect(db(), actorOf(context));
    setFlash(context, 'success', 'LinkedIn account disconnected');
    return PAGE;
  },
  test: async ({ context }) => {
    const actor = actorOf(context);
    await limitAccount('send', actor.userId);
    await sendTestPost(db(), actor);
    return PAGE;
  },
};

export function loader({ params }: Route.LoaderArgs) {
  verbOf(ACTIONS, params.verb);
  return redirect(PAGE);
}

export function action({ request, context, params }: Route.ActionArgs) {
  const perform = verbOf(ACTIONS, params.verb);
  return press({ context }, PAGE, async () => {
    const to = await perform({ request, context });
    return typeof to === 'string' ? redirect(to) : to;
  });
}

/** Never shown. A route without a component answers an unknown URL with bare data instead of the error page. */
export default () => null;
