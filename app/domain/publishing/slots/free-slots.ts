import type { Db } from '#app/db/client.ts';
import { localDateOf, type Slot, slotKey, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { listSlotsOfOwnRuns } from '#app/domain/posts/memory/memory.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';

/** Over days that are left out, posts are written long before their slots. */
const WRITTEN_WITHIN_MS = 60 * 86_400_000;

/**
 * The slots that runs have written for, as "date number". One that its owner emptied since stays empty: its post was
 * deleted, or set aside.
 */
export const listWrittenSlots = (db: Db, userId: string, now: Date): Promise<Set<string>> =>
  listSlotsOfOwnRuns(db, userId, new Date(now.getTime() - WRITTEN_WITHIN_MS));

const TWO_DAYS_MS = 2 * 86_400_000;

/** The `count` soonest slots after `after` that no post of the user holds. Every timetable that is kept has them. */
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

/**
 * Returns the local date (YYYY-MM-DD) from which the taken slots have to be known to find free ones after an instant.
 */
export const takenFrom = (after: Date, timeZone: string): string =>
  localDateOf(new Date(after.getTime() - TWO_DAYS_MS), timeZone);

/** Yields the slots after an instant that are not in `taken`, soonest first, without end. */
export const freeSlotsAfter = (after: Date, timetable: Timetable, taken: Set<string>) =>
  slotsAfter(after, timetable).filter((slot) => !taken.has(slotKey(slot)));

type PutOff = { userId: string; notBefore: Date | null };

/** The soonest slot that no post of the user holds, for a post: at none before LinkedIn takes it. */
export async function findFreeSlot(
  db: Db,
  { userId, notBefore }: PutOff,
  timetable: Timetable,
  now: Date,
): Promise<Slot> {
  const after = notBefore && notBefore > now ? notBefore : now;
  const [slot] = await findFreeSlots(db, userId, timetable, after, 1);
  return slot!;
}
