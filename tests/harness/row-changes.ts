import type pg from 'pg';

/** Counts what is asked for, and nothing of what there is. */
const COUNTS = 'public.rate_limits';

/** Every row of every table of ours and of the queue, as text behind the name of its table. */
export async function everyRow(pool: pg.Pool): Promise<Set<string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`,
  );
  const all = new Set<string>();
  for (const { name } of tables.filter((table) => table.name !== COUNTS)) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    for (const { text } of rows) all.add(`${name} ${text}`);
  }
  return all;
}

/** The rows that are gone, new or others since then. */
export async function changesSince(before: Set<string>, pool: pg.Pool): Promise<string[]> {
  return [...before.symmetricDifference(await everyRow(pool))];
}
