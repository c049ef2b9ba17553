import { afterEach } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/** Publishing goes on for everybody when a test is over that stopped it, also when the test has failed. */
export function goOnAfterEach(database: () => Db): void {
  afterEach(async () => {
    const db = database();
    await db
      .updateTable('publishingPause')
      .set({ pausedUntil: null, reason: null, stoppedAt: null, stoppedUntil: null, stopReason: null })
      .execute();
    await db
      .updateTable('publishingEpoch')
      .set({ server: sql`publishing_server()`, beatAt: sql`clock_timestamp()` })
      .execute();
  });
}
