import { type RawBuilder, sql } from 'kysely';

/** A run of the user in the column `userId` that was begun after `since` is not over. */
export const hasYoungRun = (userId: string, since: Date): RawBuilder<boolean> =>
  sql`exists (select from runs r where r.user_id = ${sql.ref(userId)} and r.status <> 'complete'
    and r.created_at > ${since})`;

/** The runs of a user, by id, that began by themselves after an instant. */
export const ownRunsOf = (userId: string, since: Date): RawBuilder<string> =>
  sql`(select r.id from runs r where r.user_id = ${userId} and r.scheduled_for > ${since})`;

/** How many runs of the user in the column `userId` began by themselves after an instant. */
export const countRunsSince = (userId: string, since: Date): RawBuilder<number> =>
  sql`(select count(*)::int from runs r where r.user_id = ${sql.ref(userId)} and r.scheduled_for > ${since})`;

/** The instant that the run in the column `runId` is for; null when it was asked for. */
export const scheduledForOf = (runId: string): RawBuilder<Date | null> =>
  sql`(select r.scheduled_for from runs r where r.id = ${sql.ref(runId)})`;

/** The instant of the latest run of the user in the column `userId` that began by itself, at `since` or later; else null. */
export const latestRunSince = (userId: string, since: Date): RawBuilder<Date | null> =>
  sql`(select max(r.scheduled_for) from runs r where r.user_id = ${sql.ref(userId)} and r.scheduled_for >= ${since})`;
