import { PageQuery } from '#app/domain/page.ts';
import { listPayments } from '#app/domain/plans/history.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { paymentShape } from './shapes-plans.ts';

const handler = apiRoute({
  GET: endpoint('user', PageQuery, async ({ db, actor, input }) => {
    const { rows, nextCursor } = await listPayments(db, actor, input);
    return { payments: rows.map(paymentShape), nextCursor };
  }),
});

export const loader = handler;
export const action = handler;
