import type { Db } from '#app/db/client.ts';
import {
  localDateOf,
  localDayOf,
  type Slot,
  slotKey,
  slotOf,
  type Timetable,
} from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { listCovered, paidAt } from '#app/domain/payments/subscription/coverage.ts';
import { formatInstant, formatTime } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { MOVE_WITHIN_DAYS } from '#app/domain/publishing/limits.ts';
import type { SlotKey } from '#app/domain/publishing/schema.ts';
import { findFreeSlot, findFreeSlots } from './free-slots.ts';

const MOVE_WITHIN_MS = MOVE_WITHIN_DAYS * 86_400_000;

export const isSlotTaken = async (db: Db, userId: string, key: SlotKey): Promise<boolean> =>
  (await listTakenSlots(db, userId, key.date)).has(slotKey(key));

const isTooFar = ({ date }: SlotKey, { timeZone }: Timetable, now: Date) =>
  date > localDateOf(new Date(now.getTime() + MOVE_WITHIN_MS), timeZone);

export const choosableUntil = ({ timeZone }: Timetable, now: Date): Date =>
  localDayOf(new Date(now.getTime() + MOVE_WITHIN_MS), timeZone).end;

/** Returns the slot of a key; throws a refusal when the timetable does not have it, or it is past or too far ahead. */
export function requireUpcomingSlot(key: SlotKey, timetable: Timetable, now: Date): Slot {
  const refuse = (code: string, message: string) => new Refusal(409, code, message, { field: 'slot' });
  if (isTooFar(key, timetable, now)) {
    throw refuse('slot_too_far', `Choose a time within the next ${MOVE_WITHIN_DAYS} days`);
  }
  const slot = slotOf(key.date, key.number, timetable);
  if (!slot) {
    throw refuse('no_such_slot', 'This is not one of your publish times any more. Choose another time');
  }
  if (slot.at <= now) throw refuse('slot_past', 'This time has passed. Choose another one');
  return slot;
}

export const slotTaken = () =>
  new Refusal(409, 'slot_taken', 'Another post has this time meanwhile. Choose another one', {
    field: 'slot',
  });

/** Throws when no plan covers the slot: a post generated for it would be held. */
export async function requirePaidSlot(db: Db, userId: string, slot: Slot): Promise<void> {
  if (paidAt(await listCovered(db, userId), slot.at) > 0) return;
  const message = 'Your plan ends before this time. Renew it first, or choose an earlier one';
  throw new Refusal(409, 'after_plan', message, { field: 'slot' });
}

type ReturningPost = { userId: string; notBefore: Date | null };

/** Returns the slot that a post had, when it is still free and to come, or the next free one. */
export async function findFormerSlot(db: Db, post: ReturningPost, key: SlotKey, now: Date): Promise<Slot> {
  const timetable = await readTimetable(db, post.userId, now);
  const same = isTooFar(key, timetable, now) ? undefined : slotOf(key.date, key.number, timetable);
  const isOpen = same && same.at > now && !(post.notBefore && post.notBefore > same.at);
  if (isOpen && !(await isSlotTaken(db, post.userId, key))) return same;
  return findFreeSlot(db, post, timetable, now);
}

/** Lists free slots that can be chosen and that a plan covers, soonest first, with their keys and texts for a form. */
export async function listFreeSlots(db: Db, userId: string, count: number, now = new Date(), after = now) {
  const timetable = await readTimetable(db, userId, now);
  const free = await findFreeSlots(db, userId, timetable, after > now ? after : now, count);
  const covered = await listCovered(db, userId);
  return free
    .filter((slot) => !isTooFar(slot, timetable, now) && paidAt(covered, slot.at) > 0)
    .map((slot) => ({
      key: slotKey(slot),
      iso: slot.at.toISOString(),
      text: formatInstant(slot.at, timetable.timeZone),
      day: localDateOf(slot.at, timetable.timeZone),
      time: formatTime(slot.at, timetable.timeZone),
    }));
}
