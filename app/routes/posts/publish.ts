import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { publishNow } from '#app/domain/publishing/by-hand.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/publish.ts';
import { readBack } from './back.ts';

export const loader = () => redirect('/app/scheduled');

export async function action({ request, context, params }: Route.ActionArgs) {
  const back = await readBack(request);
  return press({ context }, back, async () => {
    await publishNow(db(), actorOf(context), params.id);
    notify(context, 'success', 'Your post is being published');
    return redirect(back);
  });
}
