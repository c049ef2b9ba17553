import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { findPause, resumePublishing } from '#app/domain/publishing/safety/pause.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/resume.ts';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

const PAGE = '/app/admin/publishing';

export const loader = () => redirect(PAGE);

export const action = ({ context }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    await resumePublishing(db(), actorOf(context));
    const isStopped = await findPause(db(), new Date());
    setFlash(context, 'success', isStopped ? 'The pause has ended' : 'Publishing goes on');
    return redirect(PAGE);
  });
