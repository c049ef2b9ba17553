import { type RawBuilder, sql } from 'kysely';

/* `userId` is the name of a column with the id of a user. */

export const timeZoneOf = (userId: string): RawBuilder<string> =>
  sql`(select u.time_zone from users u where u.id = ${sql.ref(userId)})`;

export const isLeaving = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from account_deletions l where l.user_id = ${sql.ref(userId)})`;

export const isDisabled = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from disabled_accounts d where d.user_id = ${sql.ref(userId)})`;

/** Automation does nothing for the account: it is being deleted or is disabled. */
export const isInactive = (userId: string): RawBuilder<boolean> =>
  sql`(${isLeaving(userId)} or ${isDisabled(userId)})`;

/** When the account will be deleted, or null. */
export const eraseAt = (userId: string): RawBuilder<Date | null> =>
  sql`(select l.erase_at from account_deletions l where l.user_id = ${sql.ref(userId)})`;

export const allowsLanding = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from users u where u.id = ${sql.ref(userId)} and u.shows_posts_since is not null)`;

/** At most `most` users who allow a post on the start page, in the order of ids from `from`, wrapping around. */
export const landingUsers = (from: string, most: number): RawBuilder<unknown> =>
  sql`((select id from users where shows_posts_since is not null and id >= ${from} order by id limit ${most})
    union all
    (select id from users where shows_posts_since is not null and id < ${from} order by id limit ${most})
    limit ${most})`;
