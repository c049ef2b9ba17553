import type { Db } from '#app/db/client.ts';
import { renewsItself } from '#app/domain/linkedin/predicates.ts';

export const listEnding = (db: Db, until: Date, now: Date) =>
  db
    .selectFrom('linkedinConnections')
    .select(['userId', 'expiresAt'])
    .where('status', '=', 'alive')
    .where(({ not }) => not(renewsItself('linkedinConnections')))
    .where('expiresAt', '>', now)
    .where('expiresAt', '<=', until)
    .execute();
