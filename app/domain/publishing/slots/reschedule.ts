import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser, setTimeZone } from '#app/domain/accounts/users.ts';
import { findSeenTo, planRun } from '#app/domain/automation/due-users.ts';
import type { SettingsChange } from '#app/domain/automation/schema.ts';
import {
  applyChange,
  planRequired,
  type Settings,
  storeTimetable,
  toSettings,
} from '#app/domain/automation/settings.ts';
import {
  lastTimeOfDay,
  localDateOf,
  nextTimeOfDay,
  type Slot,
  slotKey,
  slotOf,
  slotsBetween,
} from '#app/domain/automation/slots.ts';
import { type FullTimetable, readTimetable } from '#app/domain/automation/timetable.ts';
import { listCovered, paidAt } from '#app/domain/payments/subscription/coverage.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { requestForWaiting } from '#app/domain/publishing/approval/approve.ts';
import { releaseByHand } from '#app/domain/publishing/state/schedule.ts';
import { rezonePauses } from '#app/domain/topics/pauses.ts';
import { listWrittenSlots } from './free-slots.ts';
import { releaseHeldPosts, retimePosts } from './waiting-posts.ts';

const TWO_DAYS_MS = 2 * 86_400_000;

/** What the runs follow from. */
function runRulesOf({ contentCreationTime, timeZone, isEnabled, ...timetable }: FullTimetable): string {
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
async function planRunAfter(
  trx: Trx,
  userId: string,
  before: FullTimetable,
  after: FullTimetable,
  now: Date,
): Promise<void> {
  if (runRulesOf(before) === runRulesOf(after)) return;
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

/** Saves what changed in the settings, re-times what waits, and plans the next run. Needs an active plan. */
export async function saveSettings(
  db: Db,
  actor: Actor,
  change: SettingsChange,
  at?: Date,
): Promise<Settings> {
  const { userId } = actor;
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    const now = at ?? (await databaseTime(trx));
    const plan = await findActivePlan(trx, userId, now);
    if (!plan) throw planRequired();
    if (change.publishTimes && change.publishTimes.length !== plan.postsPerDay) {
      const times = plan.postsPerDay === 1 ? 'one publish time' : `${plan.postsPerDay} publish times`;
      throw new Refusal(422, 'invalid', `Your plan needs ${times}`, { field: 'publishTimes' });
    }
    return applySettings(trx, userId, change, now);
  });
}

async function applySettings(trx: Trx, userId: string, change: SettingsChange, now: Date): Promise<Settings> {
  const before = await readTimetable(trx, userId, now);
  const after = applyChange(before, change, now);
  await storeTimetable(trx, userId, after, now);
  if (after.requiresApproval) await requestForWaiting(trx, userId);
  await retimeAfter(trx, userId, before, after, now);
  await planRunAfter(trx, userId, before, after, now);
  return toSettings(after, now);
}

/**
 * Changes the time zone, with all that follows from it as in the settings. Who has no plan has no settings to save: what they
 * have is fitted to the zone when a plan begins (`refitQueue`).
 */
export async function changeTimeZone(db: Db, actor: Actor, timeZone: string, at?: Date): Promise<void> {
  const { userId } = actor;
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    const now = at ?? (await databaseTime(trx));
    if (await findActivePlan(trx, userId, now))
      return void (await applySettings(trx, userId, { timeZone }, now));
    const before = await readTimetable(trx, userId, now);
    const after = applyChange(before, { timeZone }, now);
    await setTimeZone(trx, userId, timeZone);
    await rezonePauses(trx, userId, { from: before.timeZone, to: timeZone });
    await planRunAfter(trx, userId, before, after, now);
  });
}

/** What the slots to come follow from. */
function rulesOf(timetable: FullTimetable, now: Date): string {
  const { timeZone, publishTimes, publishDays, daysOff } = toSettings(timetable, now);
  return JSON.stringify([timeZone, publishTimes, publishDays, daysOff]);
}

async function retimeAfter(trx: Trx, userId: string, before: FullTimetable, after: FullTimetable, now: Date) {
  const isMoved = rulesOf(before, now) !== rulesOf(after, now);
  const zones = { from: before.timeZone, to: after.timeZone };
  if (zones.from !== zones.to) await rezonePauses(trx, userId, zones);
  // What their own pause held first: it moves without a mail.
  if (after.isEnabled && !before.isEnabled) await releaseHeldPosts(trx, userId, after, now);
  if (isMoved) await retimePosts(trx, userId, after, now);
}

/**
 * After a plan has changed or LinkedIn was connected again: fits the publish times to the plan, plans the
 * next run, and lets held posts go on from their next free slots.
 */
export async function refitQueue(db: Db, userId: string, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await releaseByHand(trx, userId, now);
    const plan = await findActivePlan(trx, userId, now);
    if (!plan) return;
    const timetable = await readTimetable(trx, userId, now);
    await storeTimetable(trx, userId, timetable, now);
    await retimePosts(trx, userId, timetable, now);
  });
}
