import type { Db } from '#app/db/client.ts';
import { localDateOf, type Slot, slotKey, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { listSlotsOfOwnRuns } from '#app/domain/posts/memory/memory.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';

/** Before days off, posts are generated long before their slots. */
const WRITTEN_WITHIN_MS = 60 * 86_400_000;

/** Returns the slots for which runs have generated a post, as "date number", also if it was deleted or set aside since. */
export const listWrittenSlots = (db: Db, userId: string, now: Date): Promise<Set<string>> =>
  listSlotsOfOwnRuns(db, userId, new Date(now.getTime() - WRITTEN_WITHIN_MS));

const TWO_DAYS_MS = 2 * 86_400_000;

/** Returns the next `count` slots after `after` that no post of the user has. Every stored timetable has enough slots. */
export async function findFreeSlots(
  db: Db,
  userId: string,
  timetable: Timetable,
  after: Date,
  count: number,
): Promise<Slot[]> {
  const taken = await listTakenSlots(db, userId, takenFrom(after, timetable.timeZone));
  return freeSlotsAfter(after, timetable, taken).take(count).toArray();
}

/** Returns the local date (YYYY-MM-DD) from which the taken slots are needed to find free slots after `after`. */
export const takenFrom = (after: Date, timeZone: string): string =>
  localDateOf(new Date(after.getTime() - TWO_DAYS_MS), timeZone);

/** Yields the slots after `after` that are not in `taken`, soonest first, without end. */
export const freeSlotsAfter = (after: Date, timetable: Timetable, taken: Set<string>) =>
  slotsAfter(after, timetable).filter((slot) => !taken.has(slotKey(slot)));

type PostponedPost = { userId: string; notBefore: Date | null };

export async function findFreeSlot(
  db: Db,
  { userId, notBefore }: PostponedPost,
  timetable: Timetable,
  now: Date,
): Promise<Slot> {
  const after = notBefore && notBefore > now ? notBefore : now;
  const [slot] = await findFreeSlots(db, userId, timetable, after, 1);
  return slot!;
}
