import { type RawBuilder, sql } from 'kysely';

/** A run of the user in the column `userId` that was begun after `since` is not over. */
export const hasYoungRun = (userId: string, since: Date): RawBuilder<boolean> =>
  sql`exists (select from runs r where r.user_id = ${sql.ref(userId)} and r.status <> 'complete'
    and r.created_at > ${since})`;
