import { z } from 'zod';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import { ClickInput } from '#app/domain/visits/schema.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { CountOfValue, count, email, instant, periodsOf, Success } from '#app/http/api/schemas.ts';
import { trackClick } from '#app/http/telemetry/click-tracking.ts';

const ClickAnalytics = z.object({
  clicksByDevice: z.array(CountOfValue),
  clicksByBrowser: z.array(CountOfValue),
  topClickers: z.array(z.object({ _id: z.string(), clicks: count, lastClick: instant })),
  recentClicks: z.array(
    z.object({
      email,
      device: z.string(),
      browser: z.string(),
      os: z.string(),
      clickedAt: instant,
    }),
  ),
});
type ClickAnalytics = z.infer<typeof ClickAnalytics>;

const ClickSummary = periodsOf(z.object({ totalClicks: count, uniqueClicks: count }));

const analyticsShape = (analytics: Awaited<ReturnType<typeof readClickAnalytics>>): ClickAnalytics => ({
  ...analytics,
  topClickers: analytics.topClickers.map((clicker) => ({
    ...clicker,
    lastClick: clicker.lastClick.toISOString(),
  })),
  recentClicks: analytics.recentClicks.map((click) => ({
    ...click,
    clickedAt: click.clickedAt.toISOString(),
  })),
});

export const clickCalls: Calls = {
  '/email-tracking/click': {
    POST: endpoint({
      summary: 'Records a click on a link in one of our emails',
      access: 'public',
      input: ClickInput,
      example: { email: 'ada@example.com', source: 'email' },
      status: 201,
      response: Success,
      handle: async ({ request, input }) => {
        await trackClick(request, input);
        return { success: true as const };
      },
    }),
  },
  '/email-tracking/analytics': {
    GET: endpoint({
      summary: 'Returns who clicks on the links in emails',
      access: 'admin',
      response: z.object({ analytics: ClickAnalytics }),
      handle: async ({ db }) => ({ analytics: analyticsShape(await readClickAnalytics(db)) }),
    }),
  },
  '/email-tracking/summary': {
    GET: endpoint({
      summary: 'Counts the clicks on links in emails',
      access: 'admin',
      response: z.object({ summary: ClickSummary }),
      handle: async ({ db }) => ({ summary: await readClickSummary(db, databaseNow()) }),
    }),
  },
};
