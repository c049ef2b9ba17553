import { findSubscription } from '#app/domain/payments/subscription.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { subscriptionShape } from './shapes-payments.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, actor }) => ({
    subscription: subscriptionShape(await findSubscription(db, actor)),
  })),
});

export const loader = handler;
export const action = handler;
