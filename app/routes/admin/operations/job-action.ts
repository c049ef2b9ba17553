import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { discardJob, retryJob } from '#app/domain/operations/dead-jobs.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { JobVerb } from '#app/routes/actions.ts';
import { listAddress } from '#app/routes/admin/tabs.tsx';
import type { Route } from './+types/job-action.ts';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

const PAGE = listAddress('dead');

/** Each returns the message that the admin is shown. */
const ACTIONS: Record<JobVerb, (admin: Actor, jobId: string) => Promise<string>> = {
  retry: async (admin, jobId) => `${(await retryJob(db(), admin, jobId)).task} is begun again`,
  discard: async (admin, jobId) => `${(await discardJob(db(), admin, jobId)).task} is given up`,
};

export function loader({ params }: Route.LoaderArgs) {
  verbOf(ACTIONS, params.verb);
  return redirect(PAGE);
}

export function action({ context, params }: Route.ActionArgs) {
  const run = verbOf(ACTIONS, params.verb);
  return press({ context }, PAGE, async () => {
    setFlash(context, 'success', await run(actorOf(context), params.id));
    return redirect(PAGE);
  });
}

/** Never rendered. A route without a component would answer a 404 as bare data instead of our error page. */
export default () => null;
