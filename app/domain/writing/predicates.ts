import { type RawBuilder, sql } from 'kysely';

/** The user in the column `userId` has an unfinished run that was created after `since`. */
export const hasRecentRun = (userId: string, since: Date): RawBuilder<boolean> =>
  sql`exists (select from generation_runs r where r.user_id = ${sql.ref(userId)} and r.status <> 'complete'
    and r.created_at > ${since})`;

/** The user in the column `userId` has an unfinished scheduled run that was created after `since`. */
export const hasRecentScheduledRun = (userId: string, since: Date): RawBuilder<boolean> =>
  sql`exists (select from generation_runs r where r.user_id = ${sql.ref(userId)} and r.status <> 'complete'
    and r.created_at > ${since} and r.scheduled_for is not null)`;

/** The ids of a user's runs that were scheduled after an instant. */
export const scheduledRunsOf = (userId: string, since: Date): RawBuilder<string> =>
  sql`(select r.id from generation_runs r where r.user_id = ${userId} and r.scheduled_for > ${since})`;

/** The items of the run in `runId` that count against quotas: its posts, and others with a response of the writer. */
export const countedItems = (runId: string): RawBuilder<number> =>
  sql`(select greatest(c.done, (select count(*) from generation_attempts t where t.run_id = c.id and t.answered_at is not null))
    from generation_runs c where c.id = ${sql.ref(runId)})`;

/** The number of scheduled runs of the user in the column `userId` after an instant, without those that failed because of us. */
export const countScheduledRuns = (userId: string, since: Date): RawBuilder<number> =>
  sql`(select count(*)::int from generation_runs r where r.user_id = ${sql.ref(userId)} and r.scheduled_for > ${since}
    and (r.status <> 'complete' or r.failed = 0 or ${countedItems('r.id')} > 0))`;

/** The instant of the latest scheduled run of the user in the column `userId` at `since` or later, or null. */
export const latestScheduledRun = (userId: string, since: Date): RawBuilder<Date | null> =>
  sql`(select max(r.scheduled_for) from generation_runs r where r.user_id = ${sql.ref(userId)} and r.scheduled_for >= ${since})`;

/** From this similarity on (pg_trgm, 0 to 1) two texts count as the same, with small changes. */
const SAME_TEXT = 0.7;

/** The text in a column differs from what the writer wrote for the post in `postId`. False for posts without a brief. */
export const isRewritten = (postId: string, content: string): RawBuilder<boolean> =>
  sql`exists (select from briefs b where b.post_id = ${sql.ref(postId)}
    and similarity(b.content, ${sql.ref(content)}) < ${SAME_TEXT})`;

/** The writer wrote this text for the user, apart from small changes. */
export const isWrittenFor = (userId: string, content: string): RawBuilder<boolean> =>
  sql`exists (select from briefs b where b.user_id = ${userId} and similarity(b.content, ${content}) >= ${SAME_TEXT})`;

/** The text in a column is `content`, apart from small changes. */
export const isNearlySame = (column: string, content: string): RawBuilder<boolean> =>
  sql`similarity(${sql.ref(column)}, ${content}) >= ${SAME_TEXT}`;

/** The text in the JSON column `made` is `content`, apart from small changes. */
export const isNearlyMade = (column: string, content: string): RawBuilder<boolean> =>
  sql`similarity(${sql.ref(column)} ->> 'content', ${content}) >= ${SAME_TEXT}`;
