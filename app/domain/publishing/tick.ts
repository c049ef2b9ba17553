import type { Db } from '#app/db/client.ts';
import { beatEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { enqueueDuePosts } from '#app/domain/queue/enqueue-due.ts';

/** Each minute: what is due goes to the workers, when this is the database that we know. */
export async function tickPublishing(db: Db, now: Date): Promise<void> {
  if (await beatEpoch(db)) await enqueueDuePosts(db, now);
}
