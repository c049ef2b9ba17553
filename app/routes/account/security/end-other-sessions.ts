import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { endOtherSessions } from '#app/domain/accounts/sign-in/session-list.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { redirectToCard } from '#app/http/forms/redirect-back.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf, sessionIdOf } from '#app/http/session/session.ts';
import type { Route } from './+types/end-other-sessions.ts';

const PAGE = '/app/account/security';

export const loader = () => redirect(PAGE);

export const action = ({ request, context }: Route.ActionArgs) =>
  press({ context }, `${PAGE}#sessions`, async () => {
    await endOtherSessions(db(), actorOf(context), sessionIdOf(context));
    setFlash(context, 'success', 'Signed out everywhere else. Tokens with a name go on.');
    return redirectToCard(request, PAGE, 'sessions');
  });
