import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isPublishingStopped } from '#app/domain/publishing/predicates.ts';
import { attempts, idsOf, isPublishing, type Post, type Span } from './post.ts';

const OPENING_MAX = 120;

export type PostOutline = Pick<Post, 'id' | 'content' | 'visibility' | 'status' | 'failure'> &
  Pick<Post, 'slotDate' | 'slotNumber' | 'publishAt' | 'postedAt' | 'dueAt' | 'heldAt'> &
  Pick<Post, 'isUnconfirmed' | 'isManual' | 'isPublishing'>;

type OutlinesInput = Span & { userId: string; now: Date };

const outlinesOf = (db: Db, input: OutlinesInput) =>
  db
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', 'posts.userId')
    .innerJoinLateral(attempts, (join) => join.onTrue())
    .select([
      'posts.id',
      sql<string>`left(posts.content, ${sql.lit(OPENING_MAX)})`.as('content'),
      'posts.visibility',
      'posts.slotDate',
      'posts.slotNumber',
      'posts.publishAt',
      'postSchedules.status',
      'postSchedules.failure',
      'postSchedules.postedAt',
      'postSchedules.dueAt',
      'postSchedules.heldAt',
      'postSchedules.isUnconfirmed',
      'postSchedules.isManual',
      isPublishing(input.now, isPublishingStopped(input.now)).as('isPublishing'),
    ])
    .where('posts.userId', '=', input.userId)
    .where('posts.deletedAt', 'is', null)
    .where(sql<boolean>`posts.id in (${idsOf(input.userId, input)})`);

/** All rows in one JSON value: parsing hundreds of rows column by column would take the driver longer. */
const readOutlines = compiledQuery((db: Db, input: OutlinesInput) =>
  db.selectNoFrom(jsonArrayFrom(outlinesOf(db, input)).as('outlines')),
);

const readOutline = jsonReader<PostOutline>({ publishAt: true, postedAt: true, dueAt: true, heldAt: true });

export async function listOutlinesOf(
  db: Db,
  { userId }: Actor,
  span: Span,
  now: Date,
): Promise<PostOutline[]> {
  const [row] = await readOutlines(db, { ...span, userId, now });
  return row!.outlines.map(readOutline);
}
