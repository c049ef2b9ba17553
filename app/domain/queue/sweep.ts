import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { isEligible } from './eligibility.ts';

const FORGOTTEN_MS = 2 * 60_000;
const BATCH = 500;

/** Releases posts that are held although they may go: the job that was to do it is lost or came too early. */
export async function releaseForgotten(db: Db, now = new Date()): Promise<void> {
  const users = await db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select('postSchedules.userId')
    .distinct()
    .where('postSchedules.heldAt', '<', new Date(now.getTime() - FORGOTTEN_MS))
    .where(isEligible(now))
    .limit(BATCH)
    .execute();
  await enqueueAll(db, jobs.refitQueue, users);
}
