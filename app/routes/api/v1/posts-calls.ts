import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { POST_STATUSES } from '#app/domain/posts/limits.ts';
import { listScheduled, listToldPosts } from '#app/domain/posts/list-posts.ts';
import { postShape } from '#app/domain/posts/post-shape.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { Acknowledgement, PostChange } from '#app/domain/posts/schema.ts';
import { getStats, getTotals } from '#app/domain/posts/stats.ts';
import { acknowledgePost, postAgain, publishNow, retryPost } from '#app/domain/publishing/by-hand.ts';
import { tellSent } from '#app/domain/publishing/pause.ts';
import { deletePost } from '#app/domain/publishing/take-down.ts';
import { approvePost } from '#app/domain/queue/approval.ts';
import { editPost } from '#app/domain/queue/change.ts';
import { notFound } from '#app/domain/refusal.ts';
import { accepted, apiRoutes, endpoint } from '#app/http/api.ts';
import { limitAccount } from '#app/http/limit.ts';
import type { PostCall } from '../../verbs.ts';
import { SAYS } from './says-posts.ts';

const Query = PageQuery.extend({
  status: z.enum(POST_STATUSES).optional(),
});

const Deletion = z.object({ hereOnly: z.enum(['true', 'false']).optional() });

type Act = { act: (db: Db, actor: Actor, postId: string) => Promise<unknown>; isLater: boolean };

/** `isLater`: the worker does it, and the answer says only that it will. */
const CALLS: Record<PostCall, Act> = {
  publish: { act: publishNow, isLater: true },
  approve: { act: approvePost, isLater: false },
  retry: { act: retryPost, isLater: true },
  again: { act: postAgain, isLater: true },
};

const RECENT = 3;

const handler = apiRoutes({
  '/automation/posts': {
    GET: endpoint('user', Query, SAYS.posts, async ({ db, actor, input }) => {
      const [{ rows, nextCursor }, totals] = await Promise.all([
        listToldPosts(db, actor, input),
        getTotals(db, actor),
      ]);
      return { posts: rows.map((post) => postShape(post, actor.timeZone)), totals, nextCursor };
    }),
  },
  '/automation/posts/:id': {
    PUT: endpoint('user', PostChange, SAYS.changePost, async ({ db, actor, params, input }) => ({
      post: postShape(await editPost(db, actor, { ...input, postId: params.id! }), actor.timeZone),
    })),
    DELETE: endpoint('user', Deletion, SAYS.deletePost, async ({ db, actor, params, input }) => {
      const isHereOnly = input.hereOnly === 'true';
      const beforeCall = () => limitAccount('send', actor.userId);
      const { why } = await deletePost(db, actor, params.id!, { isHereOnly, beforeCall });
      return { message: why ? `Post deleted. ${why}.` : 'Post deleted successfully!' };
    }),
  },
  '/automation/posts/:id/acknowledge': {
    POST: endpoint('user', Acknowledgement, SAYS.acknowledge, async ({ db, actor, params, input }) => {
      const postId = params.id!;
      await acknowledgePost(db, actor, { ...input, postId });
      return { post: postShape(await findPost(db, actor, postId), actor.timeZone) };
    }),
  },
  '/automation/posts/:id/:verb': {
    POST: endpoint('user', null, SAYS.act, async ({ db, actor, params }) => {
      const { id = '', verb = '' } = params;
      if (!Object.hasOwn(CALLS, verb)) throw notFound('This call');
      const { act, isLater } = CALLS[verb as PostCall];
      if (isLater) await limitAccount('send', actor.userId);
      await act(db, actor, id);
      const post = await findPost(db, actor, id);
      const body = { post: postShape(post, actor.timeZone) };
      if (!isLater) return body;
      return accepted({ ...body, message: await tellSent(db, post, actor.timeZone, new Date()) });
    }),
  },
  '/automation/scheduled': {
    GET: endpoint('user', PageQuery, SAYS.scheduled, async ({ db, actor, input }) => {
      const { rows, nextCursor } = await listScheduled(db, actor, input);
      return { posts: rows.map((post) => postShape(post, actor.timeZone)), nextCursor };
    }),
  },
  '/automation/stats': {
    GET: endpoint('user', null, SAYS.stats, async ({ db, actor }) => {
      const recent = PageQuery.parse({ limit: RECENT });
      const [stats, { rows }] = await Promise.all([getStats(db, actor), listToldPosts(db, actor, recent)]);
      return { stats: { ...stats, recentPosts: rows.map((post) => postShape(post, actor.timeZone)) } };
    }),
  },
});

export const loader = handler;
export const action = handler;
