import type { Db } from '#app/db/client.ts';
import { type Slot, slotKey, slotOf, slotsOfRun } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { listRunIndexes } from '#app/domain/posts/memory/memory.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { listWrittenSlots } from '#app/domain/publishing/slots/free-slots.ts';
import { listAttempts } from './attempts.ts';

export const CONCURRENT_POSTS = 3;

export type RunSource = {
  id: string;
  userId: string;
  scheduledFor: Date | null;
  leaseUntil: Date | null;
  slotDate: string | null;
  slotNumber: number | null;
};
/** One post of a run. Without a slot it takes the next free one. */
export type RunItem = { position: number; slot: Slot | null };

type OpenItems = { open: RunItem[]; passed: RunItem[] };

/** Returns the items of a run that are not written. The items of a scheduled run are the slots that never had a post. */
export async function findOpenItems(db: Db, run: RunSource, now: Date): Promise<OpenItems> {
  const { requested, failed } = await db
    .selectFrom('generationRuns')
    .select(['requested', 'failed'])
    .where('id', '=', run.id)
    .where('userId', '=', run.userId)
    .executeTakeFirstOrThrow();
  const written = await listRunIndexes(db, run);
  const attempts = await listAttempts(db, run.id);
  const isOpen = ({ position }: RunItem) => !written.has(position) && !attempts.get(position)?.isEnded;
  if (!run.scheduledFor) {
    const slot = await findChosenSlot(db, run, now);
    const items = Array.from({ length: requested }, (_, position) => ({ position, slot }));
    return { open: items.filter(isOpen), passed: [] };
  }
  const free = (await listFreeItems(db, run.userId, run.scheduledFor, now)).filter(isOpen);
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

/** Returns the items of a scheduled run whose slots have no post and had none of a run. */
async function listFreeItems(db: Db, userId: string, scheduledFor: Date, now: Date) {
  const timetable = await readTimetable(db, userId, now);
  const slots = slotsOfRun(scheduledFor, timetable);
  const [first] = slots;
  if (!first) return [];
  const taken = await listTakenSlots(db, userId, first.date);
  const written = await listWrittenSlots(db, userId, now);
  const isFree = (key: string) => !taken.has(key) && !written.has(key);
  return slots.map((slot, position) => ({ position, slot })).filter(({ slot }) => isFree(slotKey(slot)));
}

async function findChosenSlot(db: Db, { userId, slotDate, slotNumber }: RunSource, now: Date) {
  if (!slotDate || !slotNumber) return null;
  return slotOf(slotDate, slotNumber, await readTimetable(db, userId, now)) ?? null;
}
