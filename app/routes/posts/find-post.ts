import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { POST_WAITS } from '#app/domain/posts/limits.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/find-post.ts';
import { cursorAt } from './page-at.ts';

/** Leads to the card of a post: on the page of the queue, or of the history, that begins with it. */
export async function loader({ context, params }: Route.LoaderArgs) {
  try {
    const post = await findPost(db(), actorOf(context), params.id);
    const waits = POST_WAITS[post.status];
    const from = cursorAt(waits ? 'queue' : 'history', post);
    const page = waits ? '/app/scheduled' : '/app/posts';
    return redirect(`${page}${from ? `?cursor=${from}` : ''}#post-${post.id}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notify(context, 'error', error.message);
    return redirect('/app/scheduled');
  }
}

/** A form that is sent here changes nothing. */
export const action = loader;

/** Never shown. Without a page an error here would be bare data. */
export default () => null;
