import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import type { PostStatus } from '#app/db/tables.ts';
import { postShape } from '#app/domain/posts/api-shape.ts';
import { apiPosts } from '#app/domain/posts/lists/post.ts';
import { zoneIfSubscribed } from '#app/domain/webhooks/predicates.ts';
import { ignoreFailure, sendEvents } from '#app/domain/webhooks/send-events.ts';

const STATUS_OF = {
  'post.published': 'published',
  'post.failed': 'failed',
  'post.needs_approval': 'pending',
} as const satisfies Record<string, PostStatus>;
type PostEvent = keyof typeof STATUS_OF;

/** `zone`: of its owner, when a program of theirs is to be told of the post; else null. */
type Stood = { postId: string; zone: string | null };

const notified = (type: PostEvent, condition: RawBuilder<boolean>) => [
  sql<string>`post_schedules.post_id`.as('postId'),
  sql<string | null>`case when post_schedules.status = ${STATUS_OF[type]} and ${condition}
    then ${zoneIfSubscribed('postSchedules.userId', type)} end`.as('zone'),
];

/** Of deliveries that a statement changes or reads: whether programs are told that they stand so. */
export const eventsOf = (type: PostEvent) => notified(type, sql`true`);

/** The same of deliveries that did not stand so before the statement, which a query inside of it still sees. */
export const notifiedOnce = (type: PostEvent) =>
  notified(
    type,
    sql`(select was.status from post_schedules was where was.post_id = post_schedules.post_id)
      is distinct from post_schedules.status`,
  );

/** Tells the programs of their owners what became of posts, in the transaction in which it does. */
export async function notifyWebhooks(trx: Trx, type: PostEvent, stood: Stood[]): Promise<void> {
  const zones = new Map(stood.flatMap(({ postId, zone }) => (zone === null ? [] : [[postId, zone]])));
  if (zones.size === 0) return;
  await ignoreFailure(trx, type, async () => {
    const posts = await apiPosts(trx)
      .select('posts.userId')
      .where('posts.id', 'in', [...zones.keys()])
      .execute();
    await sendEvents(
      trx,
      type,
      posts.map(({ userId, ...post }) => ({ userId, data: { post: postShape(post, zones.get(post.id)!) } })),
    );
  });
}
