import { type Db, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import {
  CONFIRM_AFTER_MS,
  CONFIRM_BEFORE_MS,
  isBeingConfirmed,
} from '#app/domain/publishing/outcome/confirm.ts';
import { closeAttempt, holdForOwner } from '#app/domain/publishing/outcome/outcome.ts';
import { settleAnswers } from '#app/domain/publishing/outcome/spool.ts';
import { hasWatched } from '#app/domain/publishing/safety/clock-jump.ts';
import { checkClock } from '#app/domain/publishing/safety/clock-skew.ts';
import { isClockSound } from '#app/domain/publishing/safety/ready.ts';
import { lockPost } from '#app/domain/queue/post-state.ts';
import { ABANDONED_AFTER_MS } from '#app/domain/queue/timings.ts';
import { hasOpenResend, isDoubted } from './predicates.ts';

/**
 * Our own reaper, every minute: attempts whose process died become unknown, unknown ones are confirmed
 * while the window lasts and handed to the user after it. Nothing here waits for the queue's locks.
 */
export async function sweepPublications(db: Db, now = new Date()): Promise<void> {
  await forEachSettled([settleAnswers, checkClock, judgeDelays], (part) => part(db, now));
}

/** By a clock that is wrong nobody is told that a call was given up which is under way. */
async function judgeDelays(db: Db, now: Date): Promise<void> {
  if (!(await isClockSound(db))) return;
  await forEachSettled([reapAttempts, followUnknown], (part) => part(db, now));
}

async function followUnknown(db: Db, now: Date): Promise<void> {
  const unknown = await db
    .selectFrom('publishAttempts')
    .select(['id', 'postId', 'startedAt', 'imageUrn', isDoubted('startedAt').as('isDoubted')])
    .where('state', '=', 'unknown')
    .where('resolvedAt', 'is', null)
    .where(({ not }) => not(hasOpenResend('publishAttempts.id')))
    .where('startedAt', '<', new Date(now.getTime() - CONFIRM_AFTER_MS))
    .execute();
  const lastChance = now.getTime() - CONFIRM_BEFORE_MS;
  const isConfirmable = (row: (typeof unknown)[number]) =>
    row.imageUrn === null && !row.isDoubted && row.startedAt.getTime() > lastChance;
  await enqueueAll(
    db,
    jobs.confirmPublication,
    unknown.filter(isConfirmable).map(({ id }) => ({ publicationId: id })),
  );
  const undecided = unknown.filter((row) => !isConfirmable(row));
  await forEachSettled(undecided, ({ id, postId }) =>
    transact(db, async (trx) => {
      await lockPost(trx, postId);
      if (!(await isBeingConfirmed(trx, id))) await holdForOwner(trx, id, postId, now);
    }),
  );
}

/**
 * Attempts that nobody settled within a minute: the process that made them is gone. Who has not seen a minute pass
 * cannot tell.
 */
async function reapAttempts(db: Db, now: Date): Promise<void> {
  if (!hasWatched(db)) return;
  const stale = await db
    .selectFrom('publishAttempts')
    .select(['id', 'postId', 'confirmsId', 'imageUrn'])
    .where('state', '=', 'sending')
    .where('resolvedAt', 'is', null)
    .where('startedAt', '<', new Date(now.getTime() - ABANDONED_AFTER_MS))
    .execute();
  await forEachSettled(stale, ({ id, postId, confirmsId, imageUrn }) =>
    transact(db, async (trx) => {
      await lockPost(trx, postId);
      const explanation =
        'We were interrupted before LinkedIn answered. We find out whether it took the post';
      const isOpen = confirmsId === null;
      if (!(await closeAttempt(trx, id, { state: 'unknown', explanation, isOpen }, now))) return;
      if (confirmsId) await holdForOwner(trx, confirmsId, postId, now);
      else if (imageUrn) await holdForOwner(trx, id, postId, now);
    }),
  );
}
