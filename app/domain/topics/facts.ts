import { type RawBuilder, sql } from 'kysely';

/** The user in the column `userId` has something to write about. */
export const hasActiveTopic = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from topics t where t.user_id = ${sql.ref(userId)} and t.is_active)`;
