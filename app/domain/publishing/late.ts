import { type Db, type Trx, transact } from '#app/db/client.ts';
import {
  findFreeSlots,
  lockUser,
  moveToSlot,
  readTimetable,
  waitingPosts,
} from '#app/domain/automation/timetable.ts';
import { env } from '#app/env.ts';
import { tellFailed, tellMoved } from './mails.ts';

const SET_ASIDE_BATCH = 500;

/** Later than this a post no longer goes out at the time it was made for. */
export const isLate = ({ dueAt }: { dueAt: Date }, now: Date) =>
  now.getTime() - dueAt.getTime() > env().LATE_GRACE * 3_600_000;

type LatePost = { id: string; userId: string; content: string; dueAt: Date };

/** A post sent by hand has no slot to move to. */
export async function failLate(trx: Trx, post: LatePost): Promise<void> {
  const reason = 'LinkedIn could not be reached in time';
  await trx.updateTable('posts').set({ status: 'failed', reason }).where('id', '=', post.id).execute();
  await trx.deleteFrom('deliveries').where('postId', '=', post.id).execute();
  await tellFailed(trx, post, reason, `late:${post.id}:${post.dueAt.getTime()}`);
}

/**
 * Moves every late post of a user that nothing holds, in order, into the next free slots. All at once,
 * because their jobs run side by side and in any order.
 */
export async function moveLatePosts(db: Db, userId: string, now: Date): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const timetable = await readTimetable(trx, userId, now);
    for (const post of await waitingPosts(trx, userId)) {
      if (post.status !== 'generated' || post.heldAt !== null || !isLate(post, now)) continue;
      const [slot] = await findFreeSlots(trx, userId, timetable, now, 1);
      await moveToSlot(trx, post.id, slot!);
      await tellMoved(trx, post, post.dueAt, slot!.at, timetable.timeZone);
    }
  });
}

/**
 * A post that was not approved by its slot is not published: it moves to the next free slot once, then it
 * is set aside.
 */
export async function setAsideUnapproved(db: Db, now: Date): Promise<void> {
  const due = await db
    .selectFrom('deliveries')
    .innerJoin('posts', 'posts.id', 'deliveries.postId')
    .select(['posts.id', 'posts.userId'])
    .where('posts.status', '=', 'pending')
    .where('deliveries.heldAt', 'is not', null)
    .where('deliveries.dueAt', '<=', now)
    .limit(SET_ASIDE_BATCH)
    .execute();
  for (const { id, userId } of due) await transact(db, (trx) => setAside(trx, userId, id, now));
}

async function setAside(trx: Trx, userId: string, postId: string, now: Date): Promise<void> {
  await lockUser(trx, userId);
  const post = await trx
    .selectFrom('posts')
    .innerJoin('deliveries', 'deliveries.postId', 'posts.id')
    .select(['posts.id', 'posts.approvalMovedAt', 'deliveries.dueAt'])
    .where('posts.id', '=', postId)
    .where('posts.status', '=', 'pending')
    .where('posts.deletedAt', 'is', null)
    .forUpdate(['posts', 'deliveries'])
    .executeTakeFirst();
  if (!post || post.dueAt > now) return;
  if (post.approvalMovedAt) {
    const reason = 'You did not approve this post by its time, so it was set aside';
    await trx.updateTable('posts').set({ status: 'failed', reason }).where('id', '=', postId).execute();
    await trx.deleteFrom('deliveries').where('postId', '=', postId).execute();
    return;
  }
  const [slot] = await findFreeSlots(trx, userId, await readTimetable(trx, userId, now), now, 1);
  await moveToSlot(trx, postId, slot!);
  await trx.updateTable('posts').set({ approvalMovedAt: now }).where('id', '=', postId).execute();
}
