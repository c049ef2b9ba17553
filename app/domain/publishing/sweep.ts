import { type Db, transact } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { CONFIRM_AFTER_MS, CONFIRM_BEFORE_MS } from './confirm-window.ts';
import { hold, reapAttempts } from './settle.ts';

/** Longer than a call can take (15 s to begin, 30 s to end), so a living process has always settled. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * Our own reaper, every minute: attempts whose process died become unknown, unknown ones are confirmed
 * while the window lasts and handed to the user after it. Nothing here waits for the queue's locks.
 */
export async function sweepPublications(db: Db, now = new Date()): Promise<void> {
  await reapAttempts(db, new Date(now.getTime() - ABANDONED_AFTER_MS), now);
  const unknown = await db
    .selectFrom('publications')
    .select(['id', 'postId', 'startedAt', 'imageUrn'])
    .where('state', '=', 'unknown')
    .where('resolvedAt', 'is', null)
    .where('startedAt', '<', new Date(now.getTime() - CONFIRM_AFTER_MS))
    .execute();
  const lastChance = now.getTime() - CONFIRM_BEFORE_MS;
  const isConfirmable = (row: (typeof unknown)[number]) =>
    row.imageUrn === null && row.startedAt.getTime() > lastChance;
  await enqueueAll(
    db,
    jobs.confirmPublication,
    unknown.filter(isConfirmable).map(({ id }) => ({ publicationId: id })),
  );
  for (const { id, postId } of unknown.filter((row) => !isConfirmable(row))) {
    await transact(db, async (trx) => {
      await trx.selectFrom('posts').select('id').where('id', '=', postId).forUpdate().execute();
      await hold(trx, id, postId, now);
    });
  }
}
