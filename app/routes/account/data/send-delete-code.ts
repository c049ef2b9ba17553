import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { sendReauthCode } from '#app/domain/accounts/reauthenticate.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/send-delete-code.ts';

const PAGE = '/app/account/data?dialog=delete';

export const loader = () => redirect(PAGE);

export const action = ({ context }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    await sendReauthCode(db(), actorOf(context));
    setFlash(context, 'success', 'A code was mailed to you.');
    return redirect(PAGE);
  });
