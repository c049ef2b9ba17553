import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import type { PostStatus } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import {
  type Keyset,
  PAGE_LENGTH,
  type Page,
  type PageQuery,
  readCursor,
  toPage,
} from '#app/domain/platform/paging.ts';
import { waits } from '#app/domain/posts/counts/counts.ts';
import { SET_ASIDE } from '#app/domain/posts/failures.ts';
import { apiPostsOf, postsOf } from './post.ts';

const isListed = (statuses: PostStatus[], kept: string[] = []) =>
  sql<boolean>`(post_schedules.status = any(${statuses}) or post_schedules.post_id = any(${kept}::uuid[]))`;

const isSetAsidePost = (isSetAside: boolean, kept: string[] = []) =>
  sql<boolean>`(coalesce(post_schedules.failure = any(${SET_ASIDE}), false) = ${isSetAside}
    or posts.id = any(${kept}::uuid[]))`;

/** `kept`: posts that stay in the list although they no longer match. */
type KeptInList = { kept?: string[] };

type ListQuery = PageQuery &
  KeptInList & { status?: PostStatus | undefined; isSetAside?: boolean | undefined };
type ListInput = { userId: string; now: Date };

/** A query for posts of a user that begins with one of the two tables. */
type PostsOf<DB, TB extends keyof DB, Row> = (
  db: Db,
  userId: string,
  by: 'posts' | 'postSchedules',
  now?: Date,
) => SelectQueryBuilder<DB, TB, Row>;

const isBelow = ({ at, id }: Keyset) =>
  sql<boolean>`(posts.created_at, posts.id) < (${at}::timestamptz, ${id}::uuid)`;

const keyOf = ({ createdAt, id }: { createdAt: Date; id: string }): Keyset => ({ at: createdAt, id });

/**
 * Returns a function that lists the posts of a user, newest first.
 *
 * A page of all posts with the usual length is a named statement. Its limit is a literal: with a parameter Postgres
 * cannot tell how few rows are wanted, and plans the query for every request.
 *
 * @param postsOf The query that selects the posts, with the columns that the list shows.
 * @param usualLength The page length of the named statement.
 */
export function newestLister<DB, TB extends keyof DB, Row extends { createdAt: Date; id: string }>(
  postsOf: PostsOf<DB, TB, Row>,
  usualLength = PAGE_LENGTH,
) {
  const newestFirst = (posts: SelectQueryBuilder<DB, TB, Row>) =>
    posts.orderBy(sql`posts.created_at`, 'desc').orderBy(sql`posts.id`, 'desc');
  const newest = (db: Db, { userId, now }: ListInput) =>
    newestFirst(postsOf(db, userId, 'posts', now)).limit(sql.lit(usualLength + 1));
  const readNewest = compiledQuery(newest);
  const readOlder = compiledQuery((db: Db, input: ListInput & Keyset) =>
    newest(db, input).where(isBelow(input)),
  );

  return async (db: Db, actor: Actor, query: ListQuery, now = new Date()): Promise<Page<Row>> => {
    const after = readCursor(query.cursor);
    if (query.limit === usualLength && query.status === undefined && query.isSetAside === undefined) {
      const input = { userId: actor.userId, now };
      const rows = await (after ? readOlder(db, { ...input, ...after }) : readNewest(db, input));
      return toPage(rows as Row[], usualLength, keyOf);
    }
    // Most posts are published: an index finds those in their order, and the few others by their status.
    const by = query.status === undefined || query.status === 'published' ? 'posts' : 'postSchedules';
    const rows = await newestFirst(postsOf(db, actor.userId, by, now))
      .$if(query.status !== undefined, (q) => q.where(isListed([query.status!], query.kept)))
      .$if(query.isSetAside !== undefined, (q) => q.where(isSetAsidePost(query.isSetAside!, query.kept)))
      .$if(after !== undefined, (q) => q.where(isBelow(after!)))
      .limit(query.limit + 1)
      .execute();
    return toPage(rows as Row[], query.limit, keyOf);
  };
}

export const listPosts = newestLister(postsOf);
export const listApiPosts = newestLister(apiPostsOf);

const NO_SLOT = new Date('9999-12-31T00:00:00Z');
const slotAt = sql<Date>`coalesce(posts.publish_at, ${NO_SLOT}::timestamptz)`;

const isAfter = ({ at, id }: Keyset) =>
  sql<boolean>`(${slotAt}, posts.id) > (${at}::timestamptz, ${id}::uuid)`;

const slotKeyOf = ({ publishAt, id }: { publishAt: Date | null; id: string }): Keyset => ({
  at: publishAt ?? NO_SLOT,
  id,
});

/**
 * Returns a function that lists the queue: scheduled posts and those that wait for approval, soonest first, then
 * posts without a slot. See `newestLister` for the parameters and the named statement.
 */
export function queueLister<DB, TB extends keyof DB, Row extends { publishAt: Date | null; id: string }>(
  postsOf: PostsOf<DB, TB, Row>,
  usualLength = PAGE_LENGTH,
) {
  type QueueInput = ListInput & Required<KeptInList>;
  const queue = (db: Db, { userId, now, kept }: QueueInput) =>
    postsOf(db, userId, 'postSchedules', now)
      .where(
        sql<boolean>`(${waits('postSchedules.status')} or post_schedules.post_id = any(${kept}::uuid[]))`,
      )
      .orderBy(slotAt)
      .orderBy(sql`posts.id`);
  const readSoonest = compiledQuery((db: Db, input: QueueInput) =>
    queue(db, input).limit(sql.lit(usualLength + 1)),
  );
  const readLater = compiledQuery((db: Db, input: QueueInput & Keyset) =>
    queue(db, input)
      .where(isAfter(input))
      .limit(sql.lit(usualLength + 1)),
  );

  return async (
    db: Db,
    actor: Actor,
    query: PageQuery & KeptInList,
    now = new Date(),
  ): Promise<Page<Row>> => {
    const after = readCursor(query.cursor);
    const input = { userId: actor.userId, now, kept: query.kept ?? [] };
    if (query.limit === usualLength) {
      const rows = await (after ? readLater(db, { ...input, ...after }) : readSoonest(db, input));
      return toPage(rows as Row[], usualLength, slotKeyOf);
    }
    const rows = await queue(db, input)
      .$if(after !== undefined, (q) => q.where(isAfter(after!)))
      .limit(query.limit + 1)
      .execute();
    return toPage(rows as Row[], query.limit, slotKeyOf);
  };
}

export const listScheduled = queueLister(postsOf);
