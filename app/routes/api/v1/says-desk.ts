import { z } from 'zod';
import { COUNTED_AT_ONCE } from '#app/domain/admin-stats.ts';
import { count, email, id, instant, money, name, pageOf, type Says } from '#app/http/api-says.ts';
import { Post } from './says-posts.ts';

const success = z.object({ success: z.literal(true) });

const counted = z.object({ _id: z.string(), count });
const visitors = count.meta({
  description: 'Of each day by itself: who came on two days counts twice',
});
const visited = z.object({ _id: z.string(), visits: count, uniqueVisitors: visitors });
const visitSpan = z.object({ totalVisits: count, uniqueVisitors: visitors });
const clickSpan = z.object({ totalClicks: count, uniqueClicks: count });
const spans = <S extends z.ZodType>(span: S) =>
  z.object({ allTime: span, today: span, thisWeek: span, thisMonth: span });
const where = { country: z.string(), city: z.string() };

const accounts = COUNTED_AT_ONCE.toLocaleString('en');
const posts = count.meta({
  description: `Of more than ${accounts} accounts as they were counted last, each hour; an estimate until that was done once`,
});

const Person = z
  .object({
    _id: id,
    name,
    email,
    role: z.enum(['user', 'admin']),
    verified: z.boolean(),
    disabled: z.boolean(),
    hasActiveSubscription: z.boolean(),
    subscriptionPlan: z.string().nullable(),
    postCount: count,
    publishedCount: count,
    createdAt: instant,
  })
  .meta({ id: 'Person' });

export const SAYS = {
  click: {
    does: 'Tells of a link in one of our mails that was opened',
    answers: success,
    status: 201,
    sends: { email: 'ada@example.com', source: 'email' },
  },
  clickAnalytics: {
    does: 'Reads who opens the links in mails',
    answers: z.object({
      analytics: z.object({
        clicksByDevice: z.array(counted),
        clicksByBrowser: z.array(counted),
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
      }),
    }),
  },
  clickSummary: {
    does: 'Counts the links opened in mails',
    answers: z.object({ summary: spans(clickSpan) }),
  },
  visit: {
    does: 'Tells of a page that is shown',
    answers: success,
    status: 201,
    sends: { pathname: '/', sessionId: 'b1c2d3' },
  },
  visitAnalytics: {
    does: 'Reads who visits the pages; of places, browsers and pages those most visited',
    answers: z.object({
      analytics: z.object({
        visitsByCountry: z.array(visited),
        topPages: z.array(visited),
        visitsByCity: z.array(z.object({ location: z.string(), visits: count })),
        visitsByDevice: z.array(counted),
        visitsByBrowser: z.array(counted),
        visitsByOS: z.array(counted),
        frequentVisitors: z.array(
          z.object({
            _id: z.string(),
            visits: count,
            lastVisit: instant,
            ...where,
            devices: z.array(z.string()),
            browsers: z.array(z.string()),
          }),
        ),
        recentVisits: z.array(
          z.object({
            ipv4: z.string().nullable(),
            ipAddress: z.string().nullable(),
            ...where,
            os: z.string(),
            pathname: z.string(),
            device: z.string(),
            browser: z.string(),
            visitedAt: instant,
          }),
        ),
        places: z.string(),
      }),
    }),
  },
  visitSummary: { does: 'Counts the visits', answers: z.object({ summary: spans(visitSpan) }) },
  topPosts: {
    does: 'Lists the latest posts whose authors let everybody see them',
    answers: success.extend({
      posts: z.array(
        z.object({
          id,
          topic: z.object({ name }),
          content: z.string(),
          hashtags: z.array(z.string()),
          imageUrl: z.string().nullable(),
          altText: z.string().nullable(),
          linkedInUrl: z.string(),
        }),
      ),
    }),
  },
  adminStats: {
    does: 'Counts everything; among many accounts their posts as they were counted last',
    answers: z.object({
      stats: z.object({
        totalUsers: count,
        verifiedUsers: count,
        adminCount: count,
        activeSubscriptions: count,
        pendingPayments: count,
        totalPosts: posts,
        publishedPosts: posts,
        revenue: z.array(z.object({ _id: z.string(), total: money, count })),
      }),
    }),
  },
  users: { does: 'Lists everybody, newest first', answers: pageOf('users', Person) },
  userPosts: { does: 'Lists the posts of somebody, newest first', answers: pageOf('posts', Post) },
} satisfies Record<string, Says>;
