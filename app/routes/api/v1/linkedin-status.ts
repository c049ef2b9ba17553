import { getConnection } from '#app/domain/linkedin/connection.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { linkedInStatusShape } from './shapes.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, actor }) => linkedInStatusShape(await getConnection(db, actor))),
});

export const loader = handler;
export const action = handler;
