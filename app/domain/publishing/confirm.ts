import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockPost } from '#app/domain/posts/rows.ts';
import { mayGo } from '#app/domain/queue/may-go.ts';
import { COLUMNS, nextAttempt, type Publication } from './attempt.ts';
import { isPublishingPaused } from './facts.ts';

/** LinkedIn documents that it refuses the same text for 10 minutes; the resend stays well inside. */
export const CONFIRM_AFTER_MS = 30_000;
export const CONFIRM_BEFORE_MS = 9 * 60_000;

/** A resend can be what publishes the post, so it goes only where the post itself might. */
async function isAllowed(trx: Trx, postId: string, now: Date): Promise<boolean> {
  const row = await trx
    .selectFrom('posts')
    .innerJoin('deliveries', 'deliveries.postId', 'posts.id')
    .select(isPublishingPaused(now).as('isPaused'))
    .where('posts.id', '=', postId)
    .where(mayGo(now))
    .executeTakeFirst();
  return row?.isPaused === false;
}

/** An unknown attempt under lock, when the one resend that may settle it is to be done now. */
async function lockUnknown(trx: Trx, publicationId: string, now: Date) {
  const at = (ms: number) => new Date(now.getTime() - ms);
  const found = await trx
    .selectFrom('publications')
    .select('postId')
    .where('id', '=', publicationId)
    .executeTakeFirst();
  if (!found || !(await lockPost(trx, found.postId))) return undefined;
  return trx
    .selectFrom('publications')
    .select([...COLUMNS, 'leaseToken'])
    .where('id', '=', publicationId)
    .where('state', '=', 'unknown')
    .where('resolvedAt', 'is', null)
    .where('imageUrn', 'is', null)
    .where('startedAt', '>=', at(CONFIRM_BEFORE_MS))
    .where('startedAt', '<=', at(CONFIRM_AFTER_MS))
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Writes the one resend that may confirm an unknown attempt: the same text to the letter, no picture,
 * inside the window. Undefined when it is no longer to be done or another worker does it.
 */
export async function beginConfirmation(
  db: Db,
  publicationId: string,
  now: Date,
): Promise<Publication | undefined> {
  return transact(db, async (trx) => {
    const unknown = await lockUnknown(trx, publicationId, now);
    if (!unknown || !(await isAllowed(trx, unknown.postId, now))) return undefined;
    const { postId, userId, authorUrn, body, leaseToken } = unknown;
    return trx
      .insertInto('publications')
      .values({
        ...{ postId, userId, authorUrn, body, leaseToken },
        attempt: nextAttempt(postId),
        confirmsId: unknown.id,
        startedAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(COLUMNS)
      .executeTakeFirst();
  });
}
