import { type RouterContextProvider, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { startConnecting } from '#app/domain/linkedin/connect.ts';
import { disconnect } from '#app/domain/linkedin/connection.ts';
import { sendTestPost } from '#app/domain/publishing/test-post.ts';
import { press } from '#app/http/forms.ts';
import { limitAccount } from '#app/http/limit.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { verbOf } from '#app/http/verb.ts';
import type { LinkedInVerb } from '../verbs.ts';
import type { Route } from './+types/act.ts';

const PAGE = '/app/linkedin';

/** What a button does to the connection; the answer is where the browser goes. */
const VERBS: Record<LinkedInVerb, (context: Readonly<RouterContextProvider>) => Promise<string>> = {
  connect: (context) => {
    const { sessionId } = context.get(viewerContext)!;
    return startConnecting(db(), actorOf(context), { sessionId });
  },
  disconnect: async (context) => {
    await disconnect(db(), actorOf(context));
    notify(context, 'success', 'LinkedIn account disconnected');
    return PAGE;
  },
  test: async (context) => {
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

export function action({ context, params }: Route.ActionArgs) {
  const act = verbOf(VERBS, params.verb);
  return press({ context }, PAGE, async () => redirect(await act(context)));
}

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
