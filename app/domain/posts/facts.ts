import { type RawBuilder, sql } from 'kysely';

/** How many posts the run in the column `runId` has brought. */
export const countOfRun = (runId: string): RawBuilder<number> =>
  sql`(select count(*)::int from posts p where p.run_id = ${sql.ref(runId)})`;
