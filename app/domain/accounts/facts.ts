import { type RawBuilder, sql } from 'kysely';

/** The time zone of the user in the column `userId`. */
export const timeZoneOf = (userId: string): RawBuilder<string> =>
  sql`(select u.time_zone from users u where u.id = ${sql.ref(userId)})`;
