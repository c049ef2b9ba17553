import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { startConnecting } from '#app/domain/linkedin/connect.ts';
import { press } from '#app/http/forms.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/connect.ts';

export const loader = () => redirect('/app/linkedin');

export const action = ({ context }: Route.ActionArgs) =>
  press({ context }, '/app/linkedin', async () => {
    const { sessionId } = context.get(viewerContext)!;
    return redirect(await startConnecting(db(), actorOf(context), { sessionId }));
  });
