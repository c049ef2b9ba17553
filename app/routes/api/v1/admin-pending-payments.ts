import { PageQuery } from '#app/domain/page.ts';
import { listPendingPayments } from '#app/domain/plans/history.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { adminPaymentShape } from './shapes-plans.ts';

const handler = apiRoute({
  GET: endpoint('admin', PageQuery, async ({ db, input }) => {
    const { rows, nextCursor } = await listPendingPayments(db, input);
    return { payments: rows.map(adminPaymentShape), nextCursor };
  }),
});

export const loader = handler;
export const action = handler;
