import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { figure, kilobytes } from './figures.ts';

/** Where the log of the server ends. */
export async function endOfWal(db: Db): Promise<string> {
  const { rows } = await sql<{ end: string }>`select pg_current_wal_flush_lsn() as end`.execute(db);
  return rows[0]!.end;
}

/**
 * Tells what was written to the log since then for each of `count`: records of what changed, and the pages that changed
 * first after a checkpoint, written whole.
 */
export async function tellWal(
  db: Db,
  name: string,
  since: string,
  count: number,
  beside: string,
): Promise<void> {
  const { rows } = await sql<{ records: number; pages: number }>`
    select sum(record_size)::int as records, sum(fpi_size)::int as pages
    from pg_get_wal_stats(${since}::pg_lsn, pg_current_wal_flush_lsn())`.execute(db);
  const { records, pages } = rows[0]!;
  const [each, what, whole] = [records + pages, records, pages].map((bytes) => kilobytes(bytes / count));
  figure(name, each!, `${beside}; ${what} say what changed, ${whole} are pages written whole`);
}
