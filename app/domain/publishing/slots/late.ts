import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { inWords } from '#app/domain/posts/failures.ts';
import { type MailedPost, mailMoved } from '#app/domain/publishing/mails.ts';
import { failUnasked } from '#app/domain/publishing/state/fail.ts';
import { moveToSlot } from '#app/domain/publishing/state/schedule.ts';
import { findFreeSlot } from './free-slots.ts';
import { isLate, waitingPosts } from './waiting-posts.ts';

/** A post sent by hand moves to no slot: it fails, and its owner presses again. */
export async function failLate(trx: Trx, post: MailedPost & { dueAt: Date }): Promise<void> {
  await failUnasked(trx, post, {
    ...inWords('too_late'),
    dedupeKey: `late:${post.id}:${post.dueAt.getTime()}`,
  });
}

/**
 * Moves every late post of a user that nothing holds, in order, into the next free slots. All at once,
 * because their jobs run side by side and in any order.
 */
export async function moveLatePosts(db: Db, userId: string, now: Date): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const timetable = await readTimetable(trx, userId, now);
    for (const post of await waitingPosts(trx, userId, now)) {
      if (post.status !== 'generated' || post.heldAt !== null || !isLate(post, now)) continue;
      const slot = await findFreeSlot(trx, post, timetable, now);
      await moveToSlot(trx, post.id, slot);
      await mailMoved(trx, post, post.dueAt, slot.at, timetable.timeZone);
    }
  });
}
