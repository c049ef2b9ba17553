import { listPrices } from '#app/domain/payments/prices.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { priceShape } from './shapes-payments.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, params }) => ({
    pricing: (await listPrices(db, params.currency!)).map(priceShape),
  })),
});

export const loader = handler;
export const action = handler;
