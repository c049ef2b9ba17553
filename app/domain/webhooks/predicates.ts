import { type RawBuilder, sql } from 'kysely';
import { isInactive, timeZoneOf } from '#app/domain/accounts/predicates.ts';

/** An enabled endpoint of the user in the column `userId` subscribes to these events. */
export const hasSubscriber = (userId: string, type: string): RawBuilder<boolean> =>
  sql`exists (select from webhook_endpoints w where w.user_id = ${sql.ref(userId)}
    and w.disabled_at is null and ${type} = any(w.events) and not ${isInactive('w.user_id')})`;

export const zoneIfSubscribed = (userId: string, type: string): RawBuilder<string | null> =>
  sql`case when ${hasSubscriber(userId, type)} then ${timeZoneOf(userId)} end`;
