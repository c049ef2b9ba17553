import type { Db } from '#app/db/client.ts';
import { localDateOf, type Slot, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';

const TWO_DAYS_MS = 2 * 86_400_000;

/** The `count` soonest slots after `after` that no post of the user holds. Every timetable that is kept has them. */
export async function findFreeSlots(
  db: Db,
  userId: string,
  timetable: Timetable,
  after: Date,
  count: number,
): Promise<Slot[]> {
  const from = localDateOf(new Date(after.getTime() - TWO_DAYS_MS), timetable.timeZone);
  const taken = await listTakenSlots(db, userId, from);
  return slotsAfter(after, timetable)
    .filter((slot) => !taken.has(`${slot.date} ${slot.number}`))
    .take(count)
    .toArray();
}

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
