import { type RawBuilder, sql } from 'kysely';
import { after, type Instant } from '#app/db/clock.ts';

/** The connection can be renewed at an instant, as far as LinkedIn has stated. */
const isRenewable = (connection: string, at: Instant | RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${sql.ref(`${connection}.refreshTokenSealed`)} is not null
    and coalesce(${sql.ref(`${connection}.refreshExpiresAt`)} > ${at}, true))`;

/** The connection is valid, and its token has not expired or can be renewed. */
export const givesAccess = (connection: string, now: Instant): RawBuilder<boolean> =>
  sql`(${sql.ref(`${connection}.status`)} = 'alive' and (${sql.ref(`${connection}.expiresAt`)} > ${now}
    or ${isRenewable(connection, now)}))`;

/** The connection is renewed automatically when its token expires. */
export const renewsItself = (connection: string): RawBuilder<boolean> =>
  isRenewable(connection, sql.ref(`${connection}.expiresAt`));

/** We can publish for the user in the column `userId`, as far as we know. */
export const isConnected = (userId: string, now: Instant): RawBuilder<boolean> =>
  sql`exists (select from linkedin_connections c where c.user_id = ${sql.ref(userId)}
    and ${givesAccess('c', now)})`;

/** The user in the column `userId` is connected as the member with this urn. */
export const isMember = (userId: string, urn: RawBuilder<string>): RawBuilder<boolean> =>
  sql`exists (select from linkedin_connections c where c.user_id = ${sql.ref(userId)}
    and 'urn:li:person:' || c.member_id = ${urn})`;

/** A token that expires sooner is renewed before it is used. */
export const RENEW_BEFORE_MS = 5 * 60_000;

/** The token of the user in the column `userId` needs no renewal. */
export const hasUsableToken = (userId: string, now: Instant): RawBuilder<boolean> =>
  sql`exists (select from linkedin_connections c where c.user_id = ${sql.ref(userId)} and c.status = 'alive'
    and c.expires_at > ${after(now, RENEW_BEFORE_MS)})`;

type PostColumns = { userId: string; dueAt: string; createdAt: string; visibility: string };

/** The user has not chosen what happens to posts whose time had passed when LinkedIn was reconnected. */
export const isMissed = ({ userId, dueAt, createdAt, visibility }: PostColumns): RawBuilder<boolean> =>
  sql`(${sql.ref(visibility)} = 'PUBLIC' and exists (select from linkedin_connections c where c.user_id = ${sql.ref(userId)}
    and c.resume_choice is null and c.resumed_at >= ${sql.ref(dueAt)} and c.resumed_at > ${sql.ref(createdAt)}))`;

/** The user in the column `userId` reconnected LinkedIn before an instant. */
export const hasReconnectedBefore = (userId: string, at: Date): RawBuilder<boolean> =>
  sql`exists (select from linkedin_connections c where c.user_id = ${sql.ref(userId)} and c.resumed_at <= ${at})`;
