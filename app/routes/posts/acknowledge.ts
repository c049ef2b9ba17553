import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { acknowledgePost } from '#app/domain/publishing/by-hand.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/acknowledge.ts';

export const loader = () => redirect('/app/posts');

export async function action({ request, context, params }: Route.ActionArgs) {
  const link = String((await request.formData()).get('link') ?? '').trim();
  return press({ context }, '/app/posts', async () => {
    await acknowledgePost(db(), actorOf(context), { postId: params.id, link });
    notify(context, 'success', 'The post counts as published');
    return redirect('/app/posts');
  });
}
