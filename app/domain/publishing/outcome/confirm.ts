import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock, type Instant } from '#app/db/clock.ts';
import { isMember } from '#app/domain/linkedin/predicates.ts';
import {
  type DatabaseIdentity,
  hasOpenResend,
  isClockRight,
  isDoubted,
  isPublishingPaused,
  isSameDatabase,
} from '#app/domain/publishing/predicates.ts';
import { hasWatched, isNotSetAhead } from '#app/domain/publishing/safety/clock-jump.ts';
import { COLUMNS, nextAttempt, type Publication, type Sent } from '#app/domain/publishing/send/attempt.ts';
import { lockQueued, queued } from '#app/domain/publishing/send/claim.ts';
import { lockOwnerAndSwitch } from '#app/domain/publishing/send/locks.ts';
import { isEligible } from '#app/domain/queue/eligibility.ts';

/** LinkedIn documents that it refuses the same text for 10 minutes; the resend stays well inside. */
export const CONFIRM_AFTER_MS = 30_000;
export const CONFIRM_BEFORE_MS = 9 * 60_000;

/** An unknown attempt that may be confirmed. */
type Unknown = { id: string; userId: string; postId: string };

const WRITTEN = [
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
 * Writes the one resend that may confirm an unknown attempt: the same text to the letter, no picture,
 * inside the window. A resend can be what publishes the post, so it goes only where the post itself might.
 * Undefined when it is not to be done (any more), or another worker does it; and who has not seen a minute pass cannot
 * tell how old the attempt is, and leaves it to the next sweep.
 */
export async function beginConfirmation(
  db: Db,
  { id, userId, postId }: Unknown,
  known: DatabaseIdentity,
  now: Instant = databaseClock,
): Promise<Publication | undefined> {
  if (!hasWatched(db)) return undefined;
  return transact(db, async (trx) => {
    await lockOwnerAndSwitch(trx, userId);
    if (!(await lockQueued(trx, postId))) return undefined;
    return trx
      .insertInto('publishAttempts')
      .columns(WRITTEN)
      .expression(
        queued(trx)
          .innerJoin('publishAttempts', 'publishAttempts.postId', 'posts.id')
          .select([
            'publishAttempts.postId',
            'publishAttempts.userId',
            'publishAttempts.authorUrn',
            'publishAttempts.body',
            'publishAttempts.visibility',
            'publishAttempts.leaseToken',
            nextAttempt(sql.ref('posts.id')).as('attempt'),
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
          .where(isSameDatabase(known))
          .where(isNotSetAhead(db))
          .where(isClockRight()),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(COLUMNS)
      .executeTakeFirst();
  });
}

/** What a resend repeats, in case that its row was lost: as old as it can be, so that nothing resends it again. */
export const repeatedBy = (resend: Sent, id: string): Sent => ({
  ...resend,
  id,
  startedAt: new Date(resend.startedAt.getTime() - CONFIRM_BEFORE_MS),
});

/** Whether a resend of this attempt is under way. Asked under the lock of the post. */
export async function isBeingConfirmed(trx: Trx, publicationId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('publishAttempts')
    .select(hasOpenResend('publishAttempts.id').as('isOpen'))
    .where('id', '=', publicationId)
    .executeTakeFirst();
  return row?.isOpen === true;
}
