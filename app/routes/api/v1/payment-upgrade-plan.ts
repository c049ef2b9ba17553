import { prepareUpgrade } from '#app/domain/plans/payment-info.ts';
import { UpgradeChoice } from '#app/domain/plans/schema.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { paymentInfoShape } from './shapes-plans.ts';

const handler = apiRoute({
  POST: endpoint('user', UpgradeChoice, async ({ db, actor, input }) =>
    created({ paymentInfo: paymentInfoShape(await prepareUpgrade(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
