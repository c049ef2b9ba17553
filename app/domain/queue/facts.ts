import { type RawBuilder, sql } from 'kysely';

/** The post in the column `postId` failed, and LinkedIn has not left it open whether it is there. */
export const hasFailed = (postId: string): RawBuilder<boolean> =>
  sql`exists (select from deliveries f where f.post_id = ${sql.ref(postId)}
    and f.status = 'failed' and not f.is_unconfirmed)`;
