import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { POST_WAITS } from '#app/domain/posts/limits.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { listWithOpen } from '#app/http/forms/list-params.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/redirect-to-post.ts';

/** Redirects to a post, opened in the queue or in the history. */
export async function loader({ context, params }: Route.LoaderArgs) {
  try {
    const post = await findPost(db(), actorOf(context), params.id);
    return redirect(listWithOpen(POST_WAITS[post.status] ? '/app/scheduled' : '/app/posts', post.id));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setFlash(context, 'error', error.message);
    return redirect('/app/scheduled');
  }
}

export const action = loader;

/** Never shown. A route without a component answers an error with bare data. */
export default () => null;
