import { rejectPayment } from '#app/domain/plans/review.ts';
import { RejectInput } from '#app/domain/plans/schema.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { adminPaymentShape } from './shapes-plans.ts';

const handler = apiRoute({
  POST: endpoint('admin', RejectInput, async ({ db, actor, params, input }) => ({
    payment: adminPaymentShape(await rejectPayment(db, actor, { ...input, paymentId: params.id! })),
  })),
});

export const loader = handler;
export const action = handler;
