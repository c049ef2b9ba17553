import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { clockOffset, databaseClock, databaseTime } from '#app/db/clock.ts';
import { clearFaults, clearFaultsUnseen, reportFault } from '#app/domain/platform/operator-alerts.ts';
import {
  CLOCK_WITHIN_MS,
  clocksAgree,
  clockWentBack,
  hasClockGoneBack,
} from '#app/domain/publishing/predicates.ts';

/** A machine that has said nothing for so long is gone, or right. */
const GONE_AFTER_MS = 3_600_000;

/** Tells the operator when the clock of this machine is so wrong that it sends nothing, and when it is right again. */
export async function checkClock(db: Db): Promise<void> {
  const key = `clock-${hostname()}`;
  const offset = await clockOffset(db);
  const isRight = Math.abs(offset) <= CLOCK_WITHIN_MS;
  await clearFaultsUnseen(db, 'clock-', GONE_AFTER_MS);
  await rememberTime(db);
  await checkGoneBack(db);
  if (isRight) return clearFaults(db, key);
  const seconds = (Math.abs(offset) / 1_000).toFixed(1);
  const where = offset > 0 ? 'ahead of' : 'behind';
  const message = `The clock of ${hostname()} is ${seconds} s ${where} the database's. That machine publishes nothing until it is set right.`;
  await reportFault(db, key, message, await databaseTime(db));
}

/** The fault of a database whose clock has been set back. */
export const GONE_BACK = 'clock-set-back';

/**
 * Not by the tick alone: what is set back by less than the time since it would be missed. A jump of the database's
 * clock alone is not remembered.
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

async function checkGoneBack(db: Db): Promise<void> {
  const { ms, now } = await db
    .selectNoFrom([clockWentBack.as('ms'), databaseClock.as('now')])
    .executeTakeFirstOrThrow();
  if (ms <= CLOCK_WITHIN_MS) return clearFaults(db, GONE_BACK);
  await doubtAttempts(db);
  const seconds = (ms / 1_000).toFixed(1);
  const message = `The clock of the database has been set back by ${seconds} s. Nothing is published until it has caught up. If it was ahead before, npm run resume-publishing releases publishing at once.`;
  await reportFault(db, GONE_BACK, message, now);
}

/**
 * The age of what was under way before the clock was set back is never known by it again, also when it has caught
 * up. Nothing new is written while it is behind, so all that is open was written before.
 */
async function doubtAttempts(db: Db): Promise<void> {
  const begun = sql`(select max(started_at) from publish_attempts where resolved_at is null)`;
  await db
    .updateTable('publishingEpoch')
    .set({ doubtedUntil: sql`greatest(doubted_until, beat_at, ${begun})` })
    .where(hasClockGoneBack)
    .execute();
}
