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

/** `zone` is the user's time zone when a webhook of theirs is subscribed to the event, else null. */
type ChangedPost = { postId: string; zone: string | null };

const columnsWhen = (type: PostEvent, condition: RawBuilder<boolean>) => [
  sql<string>`post_schedules.post_id`.as('postId'),
  sql<string | null>`case when post_schedules.status = ${STATUS_OF[type]} and ${condition}
    then ${zoneIfSubscribed('postSchedules.userId', type)} end`.as('zone'),
];

export const webhookColumns = (type: PostEvent) => columnsWhen(type, sql`true`);

/** Like `webhookColumns`, for rows whose status the statement changed. A subquery still sees the status before it. */
export const webhookColumnsIfChanged = (type: PostEvent) =>
  columnsWhen(
    type,
    sql`(select was.status from post_schedules was where was.post_id = post_schedules.post_id)
      is distinct from post_schedules.status`,
  );

/** Queues the event for the subscribed webhooks of the posts' users, in the transaction of the change. */
export async function notifyWebhooks(trx: Trx, type: PostEvent, changed: ChangedPost[]): Promise<void> {
  const zones = new Map(changed.flatMap(({ postId, zone }) => (zone === null ? [] : [[postId, zone]])));
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
