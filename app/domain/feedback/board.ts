import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import {
  isId,
  type Page,
  type PageQuery,
  readCountedCursor,
  readCursor,
  toPage,
} from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { has } from '#app/domain/platform/sql-like.ts';
import type { BoardQuery } from './schema.ts';

/** The feedback in the row has a text in it, as it stands, whatever its case; an index of its trigrams answers. */
export const containsText = (q: string): RawBuilder<boolean> =>
  sql<boolean>`(feedback.title || ' ' || feedback.description) ilike ${has(q)}`;

const COLUMNS = ['id', 'type', 'title', 'description', 'status', 'upvotes', 'createdAt'] as const;

/**
 * The board as one person sees it: what everybody wrote, without a word on who wrote it, and the ratings nobody's but
 * their own. What was declined is seen by its author alone: that is how admins take something off the board.
 */
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

const byAge = (query: ReturnType<typeof boardOf>, cursor: string | undefined) => {
  const after = readCursor(cursor);
  return query
    .$if(after !== undefined, (q) =>
      q.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc');
};

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

/** A page of the board: what most want first, the newest first, or what the actor wrote. */
export async function listBoard(
  db: Db,
  actor: Actor,
  { sort, type, status, q, limit, cursor }: BoardQuery & PageQuery,
): Promise<Page<BoardEntry>> {
  const found = boardOf(db, actor)
    .$if(sort === 'own', (query) => query.where('userId', '=', actor.userId))
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(Boolean(q), (query) => query.where(containsText(q!)));
  const ordered = sort === 'votes' ? byVotes(found, cursor) : byAge(found, cursor);
  const rows = await ordered.limit(limit + 1).execute();
  return toPage(rows, limit, ({ upvotes, createdAt, id }) =>
    sort === 'votes' ? { count: upvotes, at: createdAt, id } : { at: createdAt, id },
  );
}

export async function findFeedback(db: Db, actor: Actor, feedbackId: string) {
  const entry = isId(feedbackId)
    ? await boardOf(db, actor).where('id', '=', feedbackId).executeTakeFirst()
    : undefined;
  if (!entry) throw notFound('This feedback');
  return entry;
}
