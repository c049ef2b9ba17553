import { type RawBuilder, sql } from 'kysely';
import { after, type Instant } from '#app/db/clock.ts';
import { asksFirst } from '#app/domain/automation/predicates.ts';
import { isMissed } from '#app/domain/linkedin/predicates.ts';
import { approvalOf } from '#app/domain/topics/predicates.ts';

/**
 * An attempt at the post in the column `postId` is unsettled: LinkedIn may be taking it at this moment. Looked up post
 * by post: the planner takes open attempts for few, and would compare each due post with all of them.
 */
export const hasOpenAttempt = (postId: string): RawBuilder<boolean> =>
  sql`coalesce((select bool_or(o.resolved_at is null) from publish_attempts o
    where o.post_id = ${sql.ref(postId)}), false)`;

/** An attempt at the post in the column `postId` is on LinkedIn, or may be. */
export const mayBeThere = (postId: string): RawBuilder<boolean> =>
  sql`exists (select from publish_attempts t where t.post_id = ${sql.ref(postId)}
    and t.state not in ('refused', 'not_accepted'))`;

/** When the newest attempt at the post in the column `postId` began that is on LinkedIn, or may be; or null. */
const begunAt = (postId: string): RawBuilder<Date | null> =>
  sql`(select max(b.started_at) from publish_attempts b
    where b.post_id = ${sql.ref(postId)} and b.state not in ('refused', 'not_accepted'))`;

/** When the newest attempt at the post in the column `postId` began, or null. */
export const lastAttemptAt = (postId: string): RawBuilder<Date | null> =>
  sql`(select max(n.started_at) from publish_attempts n where n.post_id = ${sql.ref(postId)})`;

/** When the attempts at the post in the column `postId` began that LinkedIn refused. */
export const refusedAttempts = (postId: string): RawBuilder<Date[]> =>
  sql`array(select n.started_at from publish_attempts n where n.post_id = ${sql.ref(postId)} and n.state = 'refused')`;

/** A resend of the attempt in the column `attemptId` is under way: only its answer tells what became of both. */
export const hasOpenResend = (attemptId: string): RawBuilder<boolean> =>
  sql`exists (select from publish_attempts r
    where r.confirms_id = ${sql.ref(attemptId)} and r.resolved_at is null)`;

/** Publishing is stopped for everybody, by LinkedIn's daily limit or by an admin. */
export const isPublishingPaused = (now: Instant): RawBuilder<boolean> =>
  sql`exists (select from publishing_pause w where w.paused_until > ${now}
    or (w.stopped_at is not null and (w.stopped_until is null or w.stopped_until > ${now})))`;

/** Nothing is sent for anybody: paused, not released for this database, or its clock has been set back. */
export const isPublishingStopped = (now: Instant): RawBuilder<boolean> =>
  sql`(${isPublishingPaused(now)} or not ${isReleasedHere} or ${hasClockGoneBack})`;

/**
 * When publishing last went on after a stop for everybody, or was released, or null. A clock that was set back has
 * caught up at the instant until which it is doubted, or a little before: now.
 */
export const wentOnAt = (now: Instant): RawBuilder<Date | null> =>
  sql`(select greatest(case when w.paused_until <= ${now} then w.paused_until end,
    case when w.stopped_until <= ${now} then w.stopped_until end,
    case when e.doubted_until is not null then least(e.doubted_until, ${now}) end,
    case when ${releasedAt} <= ${now} then ${releasedAt} end) from publishing_pause w, publishing_epoch e)`;

/** An epoch is the instant of its release, in milliseconds. */
const releasedAt = sql`to_timestamp(e.epoch / 1000.0)`;

/** What a process last saw of `publishing_epoch`. */
export type DatabaseIdentity = { server: string; epoch: string; beat: string };

/** The database is the one that it says it is, and nothing that this process has seen there is missing. */
export const isSameDatabase = ({ server, epoch, beat }: DatabaseIdentity): RawBuilder<boolean> =>
  sql`exists (select from publishing_epoch e where e.server = publishing_server()
    and (e.epoch > ${epoch} or (e.epoch = ${epoch} and (e.server <> ${server} or e.beat >= ${beat}))))`;

/** The database is the one that publishing was released for, as far as it knows itself. */
export const isReleasedHere: RawBuilder<boolean> = sql`exists (select from publishing_epoch e where e.server = publishing_server())`;

/** More than this and a process does not send: it would judge its own delays wrongly. */
export const CLOCK_WITHIN_MS = 2_000;

/** How far the database's clock is behind what it has said before, in milliseconds; negative when it is not. */
export const clockWentBack: RawBuilder<number> = sql`(select extract(epoch from e.beat_at - clock_timestamp())::float8 * 1000 from publishing_epoch e)`;

export const hasClockGoneBack: RawBuilder<boolean> = sql`(${clockWentBack} > ${CLOCK_WITHIN_MS})`;

/** The instant of the column lies before one after which the clock was set back: more time has passed than it says. */
export const isDoubted = (column: string): RawBuilder<boolean> =>
  sql`exists (select from publishing_epoch e where e.doubted_until >= ${sql.ref(column)})`;

/** The clock of this process, now, says what the database's says: for a query whose connection is there already. */
export const clocksAgree = (): RawBuilder<boolean> =>
  sql`(abs(extract(epoch from clock_timestamp() - ${new Date()}::timestamptz)) * 1000 <= ${CLOCK_WITHIN_MS})`;

/**
 * The clock of this process says what the database's says, but for what asking takes; and that one, by which all
 * delays are judged, has not been set back.
 */
export const isClockRight = (): RawBuilder<boolean> =>
  sql`(${clocksAgree()}
    and ${clockWentBack} <= ${CLOCK_WITHIN_MS})`;

/** The post in the column `postId` failed, and LinkedIn has not left it open whether it is there. */
export const hasFailed = (postId: string): RawBuilder<boolean> =>
  sql`exists (select from post_schedules f where f.post_id = ${sql.ref(postId)}
    and f.status = 'failed' and not f.is_unconfirmed)`;

/** Its time passed before LinkedIn was connected again, and its owner is asked what becomes of it. */
export const waitsForChoice: RawBuilder<boolean> = isMissed({
  userId: 'postSchedules.userId',
  dueAt: 'postSchedules.dueAt',
  createdAt: 'posts.createdAt',
  visibility: 'posts.visibility',
});

/** A delivery joined with its post about which its owner can choose now. What may be on its way is none. */
export const canBeChosen: RawBuilder<boolean> = sql`(post_schedules.due_at is not null and post_schedules.status = 'generated' and posts.deleted_at is null
    and ${waitsForChoice} and not ${hasOpenAttempt('posts.id')})`;

/** When the post in the column `postId` goes out while it waits, not before an instant; null when it does not wait. */
export const goesOutAt = (postId: string, now: Date): RawBuilder<Date | null> =>
  sql`(select greatest(q.due_at, q.not_before, ${now}) from post_schedules q
    where q.post_id = ${sql.ref(postId)} and q.due_at is not null)`;

/** The owner of a post wants to approve it before it goes out, by its topic or else by the settings. */
export const mustBeApproved: RawBuilder<boolean> = sql`coalesce(${approvalOf('posts.topicId')} = 'approve', ${asksFirst('posts.userId')})`;

/** From when to when a post is late and still goes out, and how far apart those of one user do. */
type Lateness = { fromMs: number; untilMs: number; apartMs: number };

/** It goes out by itself, and not at its time. */
const isLate = (now: Instant, { fromMs, untilMs }: Lateness): RawBuilder<boolean> =>
  sql`(not post_schedules.is_manual and post_schedules.status = 'generated'
    and post_schedules.due_at < ${after(now, -fromMs)} and post_schedules.due_at >= ${after(now, -untilMs)})`;

/** What its user has before it in the queue. One that is put off for longer than they are apart lets others go first. */
const ahead = (now: Instant, { untilMs, apartMs }: Lateness) =>
  sql`post_schedules a where a.user_id = post_schedules.user_id
    and (a.due_at, a.post_id) < (post_schedules.due_at, post_schedules.post_id)
    and a.due_at >= ${after(now, -untilMs)} and a.held_at is null and a.status = 'generated'
    and (a.not_before is null or a.not_before <= ${after(now, apartMs)})`;

/**
 * When a post of its user last went out or may have, or null. What is out is found by its index, which an instant
 * that is asked anew for each row cannot bound: so the last one is looked up.
 */
const lastOutAt = (now: Instant): RawBuilder<Date | null> =>
  sql`greatest((select o.posted_at from post_schedules o
      where o.user_id = post_schedules.user_id and o.status = 'published' and o.posted_at <= ${now}
      order by o.posted_at desc limit 1),
    (select max(${begunAt('o.postId')}) from post_schedules o
      where o.user_id = post_schedules.user_id and o.status = any('{generated,pending,failed}')
        and (o.due_at <= ${now} or o.is_unconfirmed)))`;

/**
 * It is late, and waits: another one of its user goes first, or has gone a short while ago. Asked for each row, and of
 * one that is on time nothing but that.
 */
export const waitsItsTurn = (now: Instant, lateness: Lateness): RawBuilder<boolean> =>
  lateness.apartMs === 0
    ? sql`false`
    : sql`(case when ${isLate(now, lateness)}
      then (select true from ${ahead(now, lateness)} limit 1) is true
        or (${lastOutAt(now)} > ${after(now, -lateness.apartMs)}) is true
      else false end)`;

/** About when the delivery goes out that waits its turn, when each before it goes; null of all others. */
export const turnAt = (now: Instant, lateness: Lateness): RawBuilder<Date | null> =>
  lateness.apartMs === 0
    ? sql`null::timestamptz`
    : sql`(case when post_schedules.held_at is null and ${isLate(now, lateness)} then (
      select greatest(${now}, before.last_at + before.apart) + before.ahead * before.apart
      from (select ${lastOutAt(now)} as last_at, (select count(*) from ${ahead(now, lateness)}) as ahead,
        ${lateness.apartMs} * interval '1 millisecond' as apart offset 0) as before
      where before.ahead > 0 or before.last_at + before.apart > ${now}) end)`;
