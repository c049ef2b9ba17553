import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { waits } from '#app/domain/posts/counts/counts.ts';
import { WAITING_STATUSES } from '#app/domain/posts/limits.ts';
import { idsOf, type Post, postsOf, type Span } from './post.ts';

/** Those that are shown beside a span, and one more: what goes out next may be among them. */
const LATEST = 4;
/** What is held stands before what goes out; a longer queue of those has a banner of its own. */
const SOONEST = 5;

type AroundInput = Span & { userId: string; now: Date };

const read = compiledQuery((db: Db, asked: AroundInput) =>
  postsOf(db, asked.userId, 'posts', asked.now)
    .where(
      sql<boolean>`posts.id in (with span as (${idsOf(asked.userId, asked)})
        select id from span
        union (select id from posts where user_id = ${asked.userId} and deleted_at is null
            and id not in (select id from span)
          order by created_at desc, id desc limit ${sql.lit(LATEST)})
        union (select posts.id from posts join post_schedules on post_schedules.post_id = posts.id
          where post_schedules.user_id = ${asked.userId} and ${waits('postSchedules.status')}
            and posts.deleted_at is null
          order by greatest(post_schedules.due_at, post_schedules.not_before), posts.id limit ${sql.lit(SOONEST)}))`,
    )
    .orderBy('posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc'),
);

/** When it goes out, by hand or at its time, and not before LinkedIn takes it. */
const timeOf = ({ dueAt, notBefore }: Post) =>
  dueAt ? Math.max(dueAt.getTime(), notBefore?.getTime() ?? 0) : Number.POSITIVE_INFINITY;
const soonerFirst = (a: Post, b: Post) =>
  timeOf(a) === timeOf(b) ? (a.id < b.id ? -1 : 1) : timeOf(a) - timeOf(b);

/**
 * What a day is looked at with, the latest first: the posts of its span, the latest beside them, and those that wait
 * and go soonest.
 */
export async function listPostsAround(db: Db, { userId }: Actor, span: Span, now: Date) {
  const posts = await read(db, { ...span, userId, now });
  const waiting = posts.filter(({ status }) => WAITING_STATUSES.includes(status));
  return {
    posts,
    soonest: waiting.toSorted(soonerFirst).slice(0, SOONEST),
  };
}
