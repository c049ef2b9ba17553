import type { Trx } from '#app/db/client.ts';
import { findSeenTo, planRun } from '#app/domain/automation/due-users.ts';
import {
  lastTimeOfDay,
  localDateOf,
  nextTimeOfDay,
  type Slot,
  slotKey,
  slotOf,
  slotsBetween,
} from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import { listCovered, paidAt } from '#app/domain/payments/subscription/coverage.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { listWrittenSlots } from './written-slots.ts';

const TWO_DAYS_MS = 2 * 86_400_000;

/** What the runs follow from. */
function rulesOf({ contentCreationTime, timeZone, isEnabled, ...timetable }: FullTimetable): string {
  const { publishTimes, publishDays, daysOff } = timetable;
  return JSON.stringify([contentCreationTime, timeZone, isEnabled, publishTimes, publishDays, daysOff]);
}

/** What is known of slots when their timetable changes. Done are those that hold a post or had one of a run. */
type Slots = { isSeenTo: (slot: Slot) => boolean; isDone: (slot: Slot) => boolean };

/**
 * Plans the next run after a change of the timetable, so that each slot to come is in one: at once, when the creation
 * time has passed that slots until the next one belong to and no run has seen to them; else at the next creation time
 * that brings something to write. What a run has written is not written again, also where its owner
 * has emptied the slot since.
 */
export async function planRunAfter(
  trx: Trx,
  userId: string,
  before: FullTimetable,
  after: FullTimetable,
  now: Date,
): Promise<void> {
  if (rulesOf(before) === rulesOf(after)) return;
  const { contentCreationTime, timeZone } = after;
  const slots = await lookAtSlots(trx, userId, before, now);
  const created = lastTimeOfDay(contentCreationTime, timeZone, now);
  const isPaid = paidAt(await listCovered(trx, userId), created) > 0;
  await planRun(trx, userId, isPaid && isOwed(slots, after, now) ? now : nextRunFor(slots, after, now));
}

async function lookAtSlots(trx: Trx, userId: string, before: FullTimetable, now: Date): Promise<Slots> {
  const seen = await findSeenTo(trx, userId, before, now);
  const from = localDateOf(new Date(now.getTime() - TWO_DAYS_MS), before.timeZone);
  const taken = await listTakenSlots(trx, userId, from);
  const written = await listWrittenSlots(trx, userId, now);
  return {
    isDone: (slot) => taken.has(slotKey(slot)) || written.has(slotKey(slot)),
    isSeenTo: ({ date, number }) => {
      const was = seen && slotOf(date, number, before);
      return Boolean(was && was.at > seen.from && was.at <= seen.to);
    },
  };
}

const untilNext = (after: Date, timetable: FullTimetable) => {
  const until = nextTimeOfDay(timetable.contentCreationTime, timetable.timeZone, after);
  return { until, slots: slotsBetween(after, until, timetable) };
};

const isOwed = ({ isSeenTo, isDone }: Slots, after: FullTimetable, now: Date) =>
  untilNext(now, after).slots.some((slot) => !isSeenTo(slot) && !isDone(slot));

function nextRunFor({ isSeenTo, isDone }: Slots, after: FullTimetable, now: Date): Date {
  let next = untilNext(now, after).until;
  for (;;) {
    const { until, slots } = untilNext(next, after);
    const isOver = slots.length > 0 && slots.every((slot) => isSeenTo(slot) && isDone(slot));
    if (!isOver) return next;
    next = until;
  }
}
