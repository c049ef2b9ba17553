import { getConnection } from '#app/domain/linkedin/connection.ts';
import { disconnect } from '#app/domain/linkedin/disconnect.ts';
import { linkedInStatusShape } from '#app/domain/linkedin/status-shape.ts';
import { connectAddress } from '#app/domain/linkedin/tickets.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { SAYS } from './says-posts.ts';

const handler = apiRoutes({
  '/linkedin/connect': {
    GET: endpoint(
      'user',
      null,
      SAYS.connect,
      async ({ actor }) => ({ authUrl: connectAddress(actor.userId) }),
      {
        isMore: true,
      },
    ),
  },
  '/linkedin/status': {
    GET: endpoint('user', null, SAYS.linkedIn, async ({ db, actor }) =>
      linkedInStatusShape(await getConnection(db, actor)),
    ),
  },
  '/linkedin/disconnect': {
    DELETE: endpoint('user', null, SAYS.disconnect, async ({ db, actor }) => {
      await disconnect(db, actor);
      return { message: 'LinkedIn account disconnected' };
    }),
  },
});

export const loader = handler;
export const action = handler;
