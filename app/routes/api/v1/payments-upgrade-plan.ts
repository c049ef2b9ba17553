import { prepareUpgrade } from '#app/domain/payments/payment-info.ts';
import { UpgradeChoice } from '#app/domain/payments/schema.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { paymentInfoShape } from './shapes-payments.ts';

const handler = apiRoute({
  POST: endpoint('user', UpgradeChoice, async ({ db, actor, input }) =>
    created({ paymentInfo: paymentInfoShape(await prepareUpgrade(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
