import { postShape } from '#app/domain/posts/post-shape.ts';
import { listPostsOfRun } from '#app/domain/posts/posts.ts';
import { GenerateInput } from '#app/domain/writing/schema.ts';
import { findRun, generateNow } from '#app/domain/writing/start-run.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { limitAccount } from '#app/http/limit.ts';
import { SAYS } from './says-posts.ts';
import { runShape } from './shapes.ts';

const handler = apiRoutes({
  '/automation/test-generate': {
    POST: endpoint(
      'user',
      GenerateInput,
      SAYS.generate,
      async ({ db, actor, input }) => {
        return { run: runShape(await generateNow(db, actor, input)) };
      },
      { isOnce: true, limit: ({ actor }) => limitAccount('write', actor.userId) },
    ),
  },
  '/automation/runs/:id': {
    GET: endpoint('user', null, SAYS.run, async ({ db, actor, params }) => {
      const run = await findRun(db, actor, params.id!);
      const posts = await listPostsOfRun(db, actor, run.id);
      return { run: runShape(run), posts: posts.map((post) => postShape(post, actor.timeZone)) };
    }),
  },
});

export const loader = handler;
export const action = handler;
