import { apiRoute, endpoint } from '#app/http/api.ts';
import { userShape } from './shapes.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ actor }) => ({ user: userShape(actor) })),
});

export const loader = handler;
export const action = handler;
