import type { Trx } from '#app/db/client.ts';
import type { PublicationState } from '#app/db/tables.ts';
import { lockPost, markFailed, markPublished } from '#app/domain/posts/rows.ts';
import { leaveQueue } from '#app/domain/queue/deliveries.ts';
import { failPost } from '#app/domain/queue/fail.ts';
import type { Publication } from './attempt.ts';
import { UNCONFIRMED } from './explain.ts';
import { tellUnconfirmed } from './mails.ts';

export type Result = {
  state: PublicationState;
  explanation: string;
  httpStatus?: number | null;
  networkUrn?: string | null;
  isOpen?: boolean;
};

/** Writes what became of an attempt. False when it has been settled already. */
export async function close(trx: Trx, publicationId: string, result: Result, now: Date): Promise<boolean> {
  const { state, explanation, httpStatus, networkUrn, isOpen } = result;
  const { numUpdatedRows } = await trx
    .updateTable('publications')
    .set({ state, explanation, httpStatus, networkUrn, finishedAt: now, resolvedAt: isOpen ? null : now })
    .where('id', '=', publicationId)
    .where('state', 'in', ['sending', 'unknown'])
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The post is on LinkedIn and leaves the queue. */
export async function publish(trx: Trx, postId: string, urn: string | null, at: Date): Promise<void> {
  await markPublished(trx, postId, urn, at);
  await leaveQueue(trx, postId);
}

export async function refuse(
  trx: Trx,
  publication: Publication,
  reason: string,
  isOnLinkedIn: string,
): Promise<void> {
  const post = await lockPost(trx, publication.postId);
  if (post) await failPost(trx, post, { reason, isOnLinkedIn, dedupeKey: `failed:${publication.id}` });
}

/** The post may or may not be there, and nothing resends it by itself: the user looks and decides. */
export async function hold(trx: Trx, publicationId: string, postId: string, now: Date): Promise<void> {
  if (!(await close(trx, publicationId, { state: 'held', explanation: UNCONFIRMED }, now))) return;
  const post = await lockPost(trx, postId);
  if (!post) return;
  await markFailed(trx, postId, UNCONFIRMED, true);
  await leaveQueue(trx, postId);
  await tellUnconfirmed(trx, post, publicationId);
}
