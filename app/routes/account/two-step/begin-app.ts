import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { beginApp } from '#app/domain/accounts/two-step/totp.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/action.ts';

const SECURITY = '/app/account/security';

export const startApp = ({ context }: Route.ActionArgs) =>
  press({ context }, SECURITY, async () => {
    await beginApp(db(), actorOf(context));
    return redirect('/app/account/authenticator-app');
  });
