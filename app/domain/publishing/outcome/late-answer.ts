import type { Trx } from '#app/db/client.ts';
import { inWords, type Told } from '#app/domain/posts/failures.ts';
import type { Publication } from '#app/domain/publishing/send/attempt.ts';
import { lockPost } from '#app/domain/queue/post-state.ts';
import type { PostOutcome } from '#app/integrations/linkedin-posts.ts';
import { explainRefusal } from './explain.ts';
import { close, publishOnce, type Result, refuse } from './outcome.ts';

/** What an answer says that is no yes. */
const whyNot = (outcome: PostOutcome): Told =>
  outcome.kind === 'refused' ? explainRefusal(outcome) : inWords('not_taken');

function resultOf(outcome: PostOutcome): Result {
  if (outcome.kind === 'published') return { state: 'published', networkUrn: outcome.urn };
  const state = outcome.kind === 'refused' ? 'refused' : 'not_accepted';
  return { state, explanation: whyNot(outcome).reason };
}

/** Whether another attempt at the post may be there, a resend or one that its owner has asked for. */
async function hasOtherUncertain(trx: Trx, { id, postId }: Publication): Promise<boolean> {
  const row = await trx
    .selectFrom('publications')
    .select('id')
    .where('postId', '=', postId)
    .where('id', '<>', id)
    .where('state', 'in', ['sending', 'unknown', 'held'])
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The answer to an attempt that was handed to its owner, because it had not come in time. What LinkedIn says
 * holds, also when the owner has decided meanwhile; only what is no guess any more stays as it is.
 */
export async function settleHeld(
  trx: Trx,
  publication: Publication,
  outcome: PostOutcome,
  now: Date,
): Promise<void> {
  // Another text of the member may be what LinkedIn calls a duplicate: that says nothing about this attempt.
  if (outcome.kind === 'unknown' || outcome.kind === 'duplicate') return;
  const result = resultOf(outcome);
  const httpStatus = 'status' in outcome ? outcome.status : null;
  const { trace } = outcome;
  if (!(await close(trx, publication.id, { ...result, httpStatus, trace, isAnswer: true }, now))) return;
  const post = await lockPost(trx, publication.postId, publication.userId);
  if (!post) return;
  if (outcome.kind === 'published') return publishOnce(trx, post, outcome.urn, publication.startedAt);
  // Once its owner has had it posted again, only the answer to that tells what becomes of it.
  if (post.status !== 'failed' || !post.isUnconfirmed) return;
  if (!(await hasOtherUncertain(trx, publication))) await refuse(trx, publication, whyNot(outcome));
}
