import { readAdminStats } from '#app/domain/admin-stats.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { listRevenue } from '#app/domain/payments/earnings.ts';
import { getPerson, listPeople, PeopleQuery } from '#app/domain/people.ts';
import { listToldPosts } from '#app/domain/posts/list-posts.ts';
import { postShape } from '#app/domain/posts/post-shape.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { SAYS } from './says-desk.ts';
import { personShape } from './shapes-admin.ts';
import { adminStatsShape } from './shapes-payments.ts';

const handler = apiRoutes({
  '/admin/stats': {
    GET: endpoint('admin', null, SAYS.adminStats, async ({ db }) => ({
      stats: adminStatsShape(await readAdminStats(db), await listRevenue(db)),
    })),
  },
  '/admin/users': {
    GET: endpoint('admin', PeopleQuery, SAYS.users, async ({ db, input }) => {
      const { rows, nextCursor } = await listPeople(db, input);
      return { users: rows.map(personShape), nextCursor };
    }),
  },
  '/admin/users/:id/posts': {
    GET: endpoint('admin', PageQuery, SAYS.userPosts, async ({ db, input, params }) => {
      const author = await getPerson(db, params.id!);
      const { rows, nextCursor } = await listToldPosts(db, author, input);
      return { posts: rows.map((post) => postShape(post, author.timeZone)), nextCursor };
    }),
  },
});

export const loader = handler;
export const action = handler;
