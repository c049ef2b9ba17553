import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { clockOffset, databaseClock, databaseTime } from '#app/db/clock.ts';
import { clearFaults, clearFaultsUnseen, reportFault } from '#app/domain/platform/operator-alerts.ts';
import {
  CLOCK_WITHIN_MS,
  clockSetBackMs,
  clocksAgree,
  isClockSetBack,
} from '#app/domain/publishing/predicates.ts';

/** A machine that has not reported its clock for this long no longer runs, or its clock is right. */
const GONE_AFTER_MS = 3_600_000;

/** Reports to the operator when the clock of this machine is so wrong that it sends nothing, and clears that again. */
export async function checkClock(db: Db): Promise<void> {
  const key = `clock-${hostname()}`;
  const offset = await clockOffset(db);
  const isRight = Math.abs(offset) <= CLOCK_WITHIN_MS;
  await clearFaultsUnseen(db, 'clock-', GONE_AFTER_MS);
  await rememberTime(db);
  await checkSetBack(db);
  if (isRight) return clearFaults(db, key);
  const seconds = (Math.abs(offset) / 1_000).toFixed(1);
  const where = offset > 0 ? 'ahead of' : 'behind';
  const message = `The clock of ${hostname()} is ${seconds} s ${where} the database's. That machine publishes nothing until it is set right.`;
  await reportFault(db, key, message, await databaseTime(db));
}

export const CLOCK_SET_BACK_FAULT = 'clock-set-back';

/**
 * Stores the latest time of the database. The tick does so too, but alone it would miss a clock that is set back by less
 * than a minute. A jump of the database's clock alone is not stored.
 */
const rememberTime = (db: Db) =>
  db
    .connection()
    .execute((connected) =>
      connected
        .updateTable('publishingEpoch')
        .set({ beatAt: databaseClock })
        .where('beatAt', '<', databaseClock)
        .where(clocksAgree())
        .execute(),
    );

async function checkSetBack(db: Db): Promise<void> {
  const { ms, now } = await db
    .selectNoFrom([clockSetBackMs.as('ms'), databaseClock.as('now')])
    .executeTakeFirstOrThrow();
  if (ms <= CLOCK_WITHIN_MS) return clearFaults(db, CLOCK_SET_BACK_FAULT);
  await doubtAttempts(db);
  const seconds = (ms / 1_000).toFixed(1);
  const message = `The clock of the database has been set back by ${seconds} s. Nothing is published until it has caught up. If it was ahead before, npm run resume-publishing releases publishing at once.`;
  await reportFault(db, CLOCK_SET_BACK_FAULT, message, now);
}

/**
 * The age of attempts from before the clock was set back stays unknown, also after the clock has caught up. No attempt is
 * written while it is behind, so all open attempts are from before.
 */
async function doubtAttempts(db: Db): Promise<void> {
  const lastStart = sql`(select max(started_at) from publish_attempts where resolved_at is null)`;
  await db
    .updateTable('publishingEpoch')
    .set({ doubtedUntil: sql`greatest(doubted_until, beat_at, ${lastStart})` })
    .where(isClockSetBack)
    .execute();
}
