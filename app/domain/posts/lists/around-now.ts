import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { waits } from '#app/domain/posts/counts/counts.ts';
import { WAITING_STATUSES } from '#app/domain/posts/limits.ts';
import { idsOf, type Post, postsOf, type Span } from './post.ts';

/** One more than is shown beside a span: the next post to be published may be among them. */
const LATEST = 4;
/** Held posts come first. A longer queue of them has a banner of its own. */
const SOONEST = 5;

type AroundInput = Span & { userId: string; now: Date };

const read = compiledQuery((db: Db, input: AroundInput) =>
  postsOf(db, input.userId, 'posts', input.now)
    .where(
      sql<boolean>`posts.id in (with span as (${idsOf(input.userId, input)})
        select id from span
        union (select id from posts where user_id = ${input.userId} and deleted_at is null
            and id not in (select id from span)
          order by created_at desc, id desc limit ${sql.lit(LATEST)})
        union (select posts.id from posts join post_schedules on post_schedules.post_id = posts.id
          where post_schedules.user_id = ${input.userId} and ${waits('postSchedules.status')}
            and posts.deleted_at is null
          order by greatest(post_schedules.due_at, post_schedules.not_before), posts.id limit ${sql.lit(SOONEST)}))`,
    )
    .orderBy('posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc'),
);

/** When the post will be sent: when it is due, or later when LinkedIn has put it off. */
const timeOf = ({ dueAt, notBefore }: Post) =>
  dueAt ? Math.max(dueAt.getTime(), notBefore?.getTime() ?? 0) : Number.POSITIVE_INFINITY;
const soonerFirst = (a: Post, b: Post) =>
  timeOf(a) === timeOf(b) ? (a.id < b.id ? -1 : 1) : timeOf(a) - timeOf(b);

/** Lists the posts of a span, the latest ones besides, and the waiting ones that are sent next; newest first. */
export async function listPostsAround(db: Db, { userId }: Actor, span: Span, now: Date) {
  const posts = await read(db, { ...span, userId, now });
  const waiting = posts.filter(({ status }) => WAITING_STATUSES.includes(status));
  return {
    posts,
    soonest: waiting.toSorted(soonerFirst).slice(0, SOONEST),
  };
}
