import { type SelectQueryBuilder, sql } from 'kysely';
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
import { type Post, postsOf, toldPostsOf } from './posts.ts';

const isListed = (statuses: PostStatus[], kept: string[] = []) =>
  sql<boolean>`(deliveries.status = any(${statuses}) or deliveries.post_id = any(${kept}::uuid[]))`;

/** Whether it was put away; a post that is kept is listed in any case. */
const isPutAway = (isSetAside: boolean, kept: string[] = []) =>
  sql<boolean>`(coalesce(deliveries.failure = any(${SET_ASIDE}), false) = ${isSetAside}
    or posts.id = any(${kept}::uuid[]))`;

/** Posts that are shown in their place of a list although they no longer belong there. */
type Kept = { kept?: string[] };

type ListQuery = PageQuery & Kept & { status?: PostStatus | undefined; isSetAside?: boolean | undefined };
type Asked = { userId: string; now: Date };

/** Posts of a user as one reads them, found by one of their two rows. */
type PostsOf<DB, TB extends keyof DB, Row> = (
  db: Db,
  userId: string,
  by: 'posts' | 'deliveries',
  now?: Date,
) => SelectQueryBuilder<DB, TB, Row>;

const isBelow = ({ at, id }: Keyset) =>
  sql<boolean>`(posts.created_at, posts.id) < (${at}::timestamptz, ${id}::uuid)`;

const keyOf = ({ createdAt, id }: { createdAt: Date; id: string }): Keyset => ({ at: createdAt, id });

/** Lists every post of the actor, newest first. */
function lister<DB, TB extends keyof DB, Row extends { createdAt: Date; id: string }>(
  postsOf: PostsOf<DB, TB, Row>,
) {
  const newestFirst = (posts: SelectQueryBuilder<DB, TB, Row>) =>
    posts.orderBy(sql`posts.created_at`, 'desc').orderBy(sql`posts.id`, 'desc');
  /**
   * A page of everything, of the usual length. The length is written out: of a value the database does not know how few
   * rows that is, and plans a read of them for each request anew.
   */
  const newest = (db: Db, { userId, now }: Asked) =>
    newestFirst(postsOf(db, userId, 'posts', now)).limit(sql.lit(PAGE_LENGTH + 1));
  const readNewest = written(newest);
  const readOlder = written((db: Db, asked: Asked & Keyset) => newest(db, asked).where(isBelow(asked)));

  return async (db: Db, actor: Actor, query: ListQuery): Promise<Page<Row>> => {
    const after = readCursor(query.cursor);
    if (query.limit === PAGE_LENGTH && query.status === undefined && query.isSetAside === undefined) {
      const asked = { userId: actor.userId, now: new Date() };
      const rows = await (after ? readOlder(db, { ...asked, ...after }) : readNewest(db, asked));
      return toPage(rows as Row[], PAGE_LENGTH, keyOf);
    }
    // Most posts are published: those are found in their order, and the few others by where they stand.
    const by = query.status === undefined || query.status === 'published' ? 'posts' : 'deliveries';
    const rows = await newestFirst(postsOf(db, actor.userId, by))
      .$if(query.status !== undefined, (q) => q.where(isListed([query.status!], query.kept)))
      .$if(query.isSetAside !== undefined, (q) => q.where(isPutAway(query.isSetAside!, query.kept)))
      .$if(after !== undefined, (q) => q.where(isBelow(after!)))
      .limit(query.limit + 1)
      .execute();
    return toPage(rows as Row[], query.limit, keyOf);
  };
}

export const listPosts = lister(postsOf);
/** The same as programs are told of them. */
export const listToldPosts = lister(toldPostsOf);

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
