import { type RouterContextProvider, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { PostForm } from '#app/domain/posts/schema.ts';
import { editPost } from '#app/domain/queue/change.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { keptOf } from './load.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };

/** Saves the edit form that stands at `?edit=ID` of a list, and shows the list again. */
export function saveEdit({ request, context }: Args, page: string) {
  const query = new URL(request.url).searchParams;
  const postId = query.get('edit') ?? '';
  return submit({ request, context }, PostForm, async (input) => {
    await editPost(db(), actorOf(context), { ...input, postId });
    notify(context, 'success', 'Post updated successfully!');
    const search = keptOf(query);
    return redirect(search ? `${page}?${search}` : page);
  });
}
