import { listPostsOfRun } from '#app/domain/posts/posts.ts';
import { findRun } from '#app/domain/writing/start-run.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { postShape, runShape } from './shapes.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, actor, params }) => {
    const run = await findRun(db, actor, params.id!);
    const posts = await listPostsOfRun(db, actor, run.id);
    return { run: runShape(run), posts: posts.map((post) => postShape(post, actor.timeZone)) };
  }),
});

export const loader = handler;
export const action = handler;
