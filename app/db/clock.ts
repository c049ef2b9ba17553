import { type RawBuilder, sql } from 'kysely';
import type { Db } from './client.ts';

/** An instant in a query: one that is given, or the database's own `now`. */
export type Instant = Date | RawBuilder<Date>;

/**
 * The database's clock at the moment a statement asks it. What one process writes and another compares
 * with goes by this clock: those of the processes may differ, and may be set back.
 */
export const databaseClock: RawBuilder<Date> = sql<Date>`clock_timestamp()`;

/** The instant so many milliseconds after another, or before it. */
export const after = (now: Instant, ms: number): RawBuilder<Date> =>
  sql<Date>`(${now}::timestamptz + ${ms} * interval '1 millisecond')`;

/** The time by the database's clock. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${databaseClock} as now`.execute(db);
  return rows[0]!.now;
}

/** How far the clock of this process is ahead of the database's, in milliseconds, as far as can be known. */
export async function clockOffset(db: Db): Promise<number> {
  const before = Date.now();
  return offsetOf(before, await databaseTime(db), Date.now());
}

/** As `clockOffset`, of an answer that was asked for between two moments: only what lies outside is certain. */
export function offsetOf(before: number, answer: Date, after: number): number {
  const there = answer.getTime();
  if (there > after) return after - there;
  return there < before ? before - there : 0;
}
