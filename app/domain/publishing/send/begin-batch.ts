import { type Db, transact } from '#app/db/client.ts';
import { databaseClock, databaseTime } from '#app/db/clock.ts';
import { shareUsers } from '#app/domain/accounts/users.ts';
import { findUsableAccess } from '#app/domain/linkedin/access/for-batch.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import type { DatabaseIdentity } from '#app/domain/publishing/predicates.ts';
import { enqueueSingly } from '#app/domain/queue/schedule.ts';
import { commentaryOf } from '#app/integrations/linkedin/little-text.ts';
import { type AttemptInput, type Publication, writeAttempts } from './attempt.ts';
import { listRefused, lockDueBatch } from './claim.ts';
import { shareSwitch } from './locks.ts';

/** An attempt of many that were written together, and what its call needs. */
export type StartedAttempt = { publication: Publication; access: Access };

type Look = {
  begun: StartedAttempt[];
  /** Whose posts are left to a later look: something of theirs is being changed, or was. */
  busy: string[];
};

/**
 * Takes up to `most` due posts that go together and writes the attempts at them, see `writeAttempts`, in one
 * transaction that waits for nobody's lock but that of the publishing switch. What belongs to `notOf` is left.
 */
export async function beginBatch(
  db: Db,
  most: number,
  notOf: string[],
  known: DatabaseIdentity,
): Promise<Look> {
  return transact(db, async (trx) => {
    await shareSwitch(trx);
    const now = await databaseTime(trx);
    const due = await lockDueBatch(trx, most, notOf, now);
    if (due.length === 0) return { begun: [], busy: [] };
    const userIds = [...new Set(due.map(({ userId }) => userId))];
    const [free, accesses] = [await shareUsers(trx, userIds), await findUsableAccess(trx, userIds, now)];
    const unreadable = due.filter(({ userId }) => !accesses.has(userId));
    await enqueueSingly(
      trx,
      unreadable.map(({ id }) => id),
      now,
    );
    const wanted = due.flatMap(({ id: postId, userId, content, hashtags }): AttemptInput[] => {
      const access = free.has(userId) ? accesses.get(userId) : undefined;
      if (!access) return [];
      const body = commentaryOf(content, hashtags);
      return [
        { postId, authorUrn: access.authorUrn, body, leaseToken: null, imageUrl: null, imageUrn: null },
      ];
    });
    const publications = await writeAttempts(trx, wanted, known, databaseClock);
    const begun = publications.map((publication) => ({
      publication,
      access: accesses.get(publication.userId)!,
    }));
    const sent = new Set(publications.map(({ postId }) => postId));
    // What is refused for everybody's sake is nobody's own: it is looked at again as a whole.
    const refused =
      sent.size > 0
        ? sent
        : await listRefused(
            trx,
            due.map(({ id }) => id),
            now,
          );
    const isLeft = ({ id, userId }: (typeof due)[number]) =>
      !sent.has(id) && (sent.size > 0 || refused.has(id) || !free.has(userId));
    return { begun, busy: due.filter(isLeft).map(({ userId }) => userId) };
  });
}
