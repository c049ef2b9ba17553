import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { cancelDeletion } from '#app/domain/account-deletion/request.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/cancel-deletion.ts';

const PAGE = '/app/account/data';

export const loader = () => redirect(PAGE);

export const action = ({ context }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    await cancelDeletion(db(), actorOf(context).userId);
    const message = 'Your account stays. Writing and publishing go on; programs need new API tokens.';
    setFlash(context, 'success', message);
    return redirect(PAGE);
  });
