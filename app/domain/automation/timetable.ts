import type { Db } from '#app/db/client.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { DEFAULT_CREATION_TIME, fitPublishTimes } from './schema.ts';
import type { Timetable } from './slots.ts';

export type FullTimetable = Timetable & {
  contentCreationTime: string;
  isEnabled: boolean;
  requiresApproval: boolean;
};

/** When a user's posts are written and published; the defaults for a user who has chosen nothing yet. */
export async function readTimetable(db: Db, userId: string, now: Date): Promise<FullTimetable> {
  const { timeZone } = await findUser(db, userId);
  const row = await db
    .selectFrom('automationSettings')
    .select(['contentCreationTime', 'publishTimes', 'isEnabled', 'requiresApproval'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  const plan = await findActivePlan(db, userId, now);
  const times = row?.publishTimes ?? [];
  return {
    timeZone,
    contentCreationTime: row?.contentCreationTime ?? DEFAULT_CREATION_TIME,
    publishTimes: fitPublishTimes(times, plan?.postsPerDay ?? Math.max(times.length, 1)).sort(),
    isEnabled: row?.isEnabled ?? true,
    requiresApproval: row?.requiresApproval ?? false,
  };
}
