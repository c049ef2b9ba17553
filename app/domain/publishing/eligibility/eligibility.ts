import { type RawBuilder, sql } from 'kysely';
import { after, type Instant } from '#app/db/clock.ts';
import { isDisabled, isLeaving } from '#app/domain/accounts/predicates.ts';
import { isAutomationOn } from '#app/domain/automation/predicates.ts';
import { hasUsableToken, isConnected } from '#app/domain/linkedin/predicates.ts';
import { planCovers } from '#app/domain/payments/predicates.ts';
import { lateAfterMs, lateness } from '#app/domain/posts/lateness.ts';
import {
  hasOpenAttempt,
  isPublishingPaused,
  isReleasedHere,
  waitsForChoice,
  waitsItsTurn,
} from '#app/domain/publishing/predicates.ts';
import { ENQUEUE_AGAIN_MS, SPREAD_MS } from './timings.ts';

/*
 * The rules of which post is sent and when, for queries over `post_schedules` joined with `posts`. The tick, the
 * claim, the statement that writes attempts and the sweep all use them.
 */

/** The post is due and not held, it has no open attempt, and publishing is not paused for all users. */
const isTimeReached = (now: Instant): RawBuilder<boolean> =>
  sql`(post_schedules.held_at is null and post_schedules.due_at <= ${now}
    and not ${hasOpenAttempt('postSchedules.postId')} and not ${isPublishingPaused(now)})`;

/** Its time is reached, and if it is late, it keeps its distance from the user's earlier posts. */
export const isItsTurn = (now: Instant): RawBuilder<boolean> =>
  sql`(${isTimeReached(now)} and not ${waitsItsTurn(now, lateness())})`;

/** No worker has a lease on the post, and it does not wait for a retry. */
export const isFree = (now: Instant): RawBuilder<boolean> =>
  sql`((post_schedules.lease_until is null or post_schedules.lease_until <= ${now})
    and (post_schedules.not_before is null or post_schedules.not_before <= ${now}))`;

/** How far into a minute the posts of the user in the column `userId` start, as an SQL interval. */
export const spreadWithinMinute = (userId: string): RawBuilder<unknown> =>
  sql`((uuid_hash_extended(${sql.ref(userId)}, 0) & 2147483647) % ${sql.lit(SPREAD_MS)} * interval '1 millisecond')`;

/**
 * When sending starts. Most slots are full minutes, so users are spread within each minute. A user's offset is the same
 * in every minute, so that their posts keep their distance. Manual posts and other times are not shifted.
 */
export const startsAt: RawBuilder<Date> = sql`(post_schedules.due_at + case
  when post_schedules.is_manual or post_schedules.due_at <> date_trunc('minute', post_schedules.due_at) then interval '0'
  else ${spreadWithinMinute('postSchedules.userId')} end)`;

/** No worker has the post, and no job was added for it recently. */
const isUnclaimed = (now: Instant): RawBuilder<boolean> =>
  sql`(${isFree(now)}
    and (post_schedules.enqueued_at is null or post_schedules.enqueued_at < ${after(now, -ENQUEUE_AGAIN_MS)}))`;

export const isDue = (now: Instant): RawBuilder<boolean> => sql`(${isItsTurn(now)} and ${isUnclaimed(now)})`;

/** The tick enqueues or holds the post. An ineligible post is held without waiting its turn. */
export const needsTick = (now: Instant): RawBuilder<boolean> =>
  sql`(${isTimeReached(now)} and ${isUnclaimed(now)}
    and (not ${waitsItsTurn(now, lateness())} or not ${isEligible(now)}))`;

/**
 * The post is neither sent, failed, pending approval nor deleted. "is true" keeps the planner from using an index of all
 * generated posts: the row is found by its schedule.
 */
const isWaiting: RawBuilder<boolean> = sql`((post_schedules.status = 'generated') is true and posts.deleted_at is null)`;

/** What the user must provide before a post is sent, by name. The pages explain each missing condition. */
const CONDITIONS = {
  account: () =>
    sql<boolean>`not ${isLeaving('postSchedules.userId')} and not ${isDisabled('postSchedules.userId')}`,
  approval: () => isWaiting,
  connection: (now: Instant) => isConnected('postSchedules.userId', now),
  choice: () => sql<boolean>`not ${waitsForChoice}`,
  automation: (now: Instant) => isManualOrAutomated(now),
};
export type Condition = keyof typeof CONDITIONS;

/** All conditions are met. A due post that is not eligible is held until that changes. */
export const isEligible = (now: Instant): RawBuilder<boolean> =>
  sql`(${sql.join(
    Object.values(CONDITIONS).map((condition) => condition(now)),
    sql` and `,
  )})`;

/** A post without an image, not yet too late: nothing has to be prepared before its call. */
export const isTextInTime = (now: Instant): RawBuilder<boolean> =>
  sql`(posts.image_url is null and ${isWaiting} and post_schedules.due_at >= ${after(now, -lateAfterMs())})`;

/** The batch sender may send the post. Every other post gets its own job. */
export const fitsBatch = (now: Instant): RawBuilder<boolean> =>
  sql`(${isTextInTime(now)} and ${hasUsableToken('postSchedules.userId', now)} and ${isEligible(now)})`;

/**
 * An overdue post keeps its slot while LinkedIn is not connected, until the user has chosen what to do with missed
 * posts, and in a restored database, where it may be on LinkedIn already, until the operator releases publishing.
 */
export const mayNotMove = (now: Date): RawBuilder<boolean> =>
  sql`(post_schedules.due_at <= ${now} and (not ${isReleasedHere}
    or not ${isConnected('postSchedules.userId', now)} or ${waitsForChoice}))`;

/**
 * The user published the post manually, or automation is on within a paid plan. `offset 0` evaluates this for each row:
 * otherwise the planner reads the settings and plans of all users for a few posts.
 */
const isManualOrAutomated = (now: Instant): RawBuilder<boolean> =>
  sql`(post_schedules.is_manual or (select ${isAutomationOn('postSchedules.userId')}
    and ${planCovers('postSchedules.userId', now)} offset 0))`;
