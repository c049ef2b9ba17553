import { type RawBuilder, sql } from 'kysely';

export const isAutomationOn = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from automation_settings s where s.user_id = ${sql.ref(userId)} and s.is_enabled)`;

/** The user in the column `userId` has switched automation off. False for a user without settings. */
export const isAutomationOff = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from automation_settings s where s.user_id = ${sql.ref(userId)} and not s.is_enabled)`;

/** The user in the column `userId` approves each post, unless its topic has another setting. */
export const asksFirst = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from automation_settings s where s.user_id = ${sql.ref(userId)} and s.requires_approval)`;
