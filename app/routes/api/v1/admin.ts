import { z } from 'zod';
import {
  type AdminStats as AdminStatsRow,
  EXACT_COUNT_MAX,
  readAdminStats,
} from '#app/domain/operations/stats.ts';
import {
  getListedUser,
  listUsers,
  type ListedUser as UserRow,
  UsersQuery,
} from '#app/domain/operations/users.ts';
import { listRevenue, type Revenue } from '#app/domain/payments/ledger/revenue.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import { planType } from '#app/domain/payments/plan-labels.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { postShape } from '#app/domain/posts/api-shape.ts';
import { listApiPosts } from '#app/domain/posts/lists/list.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { count, email, id, instant, money, name, pageOf } from '#app/http/api/schemas.ts';
import { Post } from './posts.ts';

const postCount = count.meta({
  description: `Of more than ${EXACT_COUNT_MAX.toLocaleString('en')} accounts as they were counted last, each hour; an estimate until then`,
});

const AdminStats = z.object({
  totalUsers: count,
  verifiedUsers: count,
  adminCount: count,
  activeSubscriptions: count,
  pendingPayments: count,
  totalPosts: postCount,
  publishedPosts: postCount,
  revenue: z.array(z.object({ _id: z.string(), total: money, count })),
});
type AdminStats = z.infer<typeof AdminStats>;

const ListedUser = z
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
type ListedUser = z.infer<typeof ListedUser>;

/** An account exists only once its email address is verified. `revenue` has the currencies with a verified payment. */
const adminStatsShape = (stats: AdminStatsRow, revenue: Revenue[]): AdminStats => ({
  totalUsers: stats.totalUsers,
  verifiedUsers: stats.totalUsers,
  adminCount: stats.adminCount,
  activeSubscriptions: stats.activeSubscriptions,
  pendingPayments: stats.pendingPayments,
  totalPosts: stats.totalPosts,
  publishedPosts: stats.publishedPosts,
  revenue: revenue
    .filter(({ count }) => count > 0)
    .map(({ currencyCode, totalMinor, count }) => ({
      _id: currencyCode,
      total: toMajor(totalMinor),
      count,
    })),
});

const userShape = (user: UserRow): ListedUser => ({
  _id: user.id,
  name: user.name,
  email: user.email,
  role: user.isAdmin ? 'admin' : 'user',
  verified: true,
  disabled: user.isDisabled,
  hasActiveSubscription: user.postsPerDay !== null,
  subscriptionPlan: user.postsPerDay === null ? null : planType(user.postsPerDay),
  postCount: user.postCount,
  publishedCount: user.publishedCount,
  createdAt: user.createdAt.toISOString(),
});

export const adminCalls: Calls = {
  '/admin/stats': {
    GET: endpoint({
      summary: 'Counts users, plans, payments and posts; with many accounts, posts as of the last count',
      access: 'admin',
      response: z.object({ stats: AdminStats }),
      handle: async ({ db }) => ({ stats: adminStatsShape(await readAdminStats(db), await listRevenue(db)) }),
    }),
  },
  '/admin/users': {
    GET: endpoint({
      summary: 'Lists all users, newest first',
      access: 'admin',
      input: UsersQuery,
      response: pageOf('users', ListedUser),
      handle: async ({ db, input }) => {
        const { rows, nextCursor } = await listUsers(db, input);
        return { users: rows.map(userShape), nextCursor };
      },
    }),
  },
  '/admin/users/:id/posts': {
    GET: endpoint({
      summary: 'Lists the posts of a user, newest first',
      access: 'admin',
      input: PageQuery,
      response: pageOf('posts', Post),
      handle: async ({ db, input, params }) => {
        const author = await getListedUser(db, params.id!);
        const { rows, nextCursor } = await listApiPosts(db, author, input);
        return { posts: rows.map((post) => postShape(post, author.timeZone)), nextCursor };
      },
    }),
  },
};
