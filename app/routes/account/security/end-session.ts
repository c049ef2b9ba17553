import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { endSessionById } from '#app/domain/accounts/sign-in/session-list.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { redirectToCard } from '#app/http/forms/redirect-back.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/end-session.ts';

const PAGE = '/app/account/security';

export const loader = () => redirect(PAGE);

export const action = ({ request, context, params }: Route.ActionArgs) =>
  press(
    { context },
    `${PAGE}#sessions`,
    async () => {
      await endSessionById(db(), actorOf(context), params.id);
      setFlash(context, 'success', 'Signed out there');
      return redirectToCard(request, PAGE, 'sessions');
    },
    'sessions',
  );
