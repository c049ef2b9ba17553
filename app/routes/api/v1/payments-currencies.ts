import { listCurrencies } from '#app/domain/payments/prices.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db }) => ({ currencies: await listCurrencies(db) })),
});

export const loader = handler;
export const action = handler;
