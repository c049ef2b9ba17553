import { PageQuery } from '#app/domain/paging.ts';
import { listSubscriptions } from '#app/domain/payments/history.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { adminPaymentShape } from './shapes-payments.ts';

const handler = apiRoute({
  GET: endpoint('admin', PageQuery, async ({ db, input }) => {
    const { rows, nextCursor } = await listSubscriptions(db, input);
    return { subscriptions: rows.map(adminPaymentShape), nextCursor };
  }),
});

export const loader = handler;
export const action = handler;
