import { type RawBuilder, sql } from 'kysely';

/** A mail with this dedupe key is written already. `key` is an SQL text. */
export const isMailWritten = (key: RawBuilder<string>): RawBuilder<boolean> =>
  sql`exists (select from mails m where m.dedupe_key = ${key})`;
