import { startConnecting } from '#app/domain/linkedin/connect.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, actor }) => ({
    authUrl: await startConnecting(db, actor, { sessionId: null }),
  })),
});

export const loader = handler;
export const action = handler;
