import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { figure, kilobytes } from './figures.ts';

export async function endOfWal(db: Db): Promise<string> {
  const { rows } = await sql<{ end: string }>`select pg_current_wal_flush_lsn() as end`.execute(db);
  return rows[0]!.end;
}

/** Prints the WAL since the position `since`, divided by `count`: records, and full page images after a checkpoint. */
export async function printWal(
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
  const [all, ownRecords, fullPages] = [records + pages, records, pages].map((bytes) =>
    kilobytes(bytes / count),
  );
  figure(name, all!, `${beside}; ${ownRecords} say what changed, ${fullPages} are pages written whole`);
}
