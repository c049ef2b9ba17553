import type { Db, Trx } from '#app/db/client.ts';
import { setTimeZone } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { nameDay } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { DAYS_OFF_AHEAD_YEARS, DAYS_OFF_MAX } from './limits.ts';
import type { SettingsChange } from './schema.ts';
import { localDateOf, nextTimeOfDay } from './slots.ts';
import { type FullTimetable, readTimetable } from './timetable.ts';

export type Settings = {
  postsPerDay: number;
  contentCreationTime: string;
  publishTimes: string[];
  publishDays: readonly string[];
  daysOff: readonly string[];
  enabled: boolean;
  requireApproval: boolean;
  timeZone: string;
};

export const planRequired = () =>
  new Refusal(402, 'subscription_required', 'Please subscribe to a plan first');

export async function getSettings(db: Db, actor: Actor, now = new Date()): Promise<Settings> {
  return toSettings(await readTimetable(db, actor.userId, now), now);
}

const upcomingDaysOff = ({ daysOff, timeZone }: FullTimetable, now: Date) => {
  const today = localDateOf(now, timeZone);
  return daysOff.filter((day) => day >= today);
};

/** Adds the passed days off of `before`, which the calendar shows, as far as the limit allows. */
function withPassed(after: FullTimetable, before: FullTimetable, now: Date): readonly string[] {
  const chosen = upcomingDaysOff(after, now);
  const today = localDateOf(now, after.timeZone);
  const passed = before.daysOff.filter((day) => day < today).toReversed();
  return [...passed.slice(0, DAYS_OFF_MAX - chosen.length).toReversed(), ...chosen];
}

export const toSettings = (timetable: FullTimetable, now: Date): Settings => ({
  postsPerDay: timetable.publishTimes.length,
  contentCreationTime: timetable.contentCreationTime,
  publishTimes: timetable.publishTimes,
  publishDays: timetable.publishDays,
  daysOff: upcomingDaysOff(timetable, now),
  enabled: timetable.isEnabled,
  requireApproval: timetable.requiresApproval,
  timeZone: timetable.timeZone,
});

/** A new day off must be within the next two years. Stored ones may have passed. */
function requireDaysOff({ daysOff, timeZone }: FullTimetable, before: FullTimetable, now: Date): void {
  const today = Temporal.PlainDate.from(localDateOf(now, timeZone));
  const last = today.add({ years: DAYS_OFF_AHEAD_YEARS }).toString();
  const refuse = (message: string) => new Refusal(422, 'invalid', message, { field: 'daysOff' });
  for (const day of daysOff) {
    if (before.daysOff.includes(day)) continue;
    if (day < today.toString())
      throw refuse(`${nameDay(day, today.toString())} has passed. Choose a day off that is still to come`);
    if (day > last) throw refuse(`Days off can be chosen up to ${DAYS_OFF_AHEAD_YEARS} years ahead`);
  }
}

export function applyChange(before: FullTimetable, change: SettingsChange, now: Date): FullTimetable {
  const after = {
    contentCreationTime: change.contentCreationTime ?? before.contentCreationTime,
    publishTimes: [...(change.publishTimes ?? before.publishTimes)].sort(),
    publishDays: change.publishDays ?? before.publishDays,
    daysOff: change.daysOff ?? before.daysOff,
    isEnabled: change.enabled ?? before.isEnabled,
    requiresApproval: change.requireApproval ?? before.requiresApproval,
    timeZone: change.timeZone ?? before.timeZone,
  };
  requireDaysOff(after, before, now);
  return { ...after, daysOff: withPassed(after, before, now) };
}

export async function previewSettings(
  db: Db,
  actor: Actor,
  change: SettingsChange,
  now: Date,
): Promise<Settings> {
  return toSettings(applyChange(await readTimetable(db, actor.userId, now), change, now), now);
}

/** Stores a timetable. The planned time of the next run stays; for a new user it is the next creation time. */
export async function storeTimetable(
  trx: Trx,
  userId: string,
  timetable: FullTimetable,
  now: Date,
): Promise<void> {
  const { timeZone, contentCreationTime, publishTimes, isEnabled, requiresApproval } = timetable;
  const days = { publishDays: [...timetable.publishDays], daysOff: [...timetable.daysOff] };
  const values = { contentCreationTime, publishTimes, ...days, isEnabled, requiresApproval };
  const nextRunAt = nextTimeOfDay(contentCreationTime, timeZone, now);
  await setTimeZone(trx, userId, timeZone);
  await trx
    .insertInto('automationSettings')
    .values({ userId, ...values, nextRunAt })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute();
}
