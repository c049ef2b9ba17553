import type { Db } from '#app/db/client.ts';
import { clockOffset } from '#app/db/clock.ts';

let ahead = 0;

/** Measures how far the clock of this process is from the database's. A program does so when it starts, and now and then. */
export async function syncClock(db: Db): Promise<void> {
  ahead = await clockOffset(db);
}

/**
 * The present by the database's clock, as far as this process has learnt it. What lives for minutes and is written by one
 * process and read by another (codes, sessions, proofs) goes by it: one with a wrong clock would make codes that are over,
 * or never are. It costs no question.
 */
export const databaseNow = (): Date => new Date(Date.now() - ahead);
