import { toMajor } from '#app/domain/payments/money.ts';
import { listPrices } from '#app/domain/payments/prices.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, params }) => {
    const prices = await listPrices(db, params.currency!);
    return {
      pricing: prices.map(({ postsPerDay, amountMinor }) => ({ postsPerDay, price: toMajor(amountMinor) })),
    };
  }),
});

export const loader = handler;
export const action = handler;
