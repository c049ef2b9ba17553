import { readAdminStats } from '#app/domain/admin-stats.ts';
import { listRevenue } from '#app/domain/payments/desk.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { adminStatsShape } from './shapes-payments.ts';

const handler = apiRoutes({
  '/admin/stats': {
    GET: endpoint('admin', null, async ({ db }) => ({
      stats: adminStatsShape(await readAdminStats(db), await listRevenue(db)),
    })),
  },
});

export const loader = handler;
export const action = handler;
