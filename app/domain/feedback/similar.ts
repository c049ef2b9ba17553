import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type BoardEntry, boardOf } from './board.ts';
import { SIMILAR_MAX } from './limits.ts';

const MIN_LENGTH = 4;

/** Open feedback with a similar title, by trigrams or by words, most similar first. */
export async function findSimilar(db: Db, actor: Actor, title: string): Promise<BoardEntry[]> {
  if (title.trim().length < MIN_LENGTH) return [];
  const isSimilar = sql<boolean>`(feedback.title % ${title}::text or ${title}::text <% feedback.title)`;
  const similarity = sql`greatest(similarity(feedback.title, ${title}::text), word_similarity(${title}::text, feedback.title))`;
  return boardOf(db, actor)
    .where(isSimilar)
    .where('status', 'not in', ['completed', 'declined'])
    .orderBy(similarity, 'desc')
    .orderBy('upvotes', 'desc')
    .orderBy('id')
    .limit(SIMILAR_MAX)
    .execute();
}
