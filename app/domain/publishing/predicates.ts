import { type RawBuilder, sql } from 'kysely';
import { after, type Instant } from '#app/db/clock.ts';
import { asksFirst } from '#app/domain/automation/predicates.ts';
import { isMissed } from '#app/domain/linkedin/predicates.ts';
import { approvalOf } from '#app/domain/topics/predicates.ts';

/**
 * The post in the column `postId` has an open attempt: LinkedIn may be accepting it at this moment. The form makes
 * Postgres look it up post by post: it underestimates the open attempts and would compare each due post with all of them.
 */
export const hasOpenAttempt = (postId: string): RawBuilder<boolean> =>
  sql`coalesce((select bool_or(o.resolved_at is null) from publish_attempts o
    where o.post_id = ${sql.ref(postId)}), false)`;

/** An attempt at the post in the column `postId` was or may have been accepted by LinkedIn. */
export const mayBeOnLinkedIn = (postId: string): RawBuilder<boolean> =>
  sql`exists (select from publish_attempts t where t.post_id = ${sql.ref(postId)}
    and t.state not in ('refused', 'not_accepted'))`;

/** When the last attempt at the post in the column `postId` started that LinkedIn accepted or may have accepted, or null. */
const lastUncertainAttemptAt = (postId: string): RawBuilder<Date | null> =>
  sql`(select max(b.started_at) from publish_attempts b
    where b.post_id = ${sql.ref(postId)} and b.state not in ('refused', 'not_accepted'))`;

export const lastAttemptAt = (postId: string): RawBuilder<Date | null> =>
  sql`(select max(n.started_at) from publish_attempts n where n.post_id = ${sql.ref(postId)})`;

/** When the attempts at the post in the column `postId` started that LinkedIn refused. */
export const refusedAttempts = (postId: string): RawBuilder<Date[]> =>
  sql`array(select n.started_at from publish_attempts n where n.post_id = ${sql.ref(postId)} and n.state = 'refused')`;

/** The attempt in the column `attemptId` has an open resend, whose response settles both. */
export const hasOpenResend = (attemptId: string): RawBuilder<boolean> =>
  sql`exists (select from publish_attempts r
    where r.confirms_id = ${sql.ref(attemptId)} and r.resolved_at is null)`;

/** Publishing is paused for all users, by LinkedIn's daily limit or by an admin. */
export const isPublishingPaused = (now: Instant): RawBuilder<boolean> =>
  sql`exists (select from publishing_pause w where w.paused_until > ${now}
    or (w.stopped_at is not null and (w.stopped_until is null or w.stopped_until > ${now})))`;

/** No post is sent: publishing is paused or not released for this database, or the database's clock was set back. */
export const isPublishingStopped = (now: Instant): RawBuilder<boolean> =>
  sql`(${isPublishingPaused(now)} or not ${isReleasedHere} or ${isClockSetBack})`;

/**
 * When publishing last resumed for all users after a pause, a release or a clock that was set back, or null. Such a clock
 * has caught up at `doubted_until` or a little before, then now counts.
 */
export const publishingResumedAt = (now: Instant): RawBuilder<Date | null> =>
  sql`(select greatest(case when w.paused_until <= ${now} then w.paused_until end,
    case when w.stopped_until <= ${now} then w.stopped_until end,
    case when e.doubted_until is not null then least(e.doubted_until, ${now}) end,
    case when ${releasedAt} <= ${now} then ${releasedAt} end) from publishing_pause w, publishing_epoch e)`;

/** An epoch is the instant of its release, in milliseconds. */
const releasedAt = sql`to_timestamp(e.epoch / 1000.0)`;

export type DatabaseIdentity = { server: string; epoch: string; beat: string };

/** Publishing is released for this database, and it is not older than what this process has seen of it. */
export const isSameDatabase = ({ server, epoch, beat }: DatabaseIdentity): RawBuilder<boolean> =>
  sql`exists (select from publishing_epoch e where e.server = publishing_server()
    and (e.epoch > ${epoch} or (e.epoch = ${epoch} and (e.server <> ${server} or e.beat >= ${beat}))))`;

/** Publishing was released for this database server, by the database's own record. */
export const isReleasedHere: RawBuilder<boolean> = sql`exists (select from publishing_epoch e where e.server = publishing_server())`;

/** The largest clock difference with which a process sends: with more, it would misjudge its own delays. */
export const CLOCK_WITHIN_MS = 2_000;

/** How far the database's clock is behind its own last beat, in milliseconds; negative when it is not. */
export const clockSetBackMs: RawBuilder<number> = sql`(select extract(epoch from e.beat_at - clock_timestamp())::float8 * 1000 from publishing_epoch e)`;

export const isClockSetBack: RawBuilder<boolean> = sql`(${clockSetBackMs} > ${CLOCK_WITHIN_MS})`;

/** The time in the column is from before the clock was set back, so more time has passed since than the clock shows. */
export const isDoubted = (column: string): RawBuilder<boolean> =>
  sql`exists (select from publishing_epoch e where e.doubted_until >= ${sql.ref(column)})`;

/** The clocks of this process and of the database agree. For a query that already has its connection. */
export const clocksAgree = (): RawBuilder<boolean> =>
  sql`(abs(extract(epoch from clock_timestamp() - ${new Date()}::timestamptz)) * 1000 <= ${CLOCK_WITHIN_MS})`;

/** The clocks of this process and of the database agree, and the database's clock was not set back. */
export const isClockRight = (): RawBuilder<boolean> =>
  sql`(${clocksAgree()}
    and ${clockSetBackMs} <= ${CLOCK_WITHIN_MS})`;

/** The post in the column `postId` failed and is certainly not on LinkedIn. */
export const hasFailed = (postId: string): RawBuilder<boolean> =>
  sql`exists (select from post_schedules f where f.post_id = ${sql.ref(postId)}
    and f.status = 'failed' and not f.is_unconfirmed)`;

/** The post's time passed before LinkedIn was connected again, and the user can choose what to do with it. */
export const waitsForChoice: RawBuilder<boolean> = isMissed({
  userId: 'postSchedules.userId',
  dueAt: 'postSchedules.dueAt',
  createdAt: 'posts.createdAt',
  visibility: 'posts.visibility',
});

/** The post waits for that choice and has no open attempt. */
export const canBeChosen: RawBuilder<boolean> = sql`(post_schedules.due_at is not null and post_schedules.status = 'generated' and posts.deleted_at is null
    and ${waitsForChoice} and not ${hasOpenAttempt('posts.id')})`;

/** When the post in the column `postId` is published, not before `now`; null when it is not in the queue. */
export const publishesAt = (postId: string, now: Date): RawBuilder<Date | null> =>
  sql`(select greatest(q.due_at, q.not_before, ${now}) from post_schedules q
    where q.post_id = ${sql.ref(postId)} and q.due_at is not null)`;

/** The user wants to approve the post before it is published, by its topic or else by the settings. */
export const mustBeApproved: RawBuilder<boolean> = sql`coalesce(${approvalOf('posts.topicId')} = 'approve', ${asksFirst('posts.userId')})`;

/** From when to when a post is late but still sent, and the minimum time between late posts of one user. */
type Lateness = { fromMs: number; untilMs: number; apartMs: number };

/** The post is not manual, late, and not too late to be sent. */
const isLateButSent = (now: Instant, { fromMs, untilMs }: Lateness): RawBuilder<boolean> =>
  sql`(not post_schedules.is_manual and post_schedules.status = 'generated'
    and post_schedules.due_at < ${after(now, -fromMs)} and post_schedules.due_at >= ${after(now, -untilMs)})`;

/** The user's posts before this one in the queue, without those that are postponed for longer than `apartMs`. */
const postsBefore = (now: Instant, { untilMs, apartMs }: Lateness) =>
  sql`post_schedules a where a.user_id = post_schedules.user_id
    and (a.due_at, a.post_id) < (post_schedules.due_at, post_schedules.post_id)
    and a.due_at >= ${after(now, -untilMs)} and a.held_at is null and a.status = 'generated'
    and (a.not_before is null or a.not_before <= ${after(now, apartMs)})`;

/**
 * When a post of the user was or may have been last published, or null. Reads the last row of the index: a range could
 * not use it, because `now` may be evaluated for each row.
 */
const lastPublishedAt = (now: Instant): RawBuilder<Date | null> =>
  sql`greatest((select o.posted_at from post_schedules o
      where o.user_id = post_schedules.user_id and o.status = 'published' and o.posted_at <= ${now}
      order by o.posted_at desc limit 1),
    (select max(${lastUncertainAttemptAt('o.postId')}) from post_schedules o
      where o.user_id = post_schedules.user_id and o.status = any('{generated,pending,failed}')
        and (o.due_at <= ${now} or o.is_unconfirmed)))`;

/**
 * The post is late and waits, because another post of the user goes first or was published less than `apartMs` ago. The
 * `case` avoids the other subqueries for posts on time.
 */
export const waitsItsTurn = (now: Instant, lateness: Lateness): RawBuilder<boolean> =>
  lateness.apartMs === 0
    ? sql`false`
    : sql`(case when ${isLateButSent(now, lateness)}
      then (select true from ${postsBefore(now, lateness)} limit 1) is true
        or (${lastPublishedAt(now)} > ${after(now, -lateness.apartMs)}) is true
      else false end)`;

/** About when a post that waits its turn is sent, if all posts before it are; null for all others. */
export const turnAt = (now: Instant, lateness: Lateness): RawBuilder<Date | null> =>
  lateness.apartMs === 0
    ? sql`null::timestamptz`
    : sql`(case when post_schedules.held_at is null and ${isLateButSent(now, lateness)} then (
      select greatest(${now}, before.last_at + before.apart) + before.ahead * before.apart
      from (select ${lastPublishedAt(now)} as last_at, (select count(*) from ${postsBefore(now, lateness)}) as ahead,
        ${lateness.apartMs} * interval '1 millisecond' as apart offset 0) as before
      where before.ahead > 0 or before.last_at + before.apart > ${now}) end)`;
