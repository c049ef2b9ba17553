import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

const OPENINGS = 30;
const COMPARED_POSTS = 90;
const EXAMPLES = 3;
const FIRST_LINE = sql<string>`split_part(posts.content, chr(10), 1)`;
/** Above this two texts count as the same post in other words (pg_trgm similarity, 0 to 1). */
export const MOST_SIMILARITY = 0.6;

export type Topic = {
  id: string;
  name: string;
  description: string;
  keywords: string[];
  tone: string;
};

const TOPIC_COLUMNS = ['id', 'name', 'description', 'keywords', 'tone'] as const;

/**
 * The topic whose turn it is: the least recently used active one, and not the one that the same slot had
 * the day before when there is a choice.
 */
export async function chooseTopic(
  db: Db,
  userId: string,
  slot: { date: string; number: number } | null,
): Promise<Topic | undefined> {
  const topics = await db
    .selectFrom('topics')
    .select(TOPIC_COLUMNS)
    .where('userId', '=', userId)
    .where('isActive', '=', true)
    .orderBy('lastUsedAt', (order) => order.asc().nullsFirst())
    .orderBy('createdAt')
    .execute();
  if (!slot || topics.length < 2) return topics[0];
  const dayBefore = Temporal.PlainDate.from(slot.date).subtract({ days: 1 }).toString();
  const before = await db
    .selectFrom('posts')
    .select('topicId')
    .where('userId', '=', userId)
    .where('slotDate', '=', dayBefore)
    .where('slotNumber', '=', slot.number)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return topics.find(({ id }) => id !== before?.topicId) ?? topics[0];
}

export const findTopicById = (db: Db, userId: string, topicId: string): Promise<Topic | undefined> =>
  db
    .selectFrom('topics')
    .select(TOPIC_COLUMNS)
    .where('id', '=', topicId)
    .where('userId', '=', userId)
    .executeTakeFirst();

/** What the prompt carries about the author: who they are, how they write, what they said already. */
export async function gatherMaterial(db: Db, userId: string) {
  const author = await db
    .selectFrom('users')
    .select(['headline', 'voiceNotes'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const own = db.selectFrom('posts').where('userId', '=', userId).where('deletedAt', 'is', null);
  const openings = await own
    .select(FIRST_LINE.as('opening'))
    .orderBy('createdAt', 'desc')
    .limit(OPENINGS)
    .execute();
  const examples = await own
    .select('content')
    .where('editedAt', 'is not', null)
    .orderBy('editedAt', 'desc')
    .limit(EXAMPLES)
    .execute();
  return {
    author,
    openings: openings.map(({ opening }) => opening),
    examples: examples.map(({ content }) => content),
  };
}

/** How near a text is to the nearest of the user's last 90 posts, 0 to 1. */
export async function nearestSimilarity(db: Db, userId: string, content: string): Promise<number> {
  const recent = db
    .selectFrom('posts')
    .select('content')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(COMPARED_POSTS);
  const { nearest } = await db
    .selectFrom(recent.as('recent'))
    .select(sql<number | null>`max(similarity(recent.content, ${content}))`.as('nearest'))
    .executeTakeFirstOrThrow();
  return nearest ?? 0;
}
