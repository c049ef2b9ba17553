import type { Trx } from '#app/db/client.ts';
import type { PublicationState } from '#app/db/tables.ts';
import type { Publication } from './attempt.ts';
import { UNCONFIRMED } from './explain.ts';
import { tellFailed, tellUnconfirmed } from './mails.ts';

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

const postOf = (trx: Trx, postId: string) =>
  trx.selectFrom('posts').selectAll().where('id', '=', postId).executeTakeFirst();

const dropDelivery = (trx: Trx, postId: string) =>
  trx.deleteFrom('deliveries').where('postId', '=', postId).execute();

export async function markPublished(trx: Trx, postId: string, urn: string | null, at: Date): Promise<void> {
  await trx
    .updateTable('posts')
    .set({ status: 'published', postedAt: at, networkUrn: urn, reason: null, isUnconfirmed: false })
    .where('id', '=', postId)
    .execute();
  await dropDelivery(trx, postId);
}

export async function markFailed(
  trx: Trx,
  publication: Publication,
  reason: string,
  isOnLinkedIn: string,
): Promise<void> {
  const post = await postOf(trx, publication.postId);
  if (!post) return;
  await trx.updateTable('posts').set({ status: 'failed', reason }).where('id', '=', post.id).execute();
  await dropDelivery(trx, post.id);
  await tellFailed(trx, post, reason, `failed:${publication.id}`, isOnLinkedIn);
}

/** The post may or may not be there, and nothing resends it by itself: the user looks and decides. */
export async function hold(trx: Trx, publicationId: string, postId: string, now: Date): Promise<void> {
  if (!(await close(trx, publicationId, { state: 'held', explanation: UNCONFIRMED }, now))) return;
  const post = await postOf(trx, postId);
  if (!post) return;
  await trx
    .updateTable('posts')
    .set({ status: 'failed', reason: UNCONFIRMED, isUnconfirmed: true })
    .where('id', '=', postId)
    .execute();
  await dropDelivery(trx, postId);
  await tellUnconfirmed(trx, post, publicationId);
}
