import { type RawBuilder, sql } from 'kysely';
import type { Db } from './client.ts';

/** An instant in a query. */
export type Instant = Date | RawBuilder<Date>;

/**
 * The current time of the database, for instants that one process writes and another compares: the clocks of processes
 * differ, and may be set back.
 */
export const databaseClock: RawBuilder<Date> = sql<Date>`clock_timestamp()`;

/** The instant `ms` milliseconds later, or earlier if negative. */
export const after = (now: Instant, ms: number): RawBuilder<Date> =>
  sql<Date>`(${now}::timestamptz + ${ms} * interval '1 millisecond')`;

export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${databaseClock} as now`.execute(db);
  return rows[0]!.now;
}

/** By how many milliseconds this process's clock is certainly ahead of the database's. Negative if it is behind. */
export async function clockOffset(db: Db): Promise<number> {
  const before = Date.now();
  return offsetOf(before, await databaseTime(db), Date.now());
}

/** `before` and `after`: the process's time before and after the query. A time between them may be exact: no offset. */
export function offsetOf(before: number, databaseTime: Date, after: number): number {
  const time = databaseTime.getTime();
  if (time > after) return after - time;
  return time < before ? before - time : 0;
}
