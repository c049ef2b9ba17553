import type { Db, Trx } from '#app/db/client.ts';
import { setTimeZone } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { Refusal } from '#app/domain/refusal.ts';
import type { SettingsChange } from './schema.ts';
import { nextTimeOfDay } from './slots.ts';
import { type FullTimetable, readTimetable } from './timetable.ts';

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

export const toSettings = (timetable: FullTimetable): Settings => ({
  postsPerDay: timetable.publishTimes.length,
  contentCreationTime: timetable.contentCreationTime,
  publishTimes: timetable.publishTimes,
  enabled: timetable.isEnabled,
  requireApproval: timetable.requiresApproval,
  timeZone: timetable.timeZone,
});

export function applyChange(before: FullTimetable, change: SettingsChange): FullTimetable {
  return {
    contentCreationTime: change.contentCreationTime ?? before.contentCreationTime,
    publishTimes: [...(change.publishTimes ?? before.publishTimes)].sort(),
    isEnabled: change.enabled ?? before.isEnabled,
    requiresApproval: change.requireApproval ?? before.requiresApproval,
    timeZone: change.timeZone ?? before.timeZone,
  };
}

/**
 * Stores a timetable. The next run keeps its time unless what it follows from has changed: it may be due at
 * this moment.
 */
export async function storeTimetable(
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
  await setTimeZone(trx, userId, timeZone);
  await trx
    .insertInto('automationSettings')
    .values({ userId, ...values, nextRunAt })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(isSameRun ? values : { ...values, nextRunAt }),
    )
    .execute();
}
