import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { resendVerification } from '#app/domain/accounts/sign-up/pending.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import { USERS } from '#app/routes/admin/tabs.tsx';
import type { Route } from './+types/resend-verification.ts';
import { usersAddress } from './paths.ts';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

export const loader = () => redirect(USERS);

export const action = ({ context, params }: Route.ActionArgs) =>
  press({ context }, USERS, async () => {
    const email = await resendVerification(db(), actorOf(context), params.id);
    setFlash(context, 'success', 'A new code was mailed');
    return redirect(usersAddress({ q: email }));
  });
