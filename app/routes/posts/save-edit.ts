import { type RouterContextProvider, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { editPost } from '#app/domain/posts/change.ts';
import { PostForm } from '#app/domain/posts/schema.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };

/** Saves the edit form that stands at `?edit=ID` of a list, and shows the list again. */
export function saveEdit({ request, context }: Args) {
  const { pathname, searchParams } = new URL(request.url);
  const postId = searchParams.get('edit') ?? '';
  searchParams.delete('edit');
  const search = searchParams.toString();
  return submit({ request, context }, PostForm, async (input) => {
    await editPost(db(), actorOf(context), { ...input, postId });
    notify(context, 'success', 'Post updated successfully!');
    return redirect(search ? `${pathname}?${search}` : pathname);
  });
}
