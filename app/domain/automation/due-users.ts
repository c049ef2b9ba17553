import type { Db, Trx } from '#app/db/client.ts';
import { isInactive, timeZoneOf } from '#app/domain/accounts/predicates.ts';
import { plannedPostsPerDay } from '#app/domain/payments/predicates.ts';
import {
  countScheduledRuns,
  hasRecentRun,
  hasRecentScheduledRun,
  latestScheduledRun,
} from '#app/domain/writing/predicates.ts';
import { lastTimeOfDay } from './slots.ts';
import type { FullTimetable } from './timetable.ts';

type DueUser = { userId: string; contentCreationTime: string; timeZone: string; nextRunAt: Date | null };

const DAY_MS = 86_400_000;
const dayBefore = (at: Date) => new Date(at.getTime() - DAY_MS);

/** Longer than any run is retried. An older run does not block the next one. */
const RUN_MAX_MS = 4 * 3_600_000;
/** A scheduled run of the user is unfinished, so its result is not known yet. */
const isBeingWritten = (now: Date) =>
  hasRecentScheduledRun('automationSettings.userId', new Date(now.getTime() - RUN_MAX_MS));

/** About as long as it takes to write one or two posts. */
const JUST_REQUESTED_MS = 2 * 60_000;
/** Requested posts take the next free slots. A short wait for them avoids that a scheduled run writes for the same slots. */
const wasJustRequested = (now: Date) =>
  hasRecentRun('automationSettings.userId', new Date(now.getTime() - JUST_REQUESTED_MS));

/**
 * Selects and locks users with automation on whose content creation time has come, with the posts a day of their plan
 * and the number of their scheduled runs in the last day. Two runs of a user at the same time would write for the same
 * slots, so users with an unfinished run are left out; a requested run counts only for a short time.
 */
export function lockDueUsers(trx: Trx, now: Date, limit: number) {
  return trx
    .selectFrom('automationSettings')
    .select(['userId', 'contentCreationTime', 'nextRunAt'])
    .select([
      timeZoneOf('automationSettings.userId').as('timeZone'),
      plannedPostsPerDay('automationSettings.userId', now).as('postsPerDay'),
      countScheduledRuns('automationSettings.userId', dayBefore(now)).as('runsOfDay'),
    ])
    .where('isEnabled', '=', true)
    .where('nextRunAt', '<=', now)
    .where(({ not, or }) =>
      not(or([isBeingWritten(now), wasJustRequested(now), isInactive('automationSettings.userId')])),
    )
    .orderBy('nextRunAt')
    .limit(limit)
    .forUpdate()
    .skipLocked();
}

export async function planRun(trx: Trx, userId: string, nextRunAt: Date): Promise<void> {
  await trx.updateTable('automationSettings').set({ nextRunAt }).where('userId', '=', userId).execute();
}

/**
 * Returns the instant of a run: the latest creation time, or the planned time when that is later. After an outage the
 * missed days are not made up for.
 */
export function instantOfRun({ contentCreationTime, timeZone, nextRunAt }: DueUser, now: Date): Date {
  const creation = lastTimeOfDay(contentCreationTime, timeZone, now);
  return nextRunAt && nextRunAt > creation ? nextRunAt : creation;
}

/**
 * Returns the span whose slots the latest scheduled run has filled; null when there was none in the last day, and while
 * one is unfinished, because it follows changes of the timetable. A day on which the clock is set back is longer, so a
 * run at the latest creation time counts too.
 */
export async function findSeenTo(
  trx: Trx,
  userId: string,
  { contentCreationTime, timeZone }: FullTimetable,
  now: Date,
): Promise<{ from: Date; to: Date } | null> {
  const creation = lastTimeOfDay(contentCreationTime, timeZone, now);
  const since = new Date(Math.min(creation.getTime(), dayBefore(now).getTime()));
  const row = await trx
    .selectFrom('automationSettings')
    .select(['nextRunAt as to', latestScheduledRun('automationSettings.userId', since).as('from')])
    .where('userId', '=', userId)
    .where(({ not }) => not(isBeingWritten(now)))
    .executeTakeFirst();
  return row?.from && row.to ? { from: row.from, to: row.to } : null;
}

export async function findNextRunAt(db: Db, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('automationSettings')
    .select('nextRunAt')
    .where('userId', '=', userId)
    .where('isEnabled', '=', true)
    .executeTakeFirst();
  return row?.nextRunAt ?? null;
}
