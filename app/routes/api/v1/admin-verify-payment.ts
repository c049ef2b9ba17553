import { verifyPayment } from '#app/domain/plans/review.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { adminPaymentShape } from './shapes-plans.ts';

const handler = apiRoute({
  POST: endpoint('admin', null, async ({ db, actor, params }) => ({
    payment: adminPaymentShape(await verifyPayment(db, actor, params.id!)),
  })),
});

export const loader = handler;
export const action = handler;
