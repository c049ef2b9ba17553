import { PageQuery } from '#app/domain/paging.ts';
import { listPosts } from '#app/domain/posts/posts.ts';
import { getStats } from '#app/domain/posts/stats.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { postShape } from './shapes.ts';

const RECENT = 3;

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, actor }) => {
    const stats = await getStats(db, actor);
    const { rows } = await listPosts(db, actor, PageQuery.parse({ limit: RECENT }));
    return { stats: { ...stats, recentPosts: rows.map((post) => postShape(post, actor.timeZone)) } };
  }),
});

export const loader = handler;
export const action = handler;
