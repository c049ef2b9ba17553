import { type RawBuilder, sql } from 'kysely';

export const countOfRun = (runId: string): RawBuilder<number> =>
  sql`(select count(*)::int from posts p where p.run_id = ${sql.ref(runId)})`;

/** The slot of a post in the row `posts`, or its last one when it has none, as "date number". */
export const lastSlotOf = (posts: string): RawBuilder<string | null> => {
  const [date, number] = ['date', 'number'].map(
    (name) =>
      sql`coalesce(${sql.ref(`${posts}.slot_${name}`)}, ${sql.ref(`${posts}.previous_slot_${name}`)})`,
  );
  return sql`${date}::text || ' ' || ${number}`;
};

/** The slots for which the run in the column `runId` has written, as "date number". */
export const slotsWrittenBy = (runId: string): RawBuilder<string[]> =>
  sql`array(select ${lastSlotOf('p')} from posts p where p.run_id = ${sql.ref(runId)})`;

/** The first post of the run in the column `runId` that is not deleted, or null. */
export const postOfRun = (runId: string): RawBuilder<string | null> =>
  sql`(select p.id from posts p where p.run_id = ${sql.ref(runId)} and p.deleted_at is null order by p.run_index limit 1)`;
