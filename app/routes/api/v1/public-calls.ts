import { listTopPosts } from '#app/domain/posts/top-posts.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { KEPT_A_MINUTE } from '#app/http/limits.ts';
import { SAYS } from './says-desk.ts';
import { topPostShape } from './shapes.ts';

const handler = apiRoutes({
  '/public/top-posts': {
    GET: endpoint('public', null, SAYS.topPosts, async ({ db }) => {
      const posts = (await listTopPosts(db)).map(topPostShape);
      return Response.json({ success: true, posts }, { headers: { 'Cache-Control': KEPT_A_MINUTE } });
    }),
  },
});

export const loader = handler;
export const action = handler;
