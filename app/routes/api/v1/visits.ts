import { z } from 'zod';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { VisitInput } from '#app/domain/visits/schema.ts';
import { readVisitAnalytics, readVisitSummary } from '#app/domain/visits/visit-analytics.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { CountOfValue, count, instant, periodsOf, Success } from '#app/http/api/schemas.ts';
import { handleVisit } from '#app/http/telemetry/visit-endpoint.ts';

const uniqueVisitors = count.meta({
  description: 'The sum of each day: a visitor who came on two days counts twice',
});
const VisitsOfValue = z.object({ _id: z.string(), visits: count, uniqueVisitors });

const VisitAnalytics = z.object({
  visitsByCountry: z.array(VisitsOfValue),
  topPages: z.array(VisitsOfValue),
  visitsByCity: z.array(z.object({ location: z.string(), visits: count })),
  visitsByDevice: z.array(CountOfValue),
  visitsByBrowser: z.array(CountOfValue),
  visitsByOS: z.array(CountOfValue),
  frequentVisitors: z.array(
    z.object({
      _id: z.string(),
      visits: count,
      lastVisit: instant,
      country: z.string(),
      city: z.string(),
      devices: z.array(z.string()),
      browsers: z.array(z.string()),
    }),
  ),
  recentVisits: z.array(
    z.object({
      ipv4: z.string().nullable(),
      ipAddress: z.string().nullable(),
      country: z.string(),
      city: z.string(),
      os: z.string(),
      pathname: z.string(),
      device: z.string(),
      browser: z.string(),
      visitedAt: instant,
    }),
  ),
  places: z.string(),
});
type VisitAnalytics = z.infer<typeof VisitAnalytics>;

const VisitSummary = periodsOf(z.object({ totalVisits: count, uniqueVisitors }));

const analyticsShape = (analytics: Awaited<ReturnType<typeof readVisitAnalytics>>): VisitAnalytics => ({
  ...analytics,
  frequentVisitors: analytics.frequentVisitors.map((visitor) => ({
    ...visitor,
    lastVisit: visitor.lastVisit.toISOString(),
  })),
  recentVisits: analytics.recentVisits.map((visit) => ({
    ...visit,
    visitedAt: visit.visitedAt.toISOString(),
  })),
});

export const visitCalls: Calls = {
  '/visits/track': {
    // Our own pages send it with a script: see app/http/telemetry/visit-beacon.ts.
    POST: endpoint({
      summary: 'Records a page view',
      access: 'public',
      addressLimit: 'visit',
      input: VisitInput,
      example: { pathname: '/', sessionId: 'b1c2d3' },
      status: 201,
      response: Success,
      handle: async ({ request, input }) => handleVisit(request, input),
    }),
  },
  '/visits/analytics': {
    GET: endpoint({
      summary: 'Returns visits by place, browser and page, the most frequent first',
      access: 'admin',
      response: z.object({ analytics: VisitAnalytics }),
      handle: async ({ db }) => ({ analytics: analyticsShape(await readVisitAnalytics(db)) }),
    }),
  },
  '/visits/summary': {
    GET: endpoint({
      summary: 'Counts the visits',
      access: 'admin',
      response: z.object({ summary: VisitSummary }),
      handle: async ({ db }) => ({ summary: await readVisitSummary(db, databaseNow()) }),
    }),
  },
};
