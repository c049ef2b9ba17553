import { verifyPayment } from '#app/domain/payments/review.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { adminPaymentShape } from './shapes-payments.ts';

const handler = apiRoute({
  POST: endpoint('admin', null, async ({ db, actor, params }) => ({
    payment: adminPaymentShape(await verifyPayment(db, actor, params.id!)),
  })),
});

export const loader = handler;
export const action = handler;
