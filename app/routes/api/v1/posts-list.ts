import { z } from 'zod';
import { PageQuery } from '#app/domain/paging.ts';
import { listPosts } from '#app/domain/posts/posts.ts';
import { getTotals } from '#app/domain/posts/stats.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { postShape } from './shapes.ts';

const Query = PageQuery.extend({
  status: z.enum(['generated', 'pending', 'published', 'failed']).optional(),
});

const handler = apiRoute({
  GET: endpoint('user', Query, async ({ db, actor, input }) => {
    const { rows, nextCursor } = await listPosts(db, actor, input);
    const totals = await getTotals(db, actor);
    return { posts: rows.map((post) => postShape(post, actor.timeZone)), totals, nextCursor };
  }),
});

export const loader = handler;
export const action = handler;
