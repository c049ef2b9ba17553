import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseClock, databaseTime } from '#app/db/clock.ts';
import { ABANDONED_AFTER_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { CLOCK_WITHIN_MS } from '#app/domain/publishing/predicates.ts';

/** One moment by the database's clock and by the steady one of this process, which nobody sets. */
type Look = { there: number; here: number };

/** What this process has seen of a database's clock: the latest look that is old enough, and those after it. */
const looksAt = new WeakMap<Db, Look[]>();

const isOld = ({ here }: Look) => performance.now() - here >= ABANDONED_AFTER_MS;

/** Looks what the database's clock says. Whoever judges how long a call has been under way looks from its start on. */
export async function watchSteps(db: Db): Promise<void> {
  const looks = looksAt.get(db) ?? [];
  looksAt.set(db, looks);
  const there = (await databaseTime(db)).getTime();
  looks.push({ there, here: performance.now() });
  looks.splice(0, Math.max(looks.findLastIndex(isOld), 0));
}

/** This process has watched for longer than a call can be under way; or not at all, as no worker of ours does. */
export function hasWatched(db: Db): boolean {
  const looks = looksAt.get(db);
  return looks === undefined || looks.some(isOld);
}

/**
 * The database's clock was not set ahead while this process watched, for longer than a call can be under way. Where it
 * was, what began before seems to be older than it is.
 */
export function isNotSetAhead(db: Db): RawBuilder<boolean> {
  const latest = latestNow(db);
  return latest ? sql`(${databaseClock} <= ${latest}::timestamptz)` : sql`true`;
}

/** As `isNotSetAhead`, of what the clock has just answered: what the question waited for is no step. */
export function wasNotSetAhead(db: Db, answered: Date): boolean {
  const latest = latestNow(db);
  return !latest || answered <= latest;
}

/** The latest that the database's clock may say now, or undefined for who has not watched it. */
function latestNow(db: Db): Date | undefined {
  const looks = looksAt.get(db);
  const look = looks?.findLast(isOld) ?? looks?.[0];
  return look && new Date(look.there + performance.now() - look.here + CLOCK_WITHIN_MS);
}
