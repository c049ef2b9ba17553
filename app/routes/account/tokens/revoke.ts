import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { endToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/revoke.ts';

const PAGE = '/app/account/tokens#tokens';

export const loader = () => redirect(PAGE);

export const action = ({ context, params }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    await endToken(db(), actorOf(context), params.id);
    setFlash(context, 'success', 'Token revoked');
    return redirect(PAGE);
  });
