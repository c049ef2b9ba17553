import { type RawBuilder, sql } from 'kysely';

/** How many posts the run in the column `runId` has brought. */
export const countOfRun = (runId: string): RawBuilder<number> =>
  sql`(select count(*)::int from posts p where p.run_id = ${sql.ref(runId)})`;

/** The slot of a post of the table `posts`, or, where it has none, the one that was taken from it last, as "date number". */
export const lastSlotOf = (posts: string): RawBuilder<string | null> => {
  const [date, number] = ['date', 'number'].map(
    (name) =>
      sql`coalesce(${sql.ref(`${posts}.slot_${name}`)}, ${sql.ref(`${posts}.previous_slot_${name}`)})`,
  );
  return sql`${date}::text || ' ' || ${number}`;
};

/** The slots that the run in the column `runId` has written for, as "date number". */
export const slotsWrittenBy = (runId: string): RawBuilder<string[]> =>
  sql`array(select ${lastSlotOf('p')} from posts p where p.run_id = ${sql.ref(runId)})`;

/** The post that the run in the column `runId` wrote for one place and that is there still; else null. */
export const postOfRun = (runId: string): RawBuilder<string | null> =>
  sql`(select p.id from posts p where p.run_id = ${sql.ref(runId)} and p.deleted_at is null order by p.run_index limit 1)`;
