import { preparePayment } from '#app/domain/plans/payment-info.ts';
import { PlanChoice } from '#app/domain/plans/schema.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { paymentInfoShape } from './shapes-plans.ts';

const handler = apiRoute({
  POST: endpoint('user', PlanChoice, async ({ db, actor, input }) =>
    created({ paymentInfo: paymentInfoShape(await preparePayment(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
