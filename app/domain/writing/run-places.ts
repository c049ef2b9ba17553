import type { Db } from '#app/db/client.ts';
import { type Slot, slotOf, slotsOfRun } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { listRunIndexes } from '#app/domain/posts/memory.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { keyOf } from '#app/domain/queue/chosen-slot.ts';
import { listWrittenSlots } from '#app/domain/queue/written-slots.ts';

type NamedSlot = { slotDate: string | null; slotNumber: number | null };
export type RunWithPlaces = NamedSlot & {
  id: string;
  userId: string;
  scheduledFor: Date | null;
  nextPlace: number;
};
/** One post of a run. Without a slot it takes the next free one. */
export type Place = { index: number; slot: Slot | null };

/** The places of the run that nobody has dealt with; those of a scheduled run are slots that nobody holds or has emptied. */
export async function openPlaces(db: Db, run: RunWithPlaces, now: Date): Promise<Place[]> {
  const { requested, failed } = await db
    .selectFrom('runs')
    .select(['requested', 'failed'])
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow();
  const written = await listRunIndexes(db, run.id);
  const isOpen = ({ index }: Place) => index >= run.nextPlace && !written.has(index);
  if (!run.scheduledFor) {
    const slot = await namedSlotOf(db, run, now);
    return Array.from({ length: requested }, (_, index) => ({ index, slot })).filter(isOpen);
  }
  const open = (await freeSlotsOf(db, run.userId, run.scheduledFor, now)).filter(isOpen);
  const total = open.length + written.size + failed;
  await db.updateTable('runs').set({ requested: total }).where('id', '=', run.id).execute();
  return open;
}

/** The slots of a run which are still to come, hold no post and had none of a run. */
async function freeSlotsOf(db: Db, userId: string, scheduledFor: Date, now: Date) {
  const timetable = await readTimetable(db, userId, now);
  const slots = slotsOfRun(scheduledFor, timetable);
  const [first] = slots;
  if (!first) return [];
  const taken = await listTakenSlots(db, userId, first.date);
  const written = await listWrittenSlots(db, userId, timetable, now);
  const isFree = (key: string) => !taken.has(key) && !written.has(key);
  return slots
    .map((slot, index) => ({ index, slot }))
    .filter(({ slot }) => slot.at > now && isFree(keyOf(slot)));
}

/** The slot that a run writes for, as its day has it now. */
async function namedSlotOf(db: Db, { userId, slotDate, slotNumber }: RunWithPlaces, now: Date) {
  if (!slotDate || !slotNumber) return null;
  return slotOf(slotDate, slotNumber, await readTimetable(db, userId, now)) ?? null;
}
