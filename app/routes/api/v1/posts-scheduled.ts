import { PageQuery } from '#app/domain/paging.ts';
import { listScheduled } from '#app/domain/posts/posts.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { postShape } from './shapes.ts';

const handler = apiRoute({
  GET: endpoint('user', PageQuery, async ({ db, actor, input }) => {
    const { rows, nextCursor } = await listScheduled(db, actor, input);
    return { posts: rows.map((post) => postShape(post, actor.timeZone)), nextCursor };
  }),
});

export const loader = handler;
export const action = handler;
