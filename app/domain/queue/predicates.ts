import { type RawBuilder, sql } from 'kysely';
import { after, type Instant } from '#app/db/clock.ts';
import { asksFirst } from '#app/domain/automation/predicates.ts';
import { isMissed } from '#app/domain/linkedin/predicates.ts';
import { begunAt, hasOpenAttempt } from '#app/domain/publishing/predicates.ts';
import { approvalOf } from '#app/domain/topics/predicates.ts';

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
