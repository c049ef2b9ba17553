import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#app/db/clock.ts';

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
export const begunAt = (postId: string): RawBuilder<Date | null> =>
  sql`(select max(b.started_at) from publish_attempts b
    where b.post_id = ${sql.ref(postId)} and b.state not in ('refused', 'not_accepted'))`;

/** When the newest attempt at the post in the column `postId` began, or null. */
export const lastAttemptAt = (postId: string): RawBuilder<Date | null> =>
  sql`(select max(n.started_at) from publish_attempts n where n.post_id = ${sql.ref(postId)})`;

/** When the attempts at the post in the column `postId` began that LinkedIn refused. */
export const refusedAttempts = (postId: string): RawBuilder<Date[]> =>
  sql`array(select n.started_at from publish_attempts n where n.post_id = ${sql.ref(postId)} and n.state = 'refused')`;

/** A resend of the attempt in the column `publicationId` is under way: only its answer tells what became of both. */
export const hasOpenResend = (publicationId: string): RawBuilder<boolean> =>
  sql`exists (select from publish_attempts r
    where r.confirms_id = ${sql.ref(publicationId)} and r.resolved_at is null)`;

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
