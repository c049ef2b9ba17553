import { endSession } from '#app/domain/accounts/sessions.ts';
import { apiRoute, bearerToken, endpoint } from '#app/http/api.ts';

const handler = apiRoute({
  POST: endpoint('user', null, async ({ db, request }) => {
    await endSession(db, bearerToken(request)!);
    return { message: 'Signed out' };
  }),
});

export const loader = handler;
export const action = handler;
