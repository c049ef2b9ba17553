import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { PostStatus } from '#app/db/tables.ts';
import { written } from '#app/db/written.ts';
import type { Actor } from '#app/domain/actor.ts';
import {
  type Keyset,
  PAGE_LENGTH,
  type Page,
  type PageQuery,
  readCursor,
  toPage,
} from '#app/domain/paging.ts';
import { SET_ASIDE } from './failures.ts';
import { WAITING_STATUSES } from './limits.ts';
import { type Post, postsOf } from './posts.ts';

const isListed = (statuses: PostStatus[], kept: string[] = []) =>
  sql<boolean>`(deliveries.status = any(${statuses}) or deliveries.post_id = any(${kept}::uuid[]))`;

/** Whether it was put away; a post that is kept is listed in any case. */
const isPutAway = (isSetAside: boolean, kept: string[] = []) =>
  sql<boolean>`(coalesce(deliveries.failure = any(${SET_ASIDE}), false) = ${isSetAside}
    or posts.id = any(${kept}::uuid[]))`;

/** Posts that are shown in their place of a list although they no longer belong there. */
type Kept = { kept?: string[] };

type NewestAsked = { userId: string; now: Date };

/**
 * A page of everything, of the usual length. The length is written out: of a value the database does not know how few
 * rows that is, and plans a read of them for each request anew.
 */
const newest = (db: Db, { userId, now }: NewestAsked) =>
  postsOf(db, userId, 'posts', now)
    .orderBy('posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(sql.lit(PAGE_LENGTH + 1));
const readNewest = written(newest);
const readOlder = written((db: Db, asked: NewestAsked & Keyset) =>
  newest(db, asked).where((eb) =>
    eb(eb.refTuple('posts.createdAt', 'posts.id'), '<', eb.tuple(asked.at, asked.id)),
  ),
);

type ListQuery = PageQuery & Kept & { status?: PostStatus | undefined; isSetAside?: boolean | undefined };

/** Every post of the actor, newest first. */
export async function listPosts(db: Db, actor: Actor, query: ListQuery): Promise<Page<Post>> {
  const after = readCursor(query.cursor);
  const keyOf = (row: Post) => ({ at: row.createdAt, id: row.id });
  if (query.limit === PAGE_LENGTH && query.status === undefined && query.isSetAside === undefined) {
    const asked = { userId: actor.userId, now: new Date() };
    return toPage(
      await (after ? readOlder(db, { ...asked, ...after }) : readNewest(db, asked)),
      PAGE_LENGTH,
      keyOf,
    );
  }
  // Most posts are published: those are found in their order, and the few others by where they stand.
  const by = query.status === undefined || query.status === 'published' ? 'posts' : 'deliveries';
  const rows = await postsOf(db, actor.userId, by)
    .$if(query.status !== undefined, (q) => q.where(isListed([query.status!], query.kept)))
    .$if(query.isSetAside !== undefined, (q) => q.where(isPutAway(query.isSetAside!, query.kept)))
    .$if(after !== undefined, (q) =>
      q.where((eb) => eb(eb.refTuple('posts.createdAt', 'posts.id'), '<', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows, query.limit, keyOf);
}

const NO_SLOT = new Date('9999-12-31T00:00:00Z');

/** The queue: what is scheduled or waits for approval, soonest first; posts without a slot come last. */
export async function listScheduled(db: Db, actor: Actor, query: PageQuery & Kept): Promise<Page<Post>> {
  const after = readCursor(query.cursor);
  const at = sql<Date>`coalesce(posts.publish_at, ${NO_SLOT}::timestamptz)`;
  const rows = await postsOf(db, actor.userId, 'deliveries')
    .where(isListed(WAITING_STATUSES, query.kept))
    .$if(after !== undefined, (q) =>
      q.where((eb) =>
        eb(eb.tuple(at, eb.ref('posts.id')), '>', eb.tuple(eb.val(after!.at), eb.val(after!.id))),
      ),
    )
    .orderBy(at)
    .orderBy('posts.id')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows, query.limit, (row) => ({ at: row.publishAt ?? NO_SLOT, id: row.id }));
}
