import { LoginInput } from '#app/domain/accounts/schema.ts';
import { openApiSession } from '#app/domain/accounts/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { limit, welcome } from '#app/http/limit.ts';
import { userShape } from './shapes.ts';

const handler = apiRoute({
  POST: endpoint('public', LoginInput, async ({ db, input, request }) => {
    await limit(request, 'sign-in', input.email);
    const login = await checkLogin(db, input);
    if (!login.isVerified) {
      const extra = { verified: false, email: login.email };
      throw new Refusal(403, 'email_not_verified', 'Please verify your email first', { extra });
    }
    await welcome(request, input.email);
    const { token, actor } = await openApiSession(db, login.userId, request.headers.get('User-Agent') ?? '');
    return { token, user: userShape(actor) };
  }),
});

export const loader = handler;
export const action = handler;
