import { type RawBuilder, sql } from 'kysely';

/** The user in the column `userId` has something to write about. */
export const hasActiveTopic = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from topics t where t.user_id = ${sql.ref(userId)} and t.is_active)`;

/** What the topic in the column `topicId` says about approval: 'approve', 'publish', or null when it says nothing. */
export const approvalOf = (topicId: string): RawBuilder<string | null> =>
  sql`(select nullif(t.approval, 'settings') from topics t where t.id = ${sql.ref(topicId)})`;
