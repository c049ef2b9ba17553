import { rejectPayment } from '#app/domain/payments/review.ts';
import { RejectInput } from '#app/domain/payments/schema.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { adminPaymentShape } from './shapes-payments.ts';

const handler = apiRoute({
  POST: endpoint('admin', RejectInput, async ({ db, actor, params, input }) => ({
    payment: adminPaymentShape(await rejectPayment(db, actor, { ...input, paymentId: params.id! })),
  })),
});

export const loader = handler;
export const action = handler;
