import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { cancelRun } from '#app/domain/writing/runs/cancel.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { versionsAddress } from '#app/routes/actions.ts';
import type { Route } from './+types/stop-run.ts';

const DASHBOARD = '/app/dashboard';

export const loader = () => redirect(DASHBOARD);

/** Stops a run. Posts that it has written stay. */
export async function action({ context, params }: Route.ActionArgs) {
  return press({ context }, DASHBOARD, async () => {
    const { postId, isStopped } = await cancelRun(db(), actorOf(context), params.id);
    const message = postId ? 'The text stays as it was.' : 'What was ready is in your queue.';
    const alreadyEnded = 'Writing was over already, so nothing was stopped.';
    setFlash(context, 'info', isStopped ? `Writing has stopped. ${message}` : alreadyEnded);
    return redirect(postId ? versionsAddress(postId) : `${DASHBOARD}?run=${params.id}`);
  });
}
