import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock, type Instant } from '#app/db/clock.ts';
import { isMember } from '#app/domain/linkedin/predicates.ts';
import { isEligible } from '#app/domain/publishing/eligibility/eligibility.ts';
import {
  type DatabaseIdentity,
  hasOpenResend,
  isClockRight,
  isDoubted,
  isPublishingPaused,
  isSameDatabase,
} from '#app/domain/publishing/predicates.ts';
import { hasWatched, isNotSetAhead } from '#app/domain/publishing/safety/clock-jump.ts';
import {
  ATTEMPT_COLUMNS,
  type Attempt,
  nextAttemptNumber,
  type SentAttempt,
} from '#app/domain/publishing/send/attempt.ts';
import { lockQueuedPost, queuedPosts } from '#app/domain/publishing/send/claim.ts';
import { lockOwnerAndPause } from '#app/domain/publishing/send/locks.ts';

/** LinkedIn documents that it refuses the same text for 10 minutes; a resend stays well within that window. */
export const CONFIRM_AFTER_MS = 30_000;
export const CONFIRM_BEFORE_MS = 9 * 60_000;

type UnknownAttempt = { id: string; userId: string; postId: string };

const RESEND_COLUMNS = [
  'postId',
  'userId',
  'authorUrn',
  'body',
  'visibility',
  'leaseToken',
  'attempt',
  'confirmsId',
  'startedAt',
] as const;

/**
 * Writes the one resend that may confirm an unknown attempt: exactly the same text, without an image, within LinkedIn's
 * duplicate window. A resend can publish the post, so it requires that the post may be sent. Returns undefined when the
 * attempt must not be resent, when another worker resends it, or when this process has not run long enough to know the
 * attempt's age: then the next sweep tries again.
 */
export async function beginConfirmation(
  db: Db,
  { id, userId, postId }: UnknownAttempt,
  identity: DatabaseIdentity,
  now: Instant = databaseClock,
): Promise<Attempt | undefined> {
  if (!hasWatched(db)) return undefined;
  return transact(db, async (trx) => {
    await lockOwnerAndPause(trx, userId);
    if (!(await lockQueuedPost(trx, postId))) return undefined;
    return trx
      .insertInto('publishAttempts')
      .columns(RESEND_COLUMNS)
      .expression(
        queuedPosts(trx)
          .innerJoin('publishAttempts', 'publishAttempts.postId', 'posts.id')
          .select([
            'publishAttempts.postId',
            'publishAttempts.userId',
            'publishAttempts.authorUrn',
            'publishAttempts.body',
            'publishAttempts.visibility',
            'publishAttempts.leaseToken',
            nextAttemptNumber(sql.ref('posts.id')).as('attempt'),
            'publishAttempts.id as confirmsId',
            sql<Date>`${now}::timestamptz`.as('startedAt'),
          ])
          .where('publishAttempts.id', '=', id)
          .where('publishAttempts.state', '=', 'unknown')
          .where('publishAttempts.resolvedAt', 'is', null)
          .where('publishAttempts.imageUrn', 'is', null)
          .where('publishAttempts.startedAt', '>=', after(now, -CONFIRM_BEFORE_MS))
          .where('publishAttempts.startedAt', '<=', after(now, -CONFIRM_AFTER_MS))
          .where(({ not }) => not(isDoubted('publishAttempts.startedAt')))
          .where(({ not }) => not(isPublishingPaused(now)))
          .where(isMember('posts.userId', sql`publish_attempts.author_urn`))
          .where(isEligible(now))
          .where(isSameDatabase(identity))
          .where(isNotSetAhead(db))
          .where(isClockRight()),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(ATTEMPT_COLUMNS)
      .executeTakeFirst();
  });
}

/** Rebuilds the attempt that a resend repeats, in case its row was lost. It is old enough not to be resent again. */
export const originalOfResend = (resend: SentAttempt, id: string): SentAttempt => ({
  ...resend,
  id,
  startedAt: new Date(resend.startedAt.getTime() - CONFIRM_BEFORE_MS),
});

/** Returns whether the attempt has an open resend. The caller holds the lock of the post. */
export async function isBeingConfirmed(trx: Trx, attemptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('publishAttempts')
    .select(hasOpenResend('publishAttempts.id').as('isOpen'))
    .where('id', '=', attemptId)
    .executeTakeFirst();
  return row?.isOpen === true;
}
