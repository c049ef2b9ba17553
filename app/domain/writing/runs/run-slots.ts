import type { Db } from '#app/db/client.ts';
import { type Slot, slotKey, slotOf, slotsOfRun } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { listRunIndexes } from '#app/domain/posts/memory/memory.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { listWrittenSlots } from '#app/domain/queue/slots/free-slots.ts';
import { listTries } from './attempts.ts';

/** So many posts of a user are written at once. */
export const SIDE_BY_SIDE = 3;

type NamedSlot = { slotDate: string | null; slotNumber: number | null };
export type RunWithPlaces = NamedSlot & {
  id: string;
  userId: string;
  scheduledFor: Date | null;
  leaseUntil: Date | null;
};
/** One post of a run. Without a slot it takes the next free one. */
export type Place = { index: number; slot: Slot | null };

/** Places that nobody has dealt with, and those of them whose time has passed. */
type OpenPlaces = { open: Place[]; passed: Place[] };

/** The open places of the run; those of a scheduled run are slots that nobody holds or has emptied. */
export async function openSlots(db: Db, run: RunWithPlaces, now: Date): Promise<OpenPlaces> {
  const { requested, failed } = await db
    .selectFrom('generationRuns')
    .select(['requested', 'failed'])
    .where('id', '=', run.id)
    .where('userId', '=', run.userId)
    .executeTakeFirstOrThrow();
  const written = await listRunIndexes(db, run);
  const tries = await listTries(db, run.id);
  const isOpen = ({ index }: Place) => !written.has(index) && !tries.get(index)?.isEnded;
  if (!run.scheduledFor) {
    const slot = await namedSlotOf(db, run, now);
    const places = Array.from({ length: requested }, (_, index) => ({ index, slot }));
    return { open: places.filter(isOpen), passed: [] };
  }
  const free = (await freeSlotsOf(db, run.userId, run.scheduledFor, now)).filter(isOpen);
  const open = free.filter(({ slot }) => slot.at > now);
  const total = free.length + written.size + failed;
  await db
    .updateTable('generationRuns')
    .set({ requested: total })
    .where('id', '=', run.id)
    .where('userId', '=', run.userId)
    .where('status', '<>', 'complete')
    .where('leaseUntil', 'is not distinct from', run.leaseUntil)
    .execute();
  return { open, passed: free.filter(({ slot }) => slot.at <= now) };
}

/** The slots of a run which hold no post and had none of a run. */
async function freeSlotsOf(db: Db, userId: string, scheduledFor: Date, now: Date) {
  const timetable = await readTimetable(db, userId, now);
  const slots = slotsOfRun(scheduledFor, timetable);
  const [first] = slots;
  if (!first) return [];
  const taken = await listTakenSlots(db, userId, first.date);
  const written = await listWrittenSlots(db, userId, now);
  const isFree = (key: string) => !taken.has(key) && !written.has(key);
  return slots.map((slot, index) => ({ index, slot })).filter(({ slot }) => isFree(slotKey(slot)));
}

/** The slot that a run writes for, as its day has it now. */
async function namedSlotOf(db: Db, { userId, slotDate, slotNumber }: RunWithPlaces, now: Date) {
  if (!slotDate || !slotNumber) return null;
  return slotOf(slotDate, slotNumber, await readTimetable(db, userId, now)) ?? null;
}
