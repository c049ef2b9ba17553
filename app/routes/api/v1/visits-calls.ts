import { present } from '#app/domain/present.ts';
import { VisitInput } from '#app/domain/visits/schema.ts';
import { readVisitAnalytics, readVisitSummary } from '#app/domain/visits/visit-analytics.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { answerVisit } from '#app/http/visits.ts';
import { SAYS } from './says-desk.ts';
import { visitAnalyticsShape } from './shapes-visits.ts';

const handler = apiRoutes({
  '/visits/track': {
    POST: endpoint('public', VisitInput, SAYS.visit, async ({ request, input }) =>
      answerVisit(request, input),
    ),
  },
  '/visits/analytics': {
    GET: endpoint('admin', null, SAYS.visitAnalytics, async ({ db }) => ({
      analytics: visitAnalyticsShape(await readVisitAnalytics(db)),
    })),
  },
  '/visits/summary': {
    GET: endpoint('admin', null, SAYS.visitSummary, async ({ db }) => ({
      summary: await readVisitSummary(db, present()),
    })),
  },
});

export const loader = handler;
export const action = handler;
