import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { disconnect } from '#app/domain/linkedin/connection.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/disconnect.ts';

export const loader = () => redirect('/app/linkedin');

export const action = ({ context }: Route.ActionArgs) =>
  press({ context }, '/app/linkedin', async () => {
    await disconnect(db(), actorOf(context));
    notify(context, 'success', 'LinkedIn account disconnected');
    return redirect('/app/linkedin');
  });
