import { PageQuery } from '#app/domain/paging.ts';
import { listPayments } from '#app/domain/payments/history.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { paymentShape } from './shapes-payments.ts';

const handler = apiRoute({
  GET: endpoint('user', PageQuery, async ({ db, actor, input }) => {
    const { rows, nextCursor } = await listPayments(db, actor, input);
    return { payments: rows.map(paymentShape), nextCursor };
  }),
});

export const loader = handler;
export const action = handler;
