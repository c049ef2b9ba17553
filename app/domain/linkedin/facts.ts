import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#app/db/clock.ts';

/**
 * LinkedIn lets us post for the user in the column `userId`, as far as we know: its permission is alive, and
 * has not run out or can be renewed.
 */
export const isConnected = (userId: string, now: Instant): RawBuilder<boolean> =>
  sql`exists (select from linkedin_connections c where c.user_id = ${sql.ref(userId)} and c.status = 'alive'
    and (c.expires_at > ${now} or c.refresh_token_sealed is not null))`;
