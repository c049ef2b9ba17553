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
const BATCH = 50;
const DAY_MS = 86_400_000;

const ownPosts = (db: Db, userId: string) =>
  db
    .selectFrom('posts')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .where('visibility', '=', 'PUBLIC');

/** Returns the texts of the user's last 30 posts, newest first, without the one that is being rewritten. */
export async function listLastTexts(db: Db, userId: string, exceptPostId?: string): Promise<string[]> {
  const rows = await ownPosts(db, userId)
    .select('content')
    .$if(exceptPostId !== undefined, (query) => query.where('id', '<>', exceptPostId!))
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

/** Lists posts that the user has changed so much that little of the writer's text is left. */
export const listRewritten = (db: Db, userId: string, limit: number) =>
  rewrittenPosts(db, userId).orderBy('editedAt', 'desc').limit(limit).execute();

export const findRewritten = (db: Db, userId: string, postId: string) =>
  rewrittenPosts(db, userId).where('id', '=', postId).executeTakeFirst();

/** Whether a text is one that the writer wrote for the user, apart from small changes. */
export async function isWrittenByUs(db: Db, userId: string, content: string): Promise<boolean> {
  const asPost = ownPosts(db, userId)
    .select('id')
    .where('editedAt', 'is', null)
    .where(isNearlySame('posts.content', content));
  const asVersion = db
    .selectFrom('postVersions')
    .select('id')
    .where('userId', '=', userId)
    .where(isNearlyMade('made', content));
  const { isKnown } = await db
    .selectNoFrom(({ or, exists }) => [
      or([isWrittenFor(userId, content), exists(asPost), exists(asVersion)]).as('isKnown'),
    ])
    .executeTakeFirstOrThrow();
  return Boolean(isKnown);
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
  for (let at = 0; at < rows.length; at += BATCH) {
    const others = rows.slice(at, at + BATCH).map((row) => row.content);
    nearest = Math.max(nearest, nearestOf(content, others));
    await letOthersRun();
  }
  return nearest;
}

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
 * Returns the keys of the slots of posts from a user's runs that were scheduled after an instant. Deleted posts count,
 * and a post without a slot counts with its last one.
 */
export async function listSlotsOfOwnRuns(db: Db, userId: string, since: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('posts')
    .select(lastSlotOf('posts').as('slot'))
    .where('runId', 'in', scheduledRunsOf(userId, since))
    .execute();
  return new Set(rows.flatMap(({ slot }) => slot ?? []));
}
