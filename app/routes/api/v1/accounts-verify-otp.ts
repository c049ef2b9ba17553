import { VerifyInput } from '#app/domain/accounts/schema.ts';
import { openApiSession } from '#app/domain/accounts/sessions.ts';
import { verifySignUp } from '#app/domain/accounts/sign-ups.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { limit, welcome } from '#app/http/limit.ts';
import { userShape } from './shapes.ts';

const handler = apiRoute({
  POST: endpoint('public', VerifyInput, async ({ db, input, request }) => {
    await limit(request, 'code', input.email);
    const { userId } = await verifySignUp(db, input);
    await welcome(request, input.email);
    const { token, actor } = await openApiSession(db, userId, request.headers.get('User-Agent') ?? '');
    return { token, user: userShape(actor) };
  }),
});

export const loader = handler;
export const action = handler;
