import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { Refusal } from '#app/domain/refusal.ts';
import type { SettingsChange } from './schema.ts';
import { nextTimeOfDay } from './slots.ts';
import { type FullTimetable, lockUser, readTimetable, releaseHeldPosts, retimePosts } from './timetable.ts';

export type Settings = {
  postsPerDay: number;
  contentCreationTime: string;
  publishTimes: string[];
  enabled: boolean;
  requireApproval: boolean;
  timeZone: string;
};

export const planRequired = () =>
  new Refusal(402, 'subscription_required', 'Please subscribe to a plan first');

export async function getSettings(db: Db, actor: Actor, now = new Date()): Promise<Settings> {
  return toSettings(await readTimetable(db, actor.userId, now));
}

const toSettings = (timetable: FullTimetable): Settings => ({
  postsPerDay: timetable.publishTimes.length,
  contentCreationTime: timetable.contentCreationTime,
  publishTimes: timetable.publishTimes,
  enabled: timetable.isEnabled,
  requireApproval: timetable.requiresApproval,
  timeZone: timetable.timeZone,
});

/** Saves what changed, re-times what waits, and plans the next run. Needs an active plan. */
export async function saveSettings(
  db: Db,
  actor: Actor,
  change: SettingsChange,
  now = new Date(),
): Promise<Settings> {
  const { userId } = actor;
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    const plan = await findActivePlan(trx, userId, now);
    if (!plan) throw planRequired();
    if (change.publishTimes && change.publishTimes.length !== plan.postsPerDay) {
      const times = plan.postsPerDay === 1 ? 'one publish time' : `${plan.postsPerDay} publish times`;
      throw new Refusal(422, 'invalid', `Your plan needs ${times}`, { field: 'publishTimes' });
    }
    const before = await readTimetable(trx, userId, now);
    const after = applyChange(before, change);
    await store(trx, userId, before, after, now);
    await retimeAfter(trx, userId, before, after, now);
    return toSettings(after);
  });
}

function applyChange(before: FullTimetable, change: SettingsChange): FullTimetable {
  return {
    contentCreationTime: change.contentCreationTime ?? before.contentCreationTime,
    publishTimes: [...(change.publishTimes ?? before.publishTimes)].sort(),
    isEnabled: change.enabled ?? before.isEnabled,
    requiresApproval: change.requireApproval ?? before.requiresApproval,
    timeZone: change.timeZone ?? before.timeZone,
  };
}

/** The next run keeps its time unless what it follows from has changed: it may be due at this moment. */
async function store(
  trx: Trx,
  userId: string,
  before: FullTimetable,
  after: FullTimetable,
  now: Date,
): Promise<void> {
  const { timeZone, contentCreationTime, publishTimes, isEnabled, requiresApproval } = after;
  const nextRunAt = nextTimeOfDay(contentCreationTime, timeZone, now);
  const values = { contentCreationTime, publishTimes, isEnabled, requiresApproval };
  const isSameRun =
    before.timeZone === timeZone &&
    before.contentCreationTime === contentCreationTime &&
    before.isEnabled === isEnabled;
  await trx.updateTable('users').set({ timeZone }).where('id', '=', userId).execute();
  await trx
    .insertInto('automationSettings')
    .values({ userId, ...values, nextRunAt })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(isSameRun ? values : { ...values, nextRunAt }),
    )
    .execute();
}

async function retimeAfter(trx: Trx, userId: string, before: FullTimetable, after: FullTimetable, now: Date) {
  const isMoved =
    before.timeZone !== after.timeZone || String(before.publishTimes) !== String(after.publishTimes);
  if (isMoved) await retimePosts(trx, userId, after, now);
  if (after.isEnabled && !before.isEnabled) await releaseHeldPosts(trx, userId, now);
}

/**
 * After a plan has changed or LinkedIn was connected again: fits the publish times to the plan, plans the
 * next run, and lets held posts go on from their next free slots.
 */
export async function refitQueue(db: Db, userId: string, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await trx
      .updateTable('deliveries')
      .set({ dueAt: now, heldAt: null })
      .where('userId', '=', userId)
      .where('isByHand', '=', true)
      .where('heldAt', 'is not', null)
      .execute();
    const plan = await findActivePlan(trx, userId, now);
    if (!plan) return;
    const timetable = await readTimetable(trx, userId, now);
    await store(trx, userId, timetable, timetable, now);
    await retimePosts(trx, userId, timetable, now);
  });
}
