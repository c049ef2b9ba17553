import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { timeZoneOf } from '#app/domain/accounts/predicates.ts';
import { plannedPostsPerDay } from '#app/domain/payments/predicates.ts';
import { WEEKDAYS } from './limits.ts';
import { DEFAULT_CREATION_TIME, fitPublishTimes } from './schema.ts';
import type { Timetable } from './slots.ts';

export type FullTimetable = Required<Timetable> & {
  contentCreationTime: string;
  isEnabled: boolean;
  requiresApproval: boolean;
};

/**
 * Selects one row: the settings of a user (nulls when they have saved none), their time zone, and the posts a day of
 * their plan.
 */
export const timetableOf = (db: Db, { userId, now }: { userId: string; now: Date }) =>
  db
    .selectFrom(sql<{ userId: string }>`(select ${userId}::uuid as user_id)`.as('user'))
    .leftJoin('automationSettings', 'automationSettings.userId', 'user.userId')
    .select([
      'contentCreationTime',
      'publishTimes',
      'publishDays',
      'daysOff',
      'isEnabled',
      'requiresApproval',
      timeZoneOf('user.userId').as('timeZone'),
      plannedPostsPerDay('user.userId', now).as('postsPerDay'),
    ]);

const read = compiledQuery(timetableOf);
type Row = Awaited<ReturnType<typeof read>>[number];

export async function readTimetable(db: Db, userId: string, now: Date): Promise<FullTimetable> {
  return toTimetable((await read(db, { userId, now }))[0]!);
}

/** Adds defaults to a row of `timetableOf`, and fits the publish times to the posts a day of the plan. */
export function toTimetable(row: Row): FullTimetable {
  const times = row.publishTimes ?? [];
  return {
    timeZone: row.timeZone,
    contentCreationTime: row.contentCreationTime ?? DEFAULT_CREATION_TIME,
    publishTimes: fitPublishTimes(times, row.postsPerDay ?? Math.max(times.length, 1)).sort(),
    publishDays: row.publishDays ?? WEEKDAYS,
    daysOff: row.daysOff ?? [],
    isEnabled: row.isEnabled ?? true,
    requiresApproval: row.requiresApproval ?? false,
  };
}
