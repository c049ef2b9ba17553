import type { Db } from '#app/db/client.ts';
import { clockOffset } from '#app/db/clock.ts';

let offset = 0;

/** Measures the difference of the clocks. Every process calls it at its start and from time to time. */
export async function syncClock(db: Db): Promise<void> {
  offset = await clockOffset(db);
}

/** The database's time, without a query: a wrong clock would expire codes and sessions too early or never. */
export const databaseNow = (): Date => new Date(Date.now() - offset);
