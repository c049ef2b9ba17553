import type { Db, Trx } from '#app/db/client.ts';
import { isInactive, timeZoneOf } from '#app/domain/accounts/predicates.ts';
import { plannedPostsPerDay } from '#app/domain/payments/predicates.ts';
import {
  countRunsSince,
  hasYoungOwnRun,
  hasYoungRun,
  latestRunSince,
} from '#app/domain/writing/predicates.ts';
import { lastTimeOfDay } from './slots.ts';
import type { FullTimetable } from './timetable.ts';

type DueUser = { userId: string; contentCreationTime: string; timeZone: string; nextRunAt: Date | null };

const DAY_MS = 86_400_000;
const dayBefore = (at: Date) => new Date(at.getTime() - DAY_MS);

/** Longer than any run waits for its writer: an older one keeps no other back. */
const UNDER_WAY_MS = 4 * 3_600_000;
/** A run of the timetable is under way, so what it comes to is not known yet. */
const isBeingWritten = (now: Date) =>
  hasYoungOwnRun('automationSettings.userId', new Date(now.getTime() - UNDER_WAY_MS));

/** About as long as it takes to write a post or two. */
const JUST_ASKED_MS = 2 * 60_000;
/** What was asked for a moment ago takes the next free slots: waited for so long, and no longer, few are written for twice. */
const wasJustRequested = (now: Date) =>
  hasYoungRun('automationSettings.userId', new Date(now.getTime() - JUST_ASKED_MS));

/**
 * Locks users with automation on whose content creation time has come, and says how many posts their plan has and how
 * many runs they had in the last day. Two runs of one user at once would write for the same slots: whose posts are being
 * written waits, for those they asked for themselves only a little.
 */
export function lockDueUsers(trx: Trx, now: Date, most: number) {
  return trx
    .selectFrom('automationSettings')
    .select(['userId', 'contentCreationTime', 'nextRunAt'])
    .select([
      timeZoneOf('automationSettings.userId').as('timeZone'),
      plannedPostsPerDay('automationSettings.userId', now).as('postsPerDay'),
      countRunsSince('automationSettings.userId', dayBefore(now)).as('runsOfDay'),
    ])
    .where('isEnabled', '=', true)
    .where('nextRunAt', '<=', now)
    .where(({ not, or }) =>
      not(or([isBeingWritten(now), wasJustRequested(now), isInactive('automationSettings.userId')])),
    )
    .orderBy('nextRunAt')
    .limit(most)
    .forUpdate()
    .skipLocked();
}

/** Plans the next run of a user. */
export async function planRun(trx: Trx, userId: string, nextRunAt: Date): Promise<void> {
  await trx.updateTable('automationSettings').set({ nextRunAt }).where('userId', '=', userId).execute();
}

/**
 * The instant a run is for: the latest creation time, or when it was planned where that is later. After a long stop
 * the days before are not made up for.
 */
export function instantOfRun({ contentCreationTime, timeZone, nextRunAt }: DueUser, now: Date): Date {
  const creation = lastTimeOfDay(contentCreationTime, timeZone, now);
  return nextRunAt && nextRunAt > creation ? nextRunAt : creation;
}

/**
 * From when to when the latest run has seen to slots; null when there was none in the last day, and while one is under
 * way: it goes on by the timetable as it is by then. A day in which the clock is put back is longer, so that one at the
 * latest creation time counts, too.
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
    .select(['nextRunAt as to', latestRunSince('automationSettings.userId', since).as('from')])
    .where('userId', '=', userId)
    .where(({ not }) => not(isBeingWritten(now)))
    .executeTakeFirst();
  return row?.from && row.to ? { from: row.from, to: row.to } : null;
}

/** When posts are written for a user next; null while automation is off. */
export async function findNextRunAt(db: Db, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('automationSettings')
    .select('nextRunAt')
    .where('userId', '=', userId)
    .where('isEnabled', '=', true)
    .executeTakeFirst();
  return row?.nextRunAt ?? null;
}
