import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type BoardEntry, boardOf } from './board.ts';
import { SIMILAR_SHOWN } from './limits.ts';

/** What is shorter is like nothing yet. */
const SHORTEST = 4;

/**
 * What stands on the board and may be what a new title means, the likest first: both have many trigrams in common, or
 * all words of the shorter stand in the longer. What is over is not offered: a vote changes nothing there.
 */
export async function findSimilar(db: Db, actor: Actor, title: string): Promise<BoardEntry[]> {
  if (title.trim().length < SHORTEST) return [];
  const isLike = sql<boolean>`(feedback.title % ${title}::text or ${title}::text <% feedback.title)`;
  const likeness = sql`greatest(similarity(feedback.title, ${title}::text), word_similarity(${title}::text, feedback.title))`;
  return boardOf(db, actor)
    .where(isLike)
    .where('status', 'not in', ['completed', 'declined'])
    .orderBy(likeness, 'desc')
    .orderBy('upvotes', 'desc')
    .orderBy('id')
    .limit(SIMILAR_SHOWN)
    .execute();
}
