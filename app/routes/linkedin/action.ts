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

type Pressed = { request: Request; context: Readonly<RouterContextProvider> };

/** What a button does to the connection; the answer is where the browser goes. */
const VERBS: Record<LinkedInVerb, (pressed: Pressed) => Promise<string | Response>> = {
  connect: ({ request, context }) => {
    const { sessionId, actor } = context.get(viewerContext)!;
    const begun = { provider: 'linkedin', intent: 'connect', target: null, timeZone: null } as const;
    return redirectToProvider(request, { ...begun, userId: actor.userId, sessionId }).catch(
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
  verbOf(VERBS, params.verb);
  return redirect(PAGE);
}

export function action({ request, context, params }: Route.ActionArgs) {
  const act = verbOf(VERBS, params.verb);
  return press({ context }, PAGE, async () => {
    const to = await act({ request, context });
    return typeof to === 'string' ? redirect(to) : to;
  });
}

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
