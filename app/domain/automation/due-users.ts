import type { Trx } from '#app/db/client.ts';
import { timeZoneOf } from '#app/domain/accounts/facts.ts';
import { plannedPostsPerDay } from '#app/domain/payments/facts.ts';
import { nextTimeOfDay, slotsAfter } from './slots.ts';

const DAY_MS = 86_400_000;

type DueUser = { userId: string; contentCreationTime: string; timeZone: string; nextRunAt: Date | null };

/** Locks users with automation on whose content creation time has come, and says how many posts their plan has. */
export function lockDueUsers(trx: Trx, now: Date, most: number) {
  return trx
    .selectFrom('automationSettings')
    .select(['userId', 'contentCreationTime', 'nextRunAt'])
    .select([
      timeZoneOf('automationSettings.userId').as('timeZone'),
      plannedPostsPerDay('automationSettings.userId', now).as('postsPerDay'),
    ])
    .where('isEnabled', '=', true)
    .where('nextRunAt', '<=', now)
    .orderBy('nextRunAt')
    .limit(most)
    .forUpdate()
    .skipLocked();
}

/** Plans the next run of a user for the next time their clock shows the creation time. */
export async function planNextRun(trx: Trx, user: DueUser, now: Date): Promise<void> {
  await trx
    .updateTable('automationSettings')
    .set({ nextRunAt: nextTimeOfDay(user.contentCreationTime, user.timeZone, now) })
    .where('userId', '=', user.userId)
    .execute();
}

/** The creation time a run is for. After a long stop only the latest counts; the days before are not made up for. */
export function latestCreation({ contentCreationTime, timeZone, nextRunAt }: DueUser, now: Date): Date {
  // Local days last 23 to 25 hours, so the times of the last two days are looked through.
  const recent = slotsAfter(new Date(now.getTime() - 2 * DAY_MS), {
    publishTimes: [contentCreationTime],
    timeZone,
  })
    .take(3)
    .toArray();
  return recent.findLast(({ at }) => at <= now)?.at ?? nextRunAt!;
}
