import { cancelPlan } from '#app/domain/payments/cancel.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { subscriptionShape } from './shapes-payments.ts';

const handler = apiRoute({
  POST: endpoint('user', null, async ({ db, actor }) => ({
    subscription: subscriptionShape(await cancelPlan(db, actor)),
  })),
});

export const loader = handler;
export const action = handler;
