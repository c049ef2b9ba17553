import { type RawBuilder, sql } from 'kysely';

/** A run of the user in the column `userId` that was begun after `since` is not over. */
export const hasYoungRun = (userId: string, since: Date): RawBuilder<boolean> =>
  sql`exists (select from runs r where r.user_id = ${sql.ref(userId)} and r.status <> 'complete'
    and r.created_at > ${since})`;

/** The instant of the latest run of the user in the column `userId` that began by itself, at `since` or later; else null. */
export const latestRunSince = (userId: string, since: Date): RawBuilder<Date | null> =>
  sql`(select max(r.scheduled_for) from runs r where r.user_id = ${sql.ref(userId)} and r.scheduled_for >= ${since})`;
