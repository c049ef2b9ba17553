import { type Db, type Trx, transact } from '#app/db/client.ts';
import {
  findFreeSlots,
  lockUser,
  moveToSlot,
  readTimetable,
  waitingPosts,
} from '#app/domain/automation/timetable.ts';
import { env } from '#app/env.ts';
import { tellFailed, tellMoved } from './notices.ts';

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
