import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { deletePost } from '#app/domain/publishing/take-down.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/delete.ts';
import { readBack } from './back.ts';

export const loader = () => redirect('/app/scheduled');

export async function action({ request, context, params }: Route.ActionArgs) {
  const back = await readBack(request);
  return press({ context }, back, async () => {
    const { status, networkUrn } = await findPost(db(), actorOf(context), params.id);
    await deletePost(db(), actorOf(context), params.id);
    const isOffLinkedIn = status === 'published' && networkUrn !== null;
    const done = isOffLinkedIn
      ? 'Post deleted successfully from database and LinkedIn'
      : 'Post deleted successfully!';
    notify(context, 'success', done);
    return redirect(back);
  });
}
