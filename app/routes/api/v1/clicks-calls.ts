import { present } from '#app/domain/present.ts';
import { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import { ClickInput } from '#app/domain/visits/schema.ts';
import { apiRoutes, created, endpoint } from '#app/http/api.ts';
import { noteClick } from '#app/http/click-links.ts';

const handler = apiRoutes({
  '/email-tracking/click': {
    POST: endpoint('public', ClickInput, async ({ request, input }) => {
      await noteClick(request, input);
      return created({ success: true });
    }),
  },
  '/email-tracking/analytics': {
    GET: endpoint('admin', null, async ({ db }) => ({ analytics: await readClickAnalytics(db) })),
  },
  '/email-tracking/summary': {
    GET: endpoint('admin', null, async ({ db }) => ({ summary: await readClickSummary(db, present()) })),
  },
});

export const loader = handler;
export const action = handler;
