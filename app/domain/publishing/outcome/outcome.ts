import type { Trx } from '#app/db/client.ts';
import type { PublicationState } from '#app/db/tables.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import type { FailureText } from '#app/domain/posts/failures.ts';
import { mailUnconfirmed } from '#app/domain/publishing/mails.ts';
import type { Publication } from '#app/domain/publishing/send/attempt.ts';
import { failPost } from '#app/domain/queue/fail.ts';
import { clearUrn, listOthersUnder } from '#app/domain/queue/linkedin-urns.ts';
import {
  lockPost,
  markFailed,
  markPublished,
  type OwnPost,
  type StoredPost,
} from '#app/domain/queue/post-state.ts';
import type { Trace } from '#app/integrations/linkedin/responses.ts';
import { UNCONFIRMED } from './explain.ts';

export type Result = {
  state: PublicationState;
  /** What its state does not say by itself. */
  explanation?: string;
  httpStatus?: number | null;
  networkUrn?: string | null;
  /** Something is still to be done about it. */
  isOpen?: boolean;
  /** The network has said so itself. */
  isAnswer?: boolean;
  trace?: Trace;
};

/** Attempts of which nobody knows yet what became, and those of which we said so to their owner. */
const UNSETTLED: PublicationState[] = ['sending', 'unknown'];
const GUESSED: PublicationState[] = [...UNSETTLED, 'held'];

/**
 * Writes what became of an attempt. False when it has been settled already. An answer of the network also
 * settles one that was handed to its owner: what is known beats a guess, however late it comes.
 */
export async function closeAttempt(
  trx: Trx,
  publicationId: string,
  result: Result,
  now: Date,
): Promise<boolean> {
  const { state, explanation = null, httpStatus, networkUrn, isOpen, isAnswer, trace } = result;
  const closed = await trx
    .updateTable('publishAttempts')
    .set({
      state,
      explanation,
      httpStatus,
      networkUrn,
      finishedAt: now,
      resolvedAt: isOpen ? null : now,
      ...trace,
    })
    .where('id', '=', publicationId)
    .where('state', 'in', isAnswer ? GUESSED : UNSETTLED)
    .$if(!isAnswer, (query) => query.where('resolvedAt', 'is', null))
    .returning(['userId', 'postId'])
    .executeTakeFirst();
  if (closed) emitEvent('publish_outcome', { ...closed, publicationId, state }, trx);
  return closed !== undefined;
}

/**
 * The address of a post for which LinkedIn names this urn: none when LinkedIn has named it for another post of the
 * user before. Another post at which its owner has pasted it loses it.
 */
async function addressFor(trx: Trx, post: OwnPost, urn: string | null): Promise<string | null> {
  if (urn === null) return null;
  const others = await listOthersUnder(trx, post, urn);
  const holder = others.find(({ deletedAt }) => deletedAt === null);
  if (holder && (await isUrnNamed(trx, holder))) return null;
  if (holder) await clearUrn(trx, holder.id, urn);
  return urn;
}

/** The post is on LinkedIn, which names this urn for it. */
export async function recordPublished(trx: Trx, post: OwnPost, urn: string | null, at: Date): Promise<void> {
  await markPublished(trx, post, await addressFor(trx, post, urn), at);
}

/** An answer of LinkedIn names the address that the post has. */
async function isUrnNamed(
  trx: Trx,
  { id, userId, networkUrn }: Pick<StoredPost, 'id' | 'userId' | 'networkUrn'>,
): Promise<boolean> {
  const attempt = await trx
    .selectFrom('publishAttempts')
    .select('id')
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .where('networkUrn', '=', networkUrn)
    .executeTakeFirst();
  return attempt !== undefined;
}

/**
 * One that is known to be there keeps what is known of it. It gets the address that LinkedIn names when it has
 * none, or one that its owner has pasted.
 */
export async function recordPublishedOnce(
  trx: Trx,
  post: StoredPost,
  urn: string | null,
  at: Date,
): Promise<void> {
  if (post.status !== 'published') return recordPublished(trx, post, urn, at);
  if (await isUrnNamed(trx, post)) return;
  const address = await addressFor(trx, post, urn);
  if (address === null) return;
  await markPublished(trx, post, address, post.postedAt ?? at);
}

export async function recordRefused(trx: Trx, publication: Publication, told: FailureText): Promise<void> {
  const post = await lockPost(trx, publication.postId, publication.userId);
  // Another attempt may have turned out to be there meanwhile.
  if (!post || post.status === 'published') return;
  await failPost(trx, post, { ...told, dedupeKey: `failed:${publication.id}` });
}

/** The post may or may not be there, and nothing resends it by itself: the user looks and decides. */
export async function holdForOwner(
  trx: Trx,
  publicationId: string,
  postId: string,
  now: Date,
): Promise<void> {
  if (!(await closeAttempt(trx, publicationId, { state: 'held', explanation: UNCONFIRMED }, now))) return;
  const post = await lockPost(trx, postId);
  if (!post || post.status === 'published') return;
  await markFailed(trx, post, 'unconfirmed');
  await mailUnconfirmed(trx, post, publicationId);
}
