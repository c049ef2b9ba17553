import { type RawBuilder, sql } from 'kysely';

/** The user in the column `userId` has automation switched on. */
export const isAutomationOn = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from automation_settings s where s.user_id = ${sql.ref(userId)} and s.is_enabled)`;

/** They have switched it off. Who has never chosen has not. */
export const isAutomationOff = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from automation_settings s where s.user_id = ${sql.ref(userId)} and not s.is_enabled)`;

/** The user in the column `userId` wants to approve each post, where a topic says nothing else. */
export const asksFirst = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from automation_settings s where s.user_id = ${sql.ref(userId)} and s.requires_approval)`;
