import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { deleteTopic } from '#app/domain/topics/topics.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/delete.ts';

export const loader = () => redirect('/app/topics');

export const action = ({ context, params }: Route.ActionArgs) =>
  press({ context }, '/app/topics', async () => {
    await deleteTopic(db(), actorOf(context), params.id);
    notify(context, 'success', 'Topic deleted successfully');
    return redirect('/app/topics');
  });
