import { PageQuery } from '#app/domain/paging.ts';
import { listPendingPayments } from '#app/domain/payments/history.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { adminPaymentShape } from './shapes-payments.ts';

const handler = apiRoute({
  GET: endpoint('admin', PageQuery, async ({ db, input }) => {
    const { rows, nextCursor } = await listPendingPayments(db, input);
    return { payments: rows.map(adminPaymentShape), nextCursor };
  }),
});

export const loader = handler;
export const action = handler;
