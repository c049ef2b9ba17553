import { type Db, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { isEligible } from '#app/domain/publishing/eligibility/eligibility.ts';
import { ABANDONED_AFTER_MS } from '#app/domain/publishing/eligibility/timings.ts';
import {
  CONFIRM_AFTER_MS,
  CONFIRM_BEFORE_MS,
  isBeingConfirmed,
} from '#app/domain/publishing/outcome/confirm.ts';
import { holdForOwner } from '#app/domain/publishing/outcome/settle.ts';
import { settleSpooled } from '#app/domain/publishing/outcome/spool.ts';
import { hasWatched } from '#app/domain/publishing/safety/clock-jump.ts';
import { checkClock } from '#app/domain/publishing/safety/clock-skew.ts';
import { isClockSound } from '#app/domain/publishing/safety/ready.ts';
import { closeAttempt } from '#app/domain/publishing/send/attempt.ts';
import { lockPost } from '#app/domain/publishing/state/post-state.ts';
import { hasOpenResend, isDoubted } from './predicates.ts';

/**
 * Runs every minute: attempts of dead processes become unknown, unknown attempts are confirmed within LinkedIn's
 * duplicate window, and handed to the user after it.
 */
export async function sweepAttempts(db: Db, now = new Date()): Promise<void> {
  await forEachSettled([settleSpooled, checkClock, sweepOverdueAttempts], (part) => part(db, now));
}

/** With a wrong clock a call in progress would seem to be abandoned. */
async function sweepOverdueAttempts(db: Db, now: Date): Promise<void> {
  if (!(await isClockSound(db))) return;
  await forEachSettled([markAbandoned, confirmOrHoldUnknown], (part) => part(db, now));
}

async function confirmOrHoldUnknown(db: Db, now: Date): Promise<void> {
  const unknown = await db
    .selectFrom('publishAttempts')
    .select(['id', 'postId', 'startedAt', 'imageUrn', isDoubted('startedAt').as('isDoubted')])
    .where('state', '=', 'unknown')
    .where('resolvedAt', 'is', null)
    .where(({ not }) => not(hasOpenResend('publishAttempts.id')))
    .where('startedAt', '<', new Date(now.getTime() - CONFIRM_AFTER_MS))
    .execute();
  const windowStart = now.getTime() - CONFIRM_BEFORE_MS;
  const isConfirmable = (row: (typeof unknown)[number]) =>
    row.imageUrn === null && !row.isDoubted && row.startedAt.getTime() > windowStart;
  const payloads = unknown.filter(isConfirmable).map(({ id }) => ({ attemptId: id }));
  await enqueueAll(db, jobs.confirmAttempt, payloads);
  const unconfirmable = unknown.filter((row) => !isConfirmable(row));
  await forEachSettled(unconfirmable, ({ id, postId }) =>
    transact(db, async (trx) => {
      await lockPost(trx, postId);
      if (!(await isBeingConfirmed(trx, id))) await holdForOwner(trx, id, postId, now);
    }),
  );
}

/**
 * Marks attempts that are open for more than a minute as unknown: their process is dead. A process that has not run for a
 * minute cannot judge that.
 */
async function markAbandoned(db: Db, now: Date): Promise<void> {
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

const HELD_TOO_LONG_MS = 2 * 60_000;
const BATCH = 500;

/** Releases posts that are held although they are eligible, because the job for that was lost or ran too early. */
export async function releaseHeldEligible(db: Db, now = new Date()): Promise<void> {
  const users = await db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select('postSchedules.userId')
    .distinct()
    .where('postSchedules.heldAt', '<', new Date(now.getTime() - HELD_TOO_LONG_MS))
    .where(isEligible(now))
    .limit(BATCH)
    .execute();
  await enqueueAll(db, jobs.refitQueue, users);
}
