import { z } from 'zod';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { apiDocument } from './document.ts';

const SAYS = { does: 'Gives this document', answers: z.looseObject({}) };

const handler = apiRoutes({
  '/openapi.json': {
    GET: endpoint('public', null, SAYS, async () => Response.json(apiDocument())),
  },
});

export const loader = handler;
export const action = handler;
