import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { CONFIRM_AFTER_MS, CONFIRM_BEFORE_MS } from './confirm-window.ts';
import { close, hold } from './outcome.ts';

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

/** Attempts that nobody settled within a minute: the process that made them is gone. */
async function reapAttempts(db: Db, before: Date, now: Date): Promise<void> {
  const stale = await db
    .selectFrom('publications')
    .select(['id', 'postId', 'confirmsId', 'imageUrn'])
    .where('state', '=', 'sending')
    .where('resolvedAt', 'is', null)
    .where('startedAt', '<', before)
    .execute();
  for (const { id, postId, confirmsId, imageUrn } of stale) {
    await transact(db, async (trx) => {
      await sql`select from posts where id = ${postId}::uuid for update`.execute(trx);
      const explanation =
        'We were interrupted before LinkedIn answered. We find out whether it took the post';
      const isOpen = confirmsId === null;
      if (!(await close(trx, id, { state: 'unknown', explanation, isOpen }, now))) return;
      if (confirmsId) await hold(trx, confirmsId, postId, now);
      else if (imageUrn) await hold(trx, id, postId, now);
    });
  }
}
