import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseTime, offsetOf } from '#app/db/clock.ts';
import { CLOCK_WITHIN_MS } from '#app/domain/publishing/predicates.ts';
import { isWaiting, type Lane, TICK_PRIORITY, type Tick, ticks } from './jobs.ts';

const MINUTE_MS = 60_000;
const PERIOD_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS };

const LATE_AFTER_MS = 5_000;
/** How late a tick may start before it counts as stopped: a deploy takes two minutes. */
const STOPPED_AFTER_MS = 3 * MINUTE_MS;

export function periodOf(timetable: string): keyof typeof PERIOD_MS {
  const [minute, hour] = timetable.split(' ');
  if (minute === '*') return 'minute';
  return hour === '*' ? 'hour' : 'day';
}

/** The last instant at or before `now` at which a timetable is due. */
export function lastDue(timetable: string, now: Date): Date {
  const [minute = 0, hour = 0] = timetable.split(' ').map((part) => (part === '*' ? 0 : Number(part)));
  const first = hour * PERIOD_MS.hour + minute * PERIOD_MS.minute;
  const period = PERIOD_MS[periodOf(timetable)];
  return new Date(first + Math.floor((now.getTime() - first) / period) * period);
}

/** Registers the ticks of a lane that the table does not have yet, so that they are first due after now. */
export async function registerTicks(db: Db, lane: Lane): Promise<void> {
  const names = ticksOf(lane).map(({ name }) => ({ name }));
  if (names.length === 0) return;
  await db
    .insertInto('tickTimes')
    .values(names)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const ticksOf = (lane: Lane) => Object.values(ticks).filter((tick) => tick.lane === lane);

export async function recordTickStart(db: Db, name: string, now: Date): Promise<void> {
  await db
    .insertInto('tickTimes')
    .values({ name, lastAt: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ lastAt: now }))
    .execute();
}

/** When a worker first registered each tick, and when it last started, or null. */
export const listTickTimes = (db: Db) =>
  db.selectFrom('tickTimes').select(['name', 'knownSince', 'lastAt']).execute();

/** Whether a tick has stopped that last started at `last`, or was registered then and has never started. */
export const hasStopped = (timetable: string, last: Date, now: Date): boolean =>
  last < lastDue(timetable, new Date(now.getTime() - STOPPED_AFTER_MS));

/**
 * Adds the ticks of a lane that did not come when they were due, also those due while no worker ran, and returns their
 * names. graphile-worker skips a tick that is not later than the last one it added, so after a worker whose clock was ahead
 * it adds none until that time has come. Adds nothing while the clocks of this process and the database disagree: every tick
 * would look late by a clock that is ahead.
 */
export async function addLateTicks(db: Db, lane: Lane): Promise<string[]> {
  const tickTimes = await listTickTimes(db);
  const before = Date.now();
  const now = await databaseTime(db);
  if (Math.abs(offsetOf(before, now, Date.now())) > CLOCK_WITHIN_MS) return [];
  const times = new Map(tickTimes.map(({ name, knownSince, lastAt }) => [name, lastAt ?? knownSince]));
  const late = ticksOf(lane).filter((tick) => isLate(tick, times.get(tick.name), now));
  const added = [];
  for (const tick of late) if (await addTick(db, tick, now)) added.push(tick.name);
  return added;
}

function isLate({ timetable }: Tick, last: Date | undefined, now: Date): boolean {
  if (!last) return false;
  // The database's clock was ahead when this start was recorded.
  if (last.getTime() > now.getTime() + CLOCK_WITHIN_MS) return true;
  return last < lastDue(timetable, new Date(now.getTime() - LATE_AFTER_MS));
}

/** Adds the tick unless one waits or was locked less than 5 s ago. Two workers may both add it, which is safe. */
async function addTick(db: Db, { name, maxAttempts }: Tick, now: Date): Promise<boolean> {
  const lockedSince = new Date(now.getTime() - LATE_AFTER_MS);
  // The payload marks it for tests, as `_cron` marks those of the queue.
  const { rows } = await sql`select graphile_worker.add_job(${name}, payload => '{"isLate": true}',
      max_attempts => ${maxAttempts}::int, priority => ${TICK_PRIORITY}::int)
    where not exists (select from graphile_worker.jobs j
      where j.task_identifier = ${name} and (${isWaiting(now)} or j.locked_at between ${lockedSince} and ${now}))`.execute(
    db,
  );
  return rows.length > 0;
}
