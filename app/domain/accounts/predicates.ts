import { type RawBuilder, sql } from 'kysely';

/** The time zone of the user in the column `userId`. */
export const timeZoneOf = (userId: string): RawBuilder<string> =>
  sql`(select u.time_zone from users u where u.id = ${sql.ref(userId)})`;

/** The user in the column `userId` has asked for their account to be deleted. */
export const isLeaving = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from account_deletions l where l.user_id = ${sql.ref(userId)})`;

/** An admin has stopped the account of the user in the column `userId`. */
export const isDisabled = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from disabled_accounts d where d.user_id = ${sql.ref(userId)})`;

/** The account of the user in the column `userId` does nothing by itself: it is being deleted, or was stopped. */
export const isInactive = (userId: string): RawBuilder<boolean> =>
  sql`(${isLeaving(userId)} or ${isDisabled(userId)})`;

/** When the account of the user in the column `userId` is deleted; null when it is not. */
export const eraseAt = (userId: string): RawBuilder<Date | null> =>
  sql`(select l.erase_at from account_deletions l where l.user_id = ${sql.ref(userId)})`;

/** The user in the column `userId` lets the start page show a post of theirs. */
export const allowsLanding = (userId: string): RawBuilder<boolean> =>
  sql`exists (select from users u where u.id = ${sql.ref(userId)} and u.shows_posts_since is not null)`;

/**
 * The ids of users who let the start page show a post of theirs: at most so many, from a place among all ids on and round
 * from the first one.
 */
export const landingUsers = (from: string, most: number): RawBuilder<unknown> =>
  sql`((select id from users where shows_posts_since is not null and id >= ${from} order by id limit ${most})
    union all
    (select id from users where shows_posts_since is not null and id < ${from} order by id limit ${most})
    limit ${most})`;
