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
 * The rule of what goes out and when, for queries over `post_schedules` joined with `posts`. The tick, the
 * claim, the last look before a call and the sweep all ask it here.
 */

/** Its time has come, nothing holds it, no attempt is under way, and publishing is not stopped for everybody. */
const hasComeUp = (now: Instant): RawBuilder<boolean> =>
  sql`(post_schedules.held_at is null and post_schedules.due_at <= ${now}
    and not ${hasOpenAttempt('postSchedules.postId')} and not ${isPublishingPaused(now)})`;

/** It has come up, and keeps its distance from the posts of its user before it, if it is late. */
export const isItsTurn = (now: Instant): RawBuilder<boolean> =>
  sql`(${hasComeUp(now)} and not ${waitsItsTurn(now, lateness())})`;

/** No worker has it, and it does not wait for another try. */
export const isFree = (now: Instant): RawBuilder<boolean> =>
  sql`((post_schedules.lease_until is null or post_schedules.lease_until <= ${now})
    and (post_schedules.not_before is null or post_schedules.not_before <= ${now}))`;

/** How far into a minute the posts of the user in the column are begun. */
export const spreadOf = (userId: string): RawBuilder<unknown> =>
  sql`((uuid_hash_extended(${sql.ref(userId)}, 0) & 2147483647) % ${sql.lit(SPREAD_MS)} * interval '1 millisecond')`;

/**
 * When it is begun. Most slots are full minutes, so their users are spread within each: everybody has a second of their
 * own, the same in every minute, so that posts of one user keep their distance. Nothing else is put off.
 */
export const beginsAt: RawBuilder<Date> = sql`(post_schedules.due_at + case
  when post_schedules.is_manual or post_schedules.due_at <> date_trunc('minute', post_schedules.due_at) then interval '0'
  else ${spreadOf('postSchedules.userId')} end)`;

/** Nobody has it or is about to. */
const isUntaken = (now: Instant): RawBuilder<boolean> =>
  sql`(${isFree(now)}
    and (post_schedules.enqueued_at is null or post_schedules.enqueued_at < ${after(now, -ENQUEUE_AGAIN_MS)}))`;

/** It is due, and nobody has it or is about to. */
export const isDue = (now: Instant): RawBuilder<boolean> => sql`(${isItsTurn(now)} and ${isUntaken(now)})`;

/** It is due; or it may not go, and is not to wait its turn until that is seen. */
export const isToBeSeen = (now: Instant): RawBuilder<boolean> =>
  sql`(${hasComeUp(now)} and ${isUntaken(now)}
    and (not ${waitsItsTurn(now, lateness())} or not ${isEligible(now)}))`;

/**
 * Nothing has become of it yet. "is true" keeps the planner from an index of every post that waits: what is asked
 * about is found by its delivery.
 */
const isWaiting: RawBuilder<boolean> = sql`((post_schedules.status = 'generated') is true and posts.deleted_at is null)`;

/** What its owner sees to before it goes out, by name: of each that is missing a page says so. */
const SEEN_TO = {
  stay: () =>
    sql<boolean>`not ${isLeaving('postSchedules.userId')} and not ${isDisabled('postSchedules.userId')}`,
  approval: () => isWaiting,
  connection: (now: Instant) => isConnected('postSchedules.userId', now),
  choice: () => sql<boolean>`not ${waitsForChoice}`,
  wish: (now: Instant) => isWanted(now),
};
export type SeenTo = keyof typeof SEEN_TO;

/** Its owner lets it out. What is due and may not go is held until that changes. */
export const isEligible = (now: Instant): RawBuilder<boolean> =>
  sql`(${sql.join(
    Object.values(SEEN_TO).map((condition) => condition(now)),
    sql` and `,
  )})`;

/** A text in time, before whose call nothing is to be done but for its owner's sake. */
export const isPlain = (now: Instant): RawBuilder<boolean> =>
  sql`(posts.image_url is null and ${isWaiting} and post_schedules.due_at >= ${after(now, -lateAfterMs())})`;

/** It may go, and together with others; all others have a job of their own. */
export const fitsBatch = (now: Instant): RawBuilder<boolean> =>
  sql`(${isPlain(now)} and ${hasUsableToken('postSchedules.userId', now)} and ${isEligible(now)})`;

/**
 * Its time has passed and it keeps its place: for as long as LinkedIn is not connected, until that choice, and
 * in a restored database, where it may be out, until the operator has looked.
 */
export const keepsItsPlace = (now: Date): RawBuilder<boolean> =>
  sql`(post_schedules.due_at <= ${now} and (not ${isReleasedHere}
    or not ${isConnected('postSchedules.userId', now)} or ${waitsForChoice}))`;

/**
 * Its owner has asked for it: by hand, or by automation within a plan. Asked for each row: behind an "or" the
 * planner would read everybody's settings and plans for the posts of a few.
 */
const isWanted = (now: Instant): RawBuilder<boolean> =>
  sql`(post_schedules.is_manual or (select ${isAutomationOn('postSchedules.userId')}
    and ${planCovers('postSchedules.userId', now)} offset 0))`;
