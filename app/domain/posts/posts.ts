import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { PostStatus } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/actor.ts';
import { isId, type Page, type PageQuery, readCursor, toPage } from '#app/domain/paging.ts';
import { notFound } from '#app/domain/refusal.ts';

/** Posts that are not deleted, with their topic and whether a worker is at them. */
function postsOf(db: Db, userId: string) {
  return db
    .selectFrom('posts')
    .leftJoin('topics', 'topics.id', 'posts.topicId')
    .leftJoin('deliveries', 'deliveries.postId', 'posts.id')
    .select(['posts.id', 'posts.content', 'posts.hashtags', 'posts.imageUrl', 'posts.altText'])
    .select(['posts.status', 'posts.reason', 'posts.isUnconfirmed', 'posts.publishAt', 'posts.postedAt'])
    .select(['posts.createdAt', 'posts.networkUrn', 'posts.topicId', 'topics.name as topicName'])
    .select(['deliveries.heldAt'])
    .select(({ or, exists, selectFrom, ref, and, eb }) =>
      or([
        and([eb('deliveries.isByHand', '=', true), eb('deliveries.heldAt', 'is', null)]),
        exists(
          selectFrom('publications')
            .select('publications.id')
            .where('publications.postId', '=', ref('posts.id'))
            .where('publications.resolvedAt', 'is', null),
        ),
      ]).as('isPublishing'),
    )
    .where('posts.userId', '=', userId)
    .where('posts.deletedAt', 'is', null);
}

type Row = Awaited<ReturnType<ReturnType<typeof postsOf>['executeTakeFirstOrThrow']>>;
export type Post = Omit<Row, 'isPublishing'> & { isPublishing: boolean };

const toPost = (row: Row): Post => ({ ...row, isPublishing: Boolean(row.isPublishing) });

/** Every post of the actor, newest first. */
export async function listPosts(
  db: Db,
  actor: Actor,
  query: PageQuery & { status?: PostStatus | undefined },
): Promise<Page<Post>> {
  const after = readCursor(query.cursor);
  const rows = await postsOf(db, actor.userId)
    .$if(query.status !== undefined, (q) => q.where('posts.status', '=', query.status!))
    .$if(after !== undefined, (q) =>
      q.where((eb) => eb(eb.refTuple('posts.createdAt', 'posts.id'), '<', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows.map(toPost), query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

const NO_SLOT = new Date('9999-12-31T00:00:00Z');

/** The queue: what is scheduled or waits for approval, soonest first; posts without a slot come last. */
export async function listScheduled(db: Db, actor: Actor, query: PageQuery): Promise<Page<Post>> {
  const after = readCursor(query.cursor);
  const at = sql<Date>`coalesce(posts.publish_at, ${NO_SLOT}::timestamptz)`;
  const rows = await postsOf(db, actor.userId)
    .where('posts.status', 'in', ['generated', 'pending'])
    .$if(after !== undefined, (q) =>
      q.where((eb) =>
        eb(eb.tuple(at, eb.ref('posts.id')), '>', eb.tuple(eb.val(after!.at), eb.val(after!.id))),
      ),
    )
    .orderBy(at)
    .orderBy('posts.id')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows.map(toPost), query.limit, (row) => ({ at: row.publishAt ?? NO_SLOT, id: row.id }));
}

export async function findPost(db: Db, actor: Actor, postId: string): Promise<Post> {
  const row = isId(postId)
    ? await postsOf(db, actor.userId).where('posts.id', '=', postId).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('This post');
  return toPost(row);
}

export async function listPostsOfRun(db: Db, actor: Actor, runId: string): Promise<Post[]> {
  const rows = await postsOf(db, actor.userId)
    .where('posts.runId', '=', runId)
    .orderBy('posts.runIndex')
    .execute();
  return rows.map(toPost);
}

/** Every attempt at a post, in order: when, what was answered, in words. */
export async function listAttempts(db: Db, actor: Actor, postIds: string[]) {
  if (postIds.length === 0) return [];
  return db
    .selectFrom('publications')
    .select(['id', 'postId', 'attempt', 'state', 'startedAt', 'finishedAt', 'explanation'])
    .where('userId', '=', actor.userId)
    .where('postId', 'in', postIds)
    .orderBy('attempt')
    .execute();
}
