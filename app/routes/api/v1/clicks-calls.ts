import { present } from '#app/domain/present.ts';
import { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import { ClickInput } from '#app/domain/visits/schema.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { noteClick } from '#app/http/click-links.ts';
import { SAYS } from './says-desk.ts';
import { clickAnalyticsShape } from './shapes-visits.ts';

const handler = apiRoutes({
  '/email-tracking/click': {
    POST: endpoint('public', ClickInput, SAYS.click, async ({ request, input }) => {
      await noteClick(request, input);
      return { success: true as const };
    }),
  },
  '/email-tracking/analytics': {
    GET: endpoint('admin', null, SAYS.clickAnalytics, async ({ db }) => ({
      analytics: clickAnalyticsShape(await readClickAnalytics(db)),
    })),
  },
  '/email-tracking/summary': {
    GET: endpoint('admin', null, SAYS.clickSummary, async ({ db }) => ({
      summary: await readClickSummary(db, present()),
    })),
  },
});

export const loader = handler;
export const action = handler;
