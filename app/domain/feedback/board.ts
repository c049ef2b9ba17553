import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import {
  findOrRefuse,
  isAfterCursor,
  type Page,
  type PageQuery,
  readCountedCursor,
  toPage,
} from '#app/domain/platform/paging.ts';
import { containsPattern } from '#app/domain/platform/sql-like.ts';
import type { BoardQuery } from './schema.ts';

/** Case-insensitive; uses a trigram index. */
export const containsText = (q: string): RawBuilder<boolean> =>
  sql<boolean>`(feedback.title || ' ' || feedback.description) ilike ${containsPattern(q)}`;

const COLUMNS = ['id', 'type', 'title', 'description', 'status', 'upvotes', 'createdAt'] as const;

/** Without authors, and with ratings of their own only. Declined feedback is visible to its author only. */
export const boardOf = (db: Db, { userId }: Actor) =>
  db
    .selectFrom('feedback')
    .select(COLUMNS)
    .select(({ eb, exists, selectFrom }) => [
      eb('userId', '=', userId).as('isOwn'),
      sql<number | null>`case when user_id = ${userId} then rating end`.as('rating'),
      exists(
        selectFrom('feedbackVotes')
          .select('feedbackVotes.userId')
          .whereRef('feedbackId', '=', 'feedback.id')
          .where('feedbackVotes.userId', '=', userId),
      )
        .$castTo<boolean>()
        .as('hasVoted'),
    ])
    .where(({ eb, or }) => or([eb('status', '<>', 'declined'), eb('userId', '=', userId)]));

export type BoardEntry = Awaited<ReturnType<typeof findFeedback>>;

const byAge = (query: ReturnType<typeof boardOf>, cursor: string | undefined) =>
  query.where(isAfterCursor(cursor, 'createdAt')).orderBy('createdAt', 'desc').orderBy('id', 'desc');

const byVotes = (query: ReturnType<typeof boardOf>, cursor: string | undefined) => {
  const after = readCountedCursor(cursor);
  return query
    .$if(after !== undefined, (q) =>
      q.where((eb) =>
        eb(eb.refTuple('upvotes', 'createdAt', 'id'), '<', eb.tuple(after!.count, after!.at, after!.id)),
      ),
    )
    .orderBy('upvotes', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc');
};

export async function listBoard(
  db: Db,
  actor: Actor,
  { sort, type, status, q, limit, cursor }: BoardQuery & PageQuery,
): Promise<Page<BoardEntry>> {
  const filtered = boardOf(db, actor)
    .$if(sort === 'own', (query) => query.where('userId', '=', actor.userId))
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(Boolean(q), (query) => query.where(containsText(q!)));
  const ordered = sort === 'votes' ? byVotes(filtered, cursor) : byAge(filtered, cursor);
  const rows = await ordered.limit(limit + 1).execute();
  return toPage(rows, limit, ({ upvotes, createdAt, id }) =>
    sort === 'votes' ? { count: upvotes, at: createdAt, id } : { at: createdAt, id },
  );
}

export async function findFeedback(db: Db, actor: Actor, feedbackId: string) {
  return findOrRefuse('This feedback', feedbackId, () =>
    boardOf(db, actor).where('id', '=', feedbackId).executeTakeFirst(),
  );
}
