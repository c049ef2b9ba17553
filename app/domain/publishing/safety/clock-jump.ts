import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseClock, databaseTime } from '#app/db/clock.ts';
import { ABANDONED_AFTER_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { CLOCK_WITHIN_MS } from '#app/domain/publishing/predicates.ts';

/** One moment by the database's clock and by the monotonic clock of this process. */
type ClockReading = { databaseMs: number; monotonicMs: number };

/** By database: the latest reading that is old, and those after it. */
const readingsOf = new WeakMap<Db, ClockReading[]>();

const isOld = ({ monotonicMs }: ClockReading) => performance.now() - monotonicMs >= ABANDONED_AFTER_MS;

/** Reads the database's clock. A process that judges the age of attempts records it from its start on. */
export async function recordClock(db: Db): Promise<void> {
  const readings = readingsOf.get(db) ?? [];
  readingsOf.set(db, readings);
  const databaseMs = (await databaseTime(db)).getTime();
  readings.push({ databaseMs, monotonicMs: performance.now() });
  readings.splice(0, Math.max(readings.findLastIndex(isOld), 0));
}

/** This process has recorded the clock for longer than a call can take, or, unlike a worker, does not record it. */
export function hasWatched(db: Db): boolean {
  const readings = readingsOf.get(db);
  return readings === undefined || readings.some(isOld);
}

/**
 * The database's clock was not set ahead since this process recorded it. If it was, earlier attempts seem to be older than
 * they are.
 */
export function isNotSetAhead(db: Db): RawBuilder<boolean> {
  const latest = latestPossible(db);
  return latest ? sql`(${databaseClock} <= ${latest}::timestamptz)` : sql`true`;
}

/** Like `isNotSetAhead`, for a time that was just read: a slow query does not count as a jump. */
export function isReadingNotAhead(db: Db, databaseNow: Date): boolean {
  const latest = latestPossible(db);
  return !latest || databaseNow <= latest;
}

/** Returns the latest time that the database's clock can show now, or undefined when it was not recorded. */
function latestPossible(db: Db): Date | undefined {
  const readings = readingsOf.get(db);
  const reading = readings?.findLast(isOld) ?? readings?.[0];
  return reading && new Date(reading.databaseMs + performance.now() - reading.monotonicMs + CLOCK_WITHIN_MS);
}
