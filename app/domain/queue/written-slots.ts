import type { Db } from '#app/db/client.ts';
import { slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { listOfOwnRuns } from '#app/domain/posts/memory.ts';
import { keyOf, keyOfPost } from './chosen-slot.ts';

/** Over days that are left out, posts are written long before their slots. */
const WRITTEN_WITHIN_MS = 60 * 86_400_000;

/**
 * The slots that runs have written for, as "date number". One that its owner emptied since stays empty: its post was
 * deleted, or set aside, where its place in the run tells the slot.
 */
export async function listWrittenSlots(
  db: Db,
  userId: string,
  timetable: Timetable,
  now: Date,
): Promise<Set<string>> {
  const posts = await listOfOwnRuns(db, userId, new Date(now.getTime() - WRITTEN_WITHIN_MS));
  const written = new Set<string>();
  for (const post of posts) {
    const [slot] = post.slotDate
      ? []
      : slotsAfter(post.scheduledFor!, timetable).drop(post.runIndex!).take(1);
    const key = slot ? keyOf(slot) : keyOfPost(post);
    if (key) written.add(key);
  }
  return written;
}
