import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { postShape } from '#app/domain/posts/api-shape.ts';
import { getStats, getTotals } from '#app/domain/posts/counts/stats.ts';
import { CURES, PRESENCES } from '#app/domain/posts/failures.ts';
import { pictureOf } from '#app/domain/posts/landing/images.ts';
import { listTopPosts, type TopPost as TopPostRow } from '#app/domain/posts/landing/top-posts.ts';
import { POST_STATUSES } from '#app/domain/posts/limits.ts';
import { listApiPosts, listScheduled } from '#app/domain/posts/lists/list.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { Acknowledgement, PostChange } from '#app/domain/posts/schema.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import {
  acknowledgePost,
  postAgain,
  publishNow,
  retryPost,
} from '#app/domain/publishing/manual/publish-now.ts';
import { explainSent } from '#app/domain/publishing/safety/pause.ts';
import { accepted, type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { count, id, instant, Message, name, pageOf, Success, text } from '#app/http/api/schemas.ts';
import { CACHE_ONE_MINUTE } from '#app/http/limits.ts';
import { absoluteUrl } from '#app/http/public-site.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import type { PostCall } from '#app/routes/actions.ts';

const keysOf = <K extends string>(words: Record<K, unknown>) => Object.keys(words) as [K, ...K[]];

const enteredCount = count.nullable();
/** Webhooks send it too, so its mapper is in the domain. */
export const Post = z
  .object({
    _id: id,
    content: text('A weekly plan should fit on a postcard.'),
    imageUrl: z.string().nullable(),
    altText: z.string().nullable(),
    hashtags: z.array(text('Planning')),
    status: z.enum(POST_STATUSES as [string, ...string[]]),
    reason: z.string().nullable(),
    presence: z.enum(keysOf(PRESENCES)).meta({ description: 'Whether it is on LinkedIn' }),
    presenceText: z.string(),
    cure: z.object({ name: z.enum(keysOf(CURES)), label: z.string() }).nullable(),
    topicId: z.object({ _id: id, name: z.string().nullable() }).nullable(),
    scheduledPublishTime: z.string().nullable().meta({ description: 'HH:MM in the time zone of the user' }),
    publishAt: instant.nullable(),
    postedAt: instant.nullable(),
    createdAt: instant,
    linkedInPostUrl: z.string().nullable(),
    engagement: z.object({
      likes: enteredCount,
      comments: enteredCount,
      shares: enteredCount,
      impressions: enteredCount,
      source: z.string().nullable().meta({ description: '`user`: the user entered the numbers' }),
    }),
  })
  .meta({ id: 'Post' });

const OnePost = z.object({ post: Post });

const Stats = z
  .object({
    totalPosts: count,
    publishedPosts: count,
    scheduledPosts: count,
    totalTopics: count,
    activeTopics: count,
    pausedTopics: count,
    generatedToday: count,
    publishedToday: count,
    recentPosts: z.array(Post),
  })
  .meta({ id: 'Stats' });

const TopPost = z.object({
  id,
  topic: z.object({ name }),
  content: z.string(),
  hashtags: z.array(z.string()),
  imageUrl: z.string().nullable(),
  altText: z.string().nullable(),
  linkedInUrl: z.string(),
});
type TopPost = z.infer<typeof TopPost>;

function topPostShape(post: TopPostRow): TopPost {
  const picture = pictureOf(post);
  return {
    id: post.id,
    topic: { name: post.topicName },
    content: post.content,
    hashtags: post.hashtags,
    imageUrl: picture && absoluteUrl(picture),
    altText: post.altText,
    linkedInUrl: post.url,
  };
}

const PostsQuery = PageQuery.extend({
  status: z.enum(POST_STATUSES).optional(),
});

const Deletion = z.object({ hereOnly: z.enum(['true', 'false']).optional() });

type Action = { run: (db: Db, actor: Actor, postId: string) => Promise<unknown>; isAsync: boolean };

/** `isAsync`: a worker does the work after the response, which is 202. */
const ACTIONS: Record<PostCall, Action> = {
  publish: { run: publishNow, isAsync: true },
  approve: { run: approvePost, isAsync: false },
  retry: { run: retryPost, isAsync: true },
  again: { run: postAgain, isAsync: true },
};

const RECENT_POSTS = 3;

export const postCalls: Calls = {
  '/automation/posts': {
    GET: endpoint({
      summary: 'Lists the posts, newest first, with the totals of all of them',
      access: 'user',
      input: PostsQuery,
      response: pageOf('posts', Post).extend({
        totals: z.object({
          posts: count,
          likes: enteredCount,
          comments: enteredCount,
          shares: enteredCount,
        }),
      }),
      handle: async ({ db, actor, input }) => {
        const [{ rows, nextCursor }, totals] = await Promise.all([
          listApiPosts(db, actor, input),
          getTotals(db, actor),
        ]);
        return { posts: rows.map((post) => postShape(post, actor.timeZone)), totals, nextCursor };
      },
    }),
  },
  '/automation/posts/:id': {
    PUT: endpoint({
      summary: 'Changes the fields of a post that are sent',
      access: 'user',
      input: PostChange,
      example: { hashtags: ['Planning'] },
      response: OnePost,
      handle: async ({ db, actor, params, input }) => ({
        post: postShape(await editPost(db, actor, { ...input, postId: params.id! }), actor.timeZone),
      }),
    }),
    DELETE: endpoint({
      summary: 'Deletes a post, on LinkedIn first',
      access: 'user',
      input: Deletion,
      response: Message,
      handle: async ({ db, actor, params, input }) => {
        const isHereOnly = input.hereOnly === 'true';
        const beforeCall = () => limitAccount('send', actor.userId);
        const { why } = await deletePost(db, actor, params.id!, { isHereOnly, beforeCall });
        return { message: why ? `Post deleted. ${why}.` : 'Post deleted successfully!' };
      },
    }),
  },
  '/automation/posts/:id/acknowledge': {
    POST: endpoint({
      summary: 'Marks a post whose publishing could not be confirmed as published',
      access: 'user',
      input: Acknowledgement,
      example: { link: 'https://www.linkedin.com/feed/update/urn:li:share:7' },
      response: OnePost,
      handle: async ({ db, actor, params, input }) => {
        const postId = params.id!;
        await acknowledgePost(db, actor, { ...input, postId });
        return { post: postShape(await findPost(db, actor, postId), actor.timeZone) };
      },
    }),
  },
  '/automation/posts/:id/:verb': {
    POST: endpoint({
      summary: 'Approves a post, publishes it now, retries it, or publishes it again though it may be out',
      access: 'user',
      response: OnePost.extend({ message: z.string().optional() }),
      handle: async ({ db, actor, params }) => {
        const { id = '', verb = '' } = params;
        if (!Object.hasOwn(ACTIONS, verb)) throw notFound('This call');
        const { run, isAsync } = ACTIONS[verb as PostCall];
        if (isAsync) await limitAccount('send', actor.userId);
        await run(db, actor, id);
        const post = await findPost(db, actor, id);
        const body = { post: postShape(post, actor.timeZone) };
        if (!isAsync) return body;
        return accepted({ ...body, message: await explainSent(db, post, actor.timeZone, new Date()) });
      },
    }),
  },
  '/automation/scheduled': {
    GET: endpoint({
      summary: 'Lists the scheduled posts, soonest first',
      access: 'user',
      input: PageQuery,
      response: pageOf('posts', Post),
      handle: async ({ db, actor, input }) => {
        const { rows, nextCursor } = await listScheduled(db, actor, input);
        return { posts: rows.map((post) => postShape(post, actor.timeZone)), nextCursor };
      },
    }),
  },
  '/automation/stats': {
    GET: endpoint({
      summary: 'Returns the numbers of the dashboard',
      access: 'user',
      response: z.object({ stats: Stats }),
      handle: async ({ db, actor }) => {
        const recent = PageQuery.parse({ limit: RECENT_POSTS });
        const [stats, { rows }] = await Promise.all([getStats(db, actor), listApiPosts(db, actor, recent)]);
        return { stats: { ...stats, recentPosts: rows.map((post) => postShape(post, actor.timeZone)) } };
      },
    }),
  },
  '/public/top-posts': {
    GET: endpoint({
      summary: 'Lists the latest posts that their authors show to everybody',
      access: 'public',
      response: Success.extend({ posts: z.array(TopPost) }),
      handle: async ({ db }) => {
        const posts = (await listTopPosts(db)).map(topPostShape);
        return Response.json({ success: true, posts }, { headers: { 'Cache-Control': CACHE_ONE_MINUTE } });
      },
    }),
  },
};
