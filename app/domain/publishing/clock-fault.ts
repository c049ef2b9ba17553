import { hostname } from 'node:os';
import type { Db } from '#app/db/client.ts';
import { clockOffset, databaseTime } from '#app/db/clock.ts';
import { clearFaults, clearFaultsUnseen, reportFault } from '#app/domain/operator-faults.ts';
import { CLOCK_WITHIN_MS } from './facts.ts';

/** A machine that has said nothing for so long is gone, or right. */
const GONE_AFTER_MS = 3_600_000;

/** Tells the operator when the clock of this machine is so wrong that it sends nothing, and when it is right again. */
export async function checkClock(db: Db): Promise<void> {
  const key = `clock-${hostname()}`;
  const offset = await clockOffset(db);
  await clearFaultsUnseen(db, 'clock-', GONE_AFTER_MS);
  if (Math.abs(offset) <= CLOCK_WITHIN_MS) return clearFaults(db, key);
  const seconds = (Math.abs(offset) / 1_000).toFixed(1);
  const where = offset > 0 ? 'ahead of' : 'behind';
  const message = `The clock of ${hostname()} is ${seconds} s ${where} the database's. That machine publishes nothing until it is set right.`;
  await reportFault(db, key, message, await databaseTime(db));
}
