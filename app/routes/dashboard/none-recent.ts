import type { Db } from '#app/db/client.ts';
import { findNextRunAt } from '#app/domain/automation/due-users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTime, formatUntil } from '#app/domain/platform/dates.ts';
import type { Stats } from '#app/domain/posts/counts/stats.ts';
import type { Run } from '#app/domain/writing/runs/start.ts';

type Asked = { stats: Stats; isReady: boolean; run: Run | undefined };

/** What stands where none of the latest posts does. */
export async function sayNone(
  db: Db,
  { userId, timeZone }: Actor,
  { stats, isReady, run }: Asked,
  now: Date,
) {
  if (stats.totalPosts > 0) return 'Your posts stand above. Those of other days follow here.';
  const isWaiting = isReady && (run?.status ?? 'complete') === 'complete';
  const firstAt = isWaiting && (await findNextRunAt(db, userId));
  return firstAt
    ? `No posts yet. The first ones are written ${formatUntil(firstAt, now)}, at ${formatTime(firstAt, timeZone)}.`
    : 'No posts yet. What is written for you stands here.';
}
