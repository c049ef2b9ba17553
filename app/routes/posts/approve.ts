import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { approvePost } from '#app/domain/queue/approval.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/approve.ts';
import { readBack } from './back.ts';

export const loader = () => redirect('/app/scheduled');

export async function action({ request, context, params }: Route.ActionArgs) {
  const back = await readBack(request);
  return press({ context }, back, async () => {
    await approvePost(db(), actorOf(context), params.id);
    notify(context, 'success', 'Post approved. It goes out at its time.');
    return redirect(back);
  });
}
