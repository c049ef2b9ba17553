import { type RawBuilder, sql } from 'kysely';

/** A run of the user in the column `userId` that was begun after `since` is not over. */
export const hasYoungRun = (userId: string, since: Date): RawBuilder<boolean> =>
  sql`exists (select from generation_runs r where r.user_id = ${sql.ref(userId)} and r.status <> 'complete'
    and r.created_at > ${since})`;

/** The same of a run that began by itself. */
export const hasYoungOwnRun = (userId: string, since: Date): RawBuilder<boolean> =>
  sql`exists (select from generation_runs r where r.user_id = ${sql.ref(userId)} and r.status <> 'complete'
    and r.created_at > ${since} and r.scheduled_for is not null)`;

/** The runs of a user, by id, that began by themselves after an instant. */
export const ownRunsOf = (userId: string, since: Date): RawBuilder<string> =>
  sql`(select r.id from generation_runs r where r.user_id = ${userId} and r.scheduled_for > ${since})`;

/** How many places of the run in `runId` count: its posts, and whatever else the writer has answered for. */
export const countedPlaces = (runId: string): RawBuilder<number> =>
  sql`(select greatest(c.done, (select count(*) from generation_attempts t where t.run_id = c.id and t.answered_at is not null))
    from generation_runs c where c.id = ${sql.ref(runId)})`;

/** How many runs of the user in the column `userId` began by themselves after an instant, but for those in vain for reasons of ours. */
export const countRunsSince = (userId: string, since: Date): RawBuilder<number> =>
  sql`(select count(*)::int from generation_runs r where r.user_id = ${sql.ref(userId)} and r.scheduled_for > ${since}
    and (r.status <> 'complete' or r.failed = 0 or ${countedPlaces('r.id')} > 0))`;

/** The instant of the latest run of the user in the column `userId` that began by itself, at `since` or later; else null. */
export const latestRunSince = (userId: string, since: Date): RawBuilder<Date | null> =>
  sql`(select max(r.scheduled_for) from generation_runs r where r.user_id = ${sql.ref(userId)} and r.scheduled_for >= ${since})`;

/** From this similarity on (pg_trgm, 0 to 1) a text counts as the one that the writer wrote, with little changed. */
const MOST_LEFT = 0.7;

/** The text in a column is no longer what the writer wrote for the post in `postId`; of older posts nobody knows that. */
export const isRewritten = (postId: string, content: string): RawBuilder<boolean> =>
  sql`exists (select from briefs b where b.post_id = ${sql.ref(postId)}
    and similarity(b.content, ${sql.ref(content)}) < ${MOST_LEFT})`;

/** A text is, with little changed, one that the writer wrote for a user. */
export const isWrittenFor = (userId: string, content: string): RawBuilder<boolean> =>
  sql`exists (select from briefs b where b.user_id = ${userId} and similarity(b.content, ${content}) >= ${MOST_LEFT})`;

/** The text in a column is another one, with little changed. */
export const isNearly = (column: string, content: string): RawBuilder<boolean> =>
  sql`similarity(${sql.ref(column)}, ${content}) >= ${MOST_LEFT}`;

/** What the writer wrote, as `made` in a column keeps it, is a text with little changed. */
export const isNearlyMade = (column: string, content: string): RawBuilder<boolean> =>
  sql`similarity(${sql.ref(column)} ->> 'content', ${content}) >= ${MOST_LEFT}`;
