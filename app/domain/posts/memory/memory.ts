import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { lastSlotOf } from '#app/domain/posts/predicates.ts';
import {
  isNearlyMade,
  isNearlySame,
  isRewritten,
  isWrittenFor,
  scheduledRunsOf,
} from '#app/domain/writing/predicates.ts';
import { nearestOf } from './similarity.ts';

const LAST_TEXTS = 30;
const COMPARED_DAYS = 180;
/** Comparing this many texts blocks the process for a few milliseconds. */
const COMPARED_AT_ONCE = 50;
const DAY_MS = 86_400_000;

/** A test post is none of the user's own words. */
const ownPosts = (db: Db, userId: string) =>
  db
    .selectFrom('posts')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .where('visibility', '=', 'PUBLIC');

/** What the user's last 30 posts say, the latest first, but for the one that is written again. */
export async function listLastTexts(db: Db, userId: string, butPostId?: string): Promise<string[]> {
  const rows = await ownPosts(db, userId)
    .select('content')
    .$if(butPostId !== undefined, (query) => query.where('id', '<>', butPostId!))
    .orderBy('createdAt', 'desc')
    .limit(LAST_TEXTS)
    .execute();
  return rows.map(({ content }) => content);
}

const rewrittenPosts = (db: Db, userId: string) =>
  ownPosts(db, userId)
    .select(['id', 'content'])
    .where('editedAt', 'is not', null)
    .where(isRewritten('posts.id', 'posts.content'));

/** Posts that the user has really put into words of their own: little of what was written for them is left. */
export const listRewritten = (db: Db, userId: string, limit: number) =>
  rewrittenPosts(db, userId).orderBy('editedAt', 'desc').limit(limit).execute();

/** One of these; undefined when the post is none. */
export const findRewritten = (db: Db, userId: string, postId: string) =>
  rewrittenPosts(db, userId).where('id', '=', postId).executeTakeFirst();

export async function listOwnWords(db: Db, userId: string, limit: number): Promise<string[]> {
  return (await listRewritten(db, userId, limit)).map(({ content }) => content);
}

/** Whether a text is, with little changed, one that was written for the user. */
export async function isOurs(db: Db, userId: string, content: string): Promise<boolean> {
  const asWritten = ownPosts(db, userId)
    .select('id')
    .where('editedAt', 'is', null)
    .where(isNearlySame('posts.content', content));
  // What another text has taken the place of, or could have.
  const asVersion = db
    .selectFrom('postVersions')
    .select('id')
    .where('userId', '=', userId)
    .where(isNearlyMade('made', content));
  const { isOurs } = await db
    .selectNoFrom(({ or, exists }) => [
      or([isWrittenFor(userId, content), exists(asWritten), exists(asVersion)]).as('isOurs'),
    ])
    .executeTakeFirstOrThrow();
  return Boolean(isOurs);
}

/**
 * Returns the similarity, 0 to 1, of a text to the most similar post of the user's last 180 days. Deleted posts
 * count; test posts and the post that is being rewritten (`exceptPostId`) do not.
 */
export async function nearestSimilarity(
  db: Db,
  userId: string,
  content: string,
  now: Date,
  exceptPostId?: string,
): Promise<number> {
  const rows = await db
    .selectFrom('posts')
    .select('content')
    .where('userId', '=', userId)
    .where('visibility', '=', 'PUBLIC')
    .where('createdAt', '>', new Date(now.getTime() - COMPARED_DAYS * DAY_MS))
    .$if(exceptPostId !== undefined, (query) => query.where('id', '<>', exceptPostId!))
    .execute();
  let nearest = 0;
  for (let at = 0; at < rows.length; at += COMPARED_AT_ONCE) {
    const others = rows.slice(at, at + COMPARED_AT_ONCE).map((row) => row.content);
    nearest = Math.max(nearest, nearestOf(content, others));
    await letOthersRun();
  }
  return nearest;
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

/** The topics of the posts in slots from a local date on, by the key of the slot. */
export async function listTopicsOfSlots(
  db: Db,
  userId: string,
  fromDate: string,
): Promise<Map<string, string | null>> {
  const rows = await ownPosts(db, userId)
    .select(['slotDate', 'slotNumber', 'topicId'])
    .where('slotDate', '>=', fromDate)
    .execute();
  return new Map(rows.map((post) => [slotKeyOfPost(post)!, post.topicId]));
}

/** Which places of a run have their post. */
export async function listRunIndexes(db: Db, run: { id: string; userId: string }): Promise<Set<number>> {
  const rows = await db
    .selectFrom('posts')
    .select('runIndex')
    .where('runId', '=', run.id)
    .where('userId', '=', run.userId)
    .execute();
  return new Set(rows.map(({ runIndex }) => runIndex!));
}

/**
 * The slots, as "date number", of the posts of the runs of a user that began by themselves after an instant, also of
 * deleted ones, and those that were taken from posts which have none.
 */
export async function listSlotsOfOwnRuns(db: Db, userId: string, since: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('posts')
    .select(lastSlotOf('posts').as('slot'))
    .where('runId', 'in', scheduledRunsOf(userId, since))
    .execute();
  return new Set(rows.flatMap(({ slot }) => slot ?? []));
}
