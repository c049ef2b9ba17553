import { preparePayment } from '#app/domain/payments/payment-info.ts';
import { PlanChoice } from '#app/domain/payments/schema.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { paymentInfoShape } from './shapes-payments.ts';

const handler = apiRoute({
  POST: endpoint('user', PlanChoice, async ({ db, actor, input }) =>
    created({ paymentInfo: paymentInfoShape(await preparePayment(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
