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
import { requireApprovalOfWaiting } from '#app/domain/publishing/approval/approve.ts';
import { releaseManual } from '#app/domain/publishing/state/schedule.ts';
import { rezonePauses } from '#app/domain/topics/pauses.ts';
import { listWrittenSlots } from './free-slots.ts';
import { releaseHeldPosts, retimePosts } from './waiting-posts.ts';

const TWO_DAYS_MS = 2 * 86_400_000;

function runRulesOf({ contentCreationTime, timeZone, isEnabled, ...timetable }: FullTimetable): string {
  const { publishTimes, publishDays, daysOff } = timetable;
  return JSON.stringify([contentCreationTime, timeZone, isEnabled, publishTimes, publishDays, daysOff]);
}

/** `isSeenTo`: a run has covered the slot. `isDone`: the slot has a post, or a run has generated one for it. */
type SlotCoverage = { isSeenTo: (slot: Slot) => boolean; isDone: (slot: Slot) => boolean };

/**
 * Plans the next run after a change of the timetable, so that a run covers each coming slot: immediately, if slots before
 * the next creation time are not covered; else at the next creation time with slots to fill. A slot for which a run has
 * generated a post is not filled again, also if the user has emptied it.
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
  const slots = await readSlots(trx, userId, before, now);
  const created = lastTimeOfDay(contentCreationTime, timeZone, now);
  const isPaid = paidAt(await listCovered(trx, userId), created) > 0;
  await planRun(trx, userId, isPaid && isOwed(slots, after, now) ? now : nextRunFor(slots, after, now));
}

async function readSlots(trx: Trx, userId: string, before: FullTimetable, now: Date): Promise<SlotCoverage> {
  const covered = await findSeenTo(trx, userId, before, now);
  const from = localDateOf(new Date(now.getTime() - TWO_DAYS_MS), before.timeZone);
  const taken = await listTakenSlots(trx, userId, from);
  const written = await listWrittenSlots(trx, userId, now);
  return {
    isDone: (slot) => taken.has(slotKey(slot)) || written.has(slotKey(slot)),
    isSeenTo: ({ date, number }) => {
      const slot = covered && slotOf(date, number, before);
      return Boolean(slot && slot.at > covered.from && slot.at <= covered.to);
    },
  };
}

const untilNext = (after: Date, timetable: FullTimetable) => {
  const until = nextTimeOfDay(timetable.contentCreationTime, timetable.timeZone, after);
  return { until, slots: slotsBetween(after, until, timetable) };
};

const isOwed = ({ isSeenTo, isDone }: SlotCoverage, after: FullTimetable, now: Date) =>
  untilNext(now, after).slots.some((slot) => !isSeenTo(slot) && !isDone(slot));

function nextRunFor({ isSeenTo, isDone }: SlotCoverage, after: FullTimetable, now: Date): Date {
  let next = untilNext(now, after).until;
  for (;;) {
    const { until, slots } = untilNext(next, after);
    const isFilled = slots.length > 0 && slots.every((slot) => isSeenTo(slot) && isDone(slot));
    if (!isFilled) return next;
    next = until;
  }
}

/** Saves changed settings, moves waiting posts to the new times and plans the next run. Requires an active plan. */
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
  if (after.requiresApproval) await requireApprovalOfWaiting(trx, userId);
  await retimeAfter(trx, userId, before, after, now);
  await planRunAfter(trx, userId, before, after, now);
  return toSettings(after, now);
}

/**
 * Changes the time zone like a change of the settings. Without a plan the settings are not saved: waiting posts are
 * moved to the new times when a plan starts (`refitQueue`).
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

function rulesOf(timetable: FullTimetable, now: Date): string {
  const { timeZone, publishTimes, publishDays, daysOff } = toSettings(timetable, now);
  return JSON.stringify([timeZone, publishTimes, publishDays, daysOff]);
}

async function retimeAfter(trx: Trx, userId: string, before: FullTimetable, after: FullTimetable, now: Date) {
  const isMoved = rulesOf(before, now) !== rulesOf(after, now);
  const zones = { from: before.timeZone, to: after.timeZone };
  if (zones.from !== zones.to) await rezonePauses(trx, userId, zones);
  // Posts that the user's own pause held move first, without a mail.
  if (after.isEnabled && !before.isEnabled) await releaseHeldPosts(trx, userId, after, now);
  if (isMoved) await retimePosts(trx, userId, after, now);
}

/**
 * Runs after a plan has changed or LinkedIn was connected again: stores the publish times that fit the plan, and moves
 * waiting posts to their slots and held posts to the next free slots.
 */
export async function refitQueue(db: Db, userId: string, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await releaseManual(trx, userId, now);
    const plan = await findActivePlan(trx, userId, now);
    if (!plan) return;
    const timetable = await readTimetable(trx, userId, now);
    await storeTimetable(trx, userId, timetable, now);
    await retimePosts(trx, userId, timetable, now);
  });
}
