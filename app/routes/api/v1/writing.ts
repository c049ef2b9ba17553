import { z } from 'zod';
import { postShape } from '#app/domain/posts/api-shape.ts';
import { listPostsOfRun } from '#app/domain/posts/lists/post.ts';
import { findRun, generateNow, type Run as RunRow } from '#app/domain/writing/runs/start.ts';
import { GenerateInput } from '#app/domain/writing/schema.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { count, id, instant } from '#app/http/api/schemas.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { Post } from './posts.ts';

const Run = z
  .object({
    _id: id,
    status: z.string(),
    requested: count,
    done: count,
    failed: count,
    error: z.string().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Run' });
type Run = z.infer<typeof Run>;

export const runShape = (run: RunRow): Run => ({
  _id: run.id,
  status: run.status,
  requested: run.requested,
  done: run.done,
  failed: run.failed,
  error: run.error,
  createdAt: run.createdAt.toISOString(),
});

export const writingCalls: Calls = {
  '/automation/test-generate': {
    POST: endpoint({
      summary: 'Starts writing posts now',
      access: 'user',
      input: GenerateInput,
      example: { count: 1 },
      isIdempotent: true,
      limit: ({ actor }) => limitAccount('write', actor.userId),
      status: 202,
      response: z.object({ run: Run }),
      handle: async ({ db, actor, input }) => ({ run: runShape(await generateNow(db, actor, input)) }),
    }),
  },
  '/automation/runs/:id': {
    GET: endpoint({
      summary: 'Returns the progress of a run of the writer, and its posts',
      access: 'user',
      response: z.object({ run: Run, posts: z.array(Post) }),
      handle: async ({ db, actor, params }) => {
        const run = await findRun(db, actor, params.id!);
        const posts = await listPostsOfRun(db, actor, run.id);
        return { run: runShape(run), posts: posts.map((post) => postShape(post, actor.timeZone)) };
      },
    }),
  },
};
