import { disconnect } from '#app/domain/linkedin/connection.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';

const handler = apiRoute({
  DELETE: endpoint('user', null, async ({ db, actor }) => {
    await disconnect(db, actor);
    return { message: 'LinkedIn account disconnected' };
  }),
});

export const loader = handler;
export const action = handler;
