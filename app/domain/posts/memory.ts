import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { ownRunsOf, scheduledForOf } from '#app/domain/writing/facts.ts';

const OPENINGS = 30;
const COMPARED_POSTS = 90;
const EXAMPLES = 3;
const FIRST_LINE = sql<string>`split_part(posts.content, chr(10), 1)`;

/** A test post is none of the user's own words. */
const ownPosts = (db: Db, userId: string) =>
  db
    .selectFrom('posts')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .where('visibility', '=', 'PUBLIC');

/** The first lines of the user's last 30 posts. */
export async function listOpenings(db: Db, userId: string): Promise<string[]> {
  const rows = await ownPosts(db, userId)
    .select(FIRST_LINE.as('opening'))
    .orderBy('createdAt', 'desc')
    .limit(OPENINGS)
    .execute();
  return rows.map(({ opening }) => opening);
}

/** Up to 3 posts that the user has put into words of their own. */
export async function listOwnWords(db: Db, userId: string): Promise<string[]> {
  const rows = await ownPosts(db, userId)
    .select('content')
    .where('editedAt', 'is not', null)
    .orderBy('editedAt', 'desc')
    .limit(EXAMPLES)
    .execute();
  return rows.map(({ content }) => content);
}

/** How near a text is to the nearest of the user's last 90 posts, 0 to 1. */
export async function nearestSimilarity(db: Db, userId: string, content: string): Promise<number> {
  const recent = ownPosts(db, userId).select('content').orderBy('createdAt', 'desc').limit(COMPARED_POSTS);
  const { nearest } = await db
    .selectFrom(recent.as('recent'))
    .select(sql<number | null>`max(similarity(recent.content, ${content}))`.as('nearest'))
    .executeTakeFirstOrThrow();
  return nearest ?? 0;
}

/** The topic of the post in a slot, or undefined. */
export async function findTopicOfSlot(
  db: Db,
  userId: string,
  slot: { date: string; number: number },
): Promise<string | null | undefined> {
  const post = await ownPosts(db, userId)
    .select('topicId')
    .where('slotDate', '=', slot.date)
    .where('slotNumber', '=', slot.number)
    .executeTakeFirst();
  return post?.topicId;
}

/** Which places of a run have their post. */
export async function listRunIndexes(db: Db, runId: string): Promise<Set<number>> {
  const rows = await db.selectFrom('posts').select('runIndex').where('runId', '=', runId).execute();
  return new Set(rows.map(({ runIndex }) => runIndex!));
}

/** The posts of the runs of a user that began by themselves after an instant, also deleted ones: their slots and places. */
export const listOfOwnRuns = (db: Db, userId: string, since: Date) =>
  db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber', 'runIndex', scheduledForOf('posts.runId').as('scheduledFor')])
    .where('runId', 'in', ownRunsOf(userId, since))
    .execute();
