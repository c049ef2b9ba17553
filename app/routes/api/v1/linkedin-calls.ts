import { startConnecting } from '#app/domain/linkedin/connect.ts';
import { disconnect, getConnection } from '#app/domain/linkedin/connection.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { linkedInStatusShape } from './shapes.ts';

const handler = apiRoutes({
  '/linkedin/connect': {
    GET: endpoint('user', null, async ({ db, actor }) => ({
      authUrl: await startConnecting(db, actor, { sessionId: null }),
    })),
  },
  '/linkedin/status': {
    GET: endpoint('user', null, async ({ db, actor }) => linkedInStatusShape(await getConnection(db, actor))),
  },
  '/linkedin/disconnect': {
    DELETE: endpoint('user', null, async ({ db, actor }) => {
      await disconnect(db, actor);
      return { message: 'LinkedIn account disconnected' };
    }),
  },
});

export const loader = handler;
export const action = handler;
