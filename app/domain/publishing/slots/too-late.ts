import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { failureText } from '#app/domain/posts/failures.ts';
import { type MailedPost, mailMoved } from '#app/domain/publishing/mails.ts';
import { failUnsent } from '#app/domain/publishing/state/fail.ts';
import { moveToSlot } from '#app/domain/publishing/state/schedule.ts';
import { findFreeSlot } from './free-slots.ts';
import { isTooLate, lockWaitingPosts } from './waiting-posts.ts';

/** A manual post does not move to another slot: it fails, and the user can send it again. */
export async function failTooLate(trx: Trx, post: MailedPost & { dueAt: Date }): Promise<void> {
  await failUnsent(trx, post, {
    ...failureText('too_late'),
    dedupeKey: `late:${post.id}:${post.dueAt.getTime()}`,
  });
}

/**
 * Moves all late posts of a user that are not held to the next free slots, in order. All in one transaction, because
 * their jobs run in parallel and in any order.
 */
export async function moveLatePosts(db: Db, userId: string, now: Date): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const timetable = await readTimetable(trx, userId, now);
    for (const post of await lockWaitingPosts(trx, userId, now)) {
      if (post.status !== 'generated' || post.heldAt !== null || !isTooLate(post, now)) continue;
      const slot = await findFreeSlot(trx, post, timetable, now);
      await moveToSlot(trx, post.id, slot);
      await mailMoved(trx, post, post.dueAt, slot.at, timetable.timeZone);
    }
  });
}
