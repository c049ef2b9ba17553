import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { AttemptState } from '#app/db/tables.ts';
import { isUserConnected, markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { FAILURES, type FailureText, inWords, refusedFor } from '#app/domain/posts/failures.ts';
import { deleteImage, lockPostRow } from '#app/domain/posts/rows.ts';
import { reportOrphan } from '#app/domain/publishing/faults.ts';
import { mailUnconfirmed } from '#app/domain/publishing/mails.ts';
import { limitEnds, pausePublishing } from '#app/domain/publishing/safety/pause.ts';
import {
  type Attempt,
  closeAttempt,
  nextAttempt,
  type Result,
  type Sent,
} from '#app/domain/publishing/send/attempt.ts';
import { failPost } from '#app/domain/publishing/state/fail.ts';
import { clearUrn, listOthersUnder } from '#app/domain/publishing/state/linkedin-urns.ts';
import {
  lockPost,
  markFailed,
  markPublished,
  type OwnPost,
  type StoredPost,
} from '#app/domain/publishing/state/post-state.ts';
import { holdDelivery, tryLater } from '#app/domain/publishing/state/schedule.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import type { Refused } from '#app/integrations/linkedin/responses.ts';
import { CONFIRM_AFTER_MS, isBeingConfirmed, repeatedBy } from './confirm.ts';
import { APP_LIMIT, type Finish, retryLater } from './retry-later.ts';

/** What an answer says that is no yes. */
const whyNot = (outcome: PostOutcome): FailureText =>
  outcome.kind === 'refused' ? explainRefusal(outcome) : inWords('not_taken');

function resultOf(outcome: PostOutcome): Result {
  if (outcome.kind === 'published') return { state: 'published', networkUrn: outcome.urn };
  const state = outcome.kind === 'refused' ? 'refused' : 'not_accepted';
  return { state, explanation: whyNot(outcome).reason };
}

/** Whether another attempt at the post may be there, a resend or one that its owner has asked for. */
async function hasOtherUncertain(trx: Trx, { id, postId }: Attempt): Promise<boolean> {
  const row = await trx
    .selectFrom('publishAttempts')
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
async function settleHeld(trx: Trx, attempt: Attempt, outcome: PostOutcome, now: Date): Promise<void> {
  // Another text of the member may be what LinkedIn calls a duplicate: that says nothing about this attempt.
  if (outcome.kind === 'unknown' || outcome.kind === 'duplicate') return;
  const result = resultOf(outcome);
  const httpStatus = 'status' in outcome ? outcome.status : null;
  const { trace } = outcome;
  if (!(await closeAttempt(trx, attempt.id, { ...result, httpStatus, trace, isAnswer: true }, now))) return;
  const post = await lockPost(trx, attempt.postId, attempt.userId);
  if (!post) return;
  if (outcome.kind === 'published') return recordPublishedOnce(trx, post, outcome.urn, attempt.startedAt);
  // Once its owner has had it posted again, only the answer to that tells what becomes of it.
  if (post.status !== 'failed' || !post.isUnconfirmed) return;
  if (!(await hasOtherUncertain(trx, attempt))) await recordRefused(trx, attempt, whyNot(outcome));
}

/**
 * Whether it is this post that LinkedIn calls the first: it also refuses what repeats another post of the member.
 * That is one for which it named the urn, deleted or not, or one with the same text whose owner pasted the urn.
 */
async function isOwnUrn(trx: Trx, attempt: Attempt, urn: string | null): Promise<boolean> {
  if (urn === null) return false;
  const { postId: id, userId, body } = attempt;
  const others = await listOthersUnder(trx, { id, userId }, urn);
  if (others.length === 0) return true;
  const ids = others.map((other) => other.id);
  const repeated = await trx
    .selectFrom('publishAttempts')
    .select('id')
    .where('postId', 'in', ids)
    .where((eb) => eb.or([eb('networkUrn', '=', urn), eb('body', '=', body)]))
    .executeTakeFirst();
  return repeated === undefined;
}

/** The last earlier attempt of this very text that may have reached the network. */
const findUncertainAttempt = (trx: Trx, attempt: Attempt) =>
  trx
    .selectFrom('publishAttempts')
    .select('startedAt')
    .where('postId', '=', attempt.postId)
    .where('id', '<>', attempt.id)
    .where('state', 'in', ['unknown', 'held'])
    .where('body', '=', attempt.body)
    .orderBy('startedAt', 'desc')
    .executeTakeFirst();

/** Where an attempt stands. One whose row was lost with the tail of a database is written anew. */
async function standingOf(trx: Trx, attempt: Sent): Promise<AttemptState> {
  const find = () =>
    trx.selectFrom('publishAttempts').select('state').where('id', '=', attempt.id).executeTakeFirst();
  const found = (await find()) ?? (await restore(trx, attempt));
  return found.state;
}

async function restore(trx: Trx, attempt: Sent) {
  const { confirmsId, tokenSealed, ...row } = attempt;
  return trx
    .insertInto('publishAttempts')
    .values({
      ...row,
      attempt: nextAttempt(sql`${attempt.postId}::uuid`),
      leaseToken: '0',
      state: 'unknown',
    })
    .returning('state')
    .executeTakeFirstOrThrow();
}

/**
 * Writes the outcome of an attempt and what follows from it, in one transaction. A late answer beats what was
 * guessed meanwhile; anything else about an attempt that was settled changes nothing.
 */
export async function settle(db: Db, attempt: Sent, outcome: PostOutcome, now?: Date): Promise<void> {
  await transact(db, async (trx) => {
    if (outcome.kind === 'throttled' && outcome.scope === 'app_day') {
      const until = limitEnds(attempt.startedAt, now ?? (await databaseTime(trx)));
      await pausePublishing(trx, until, `${APP_LIMIT}.`, now);
    }
    if (!(await lockPostRow(trx, attempt.postId))) return reportOrphan(trx, attempt, outcome);
    const at = now ?? (await databaseTime(trx));
    const { confirmsId } = attempt;
    if (hasLostPicture(outcome)) await deleteImage(trx, attempt.postId, attempt.imageUrn);
    if (confirmsId) await standingOf(trx, repeatedBy(attempt, confirmsId));
    const state = await standingOf(trx, attempt);
    if (state === 'held') return settleHeld(trx, attempt, outcome, at);
    if (confirmsId) return settleConfirmation(trx, attempt, confirmsId, outcome, at);
    if (outcome.kind !== 'published' && (await isBeingConfirmed(trx, attempt.id))) return;
    return settleFirst(trx, attempt, outcome, at);
  });
}

async function settleFirst(trx: Trx, attempt: Sent, outcome: PostOutcome, now: Date): Promise<void> {
  const finish: Finish = (result) => closeAttempt(trx, attempt.id, { ...result, ...answerOf(outcome) }, now);
  switch (outcome.kind) {
    case 'published':
      return settlePublished(trx, attempt, outcome.urn, undefined, attempt.startedAt, finish);
    case 'duplicate': {
      const isOwn = await isOwnUrn(trx, attempt, outcome.urn);
      const earlier = isOwn && (await findUncertainAttempt(trx, attempt));
      if (!earlier) return settleRefused(trx, attempt, outcome, finish);
      const explanation = 'LinkedIn says that an earlier attempt is there';
      return settlePublished(trx, attempt, outcome.urn, explanation, earlier.startedAt, finish);
    }
    case 'refused':
      return settleRefused(trx, attempt, outcome, finish);
    case 'unknown':
      return settleUnknown(trx, attempt, now, finish);
    case 'unauthorized':
      return settleUnauthorized(trx, attempt, now, finish);
    case 'throttled':
    case 'not_sent':
    case 'version':
    case 'media_waiting':
      return retryLater(trx, attempt, outcome, now, finish);
    default:
      return outcome satisfies never;
  }
}

async function settlePublished(
  trx: Trx,
  { postId, userId }: Attempt,
  networkUrn: string | null,
  explanation: string | undefined,
  sentAt: Date,
  finish: Finish,
): Promise<void> {
  if (await finish({ state: 'published', explanation, networkUrn })) {
    await recordPublished(trx, { id: postId, userId }, networkUrn, sentAt);
  }
}

async function settleRefused(
  trx: Trx,
  attempt: Sent,
  outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>,
  finish: Finish,
): Promise<void> {
  const told = explainRefusal(outcome);
  if (!(await finish({ state: 'refused', explanation: told.reason }))) return;
  await recordRefused(trx, attempt, told);
}

async function settleUnknown(trx: Trx, attempt: Sent, now: Date, finish: Finish): Promise<void> {
  const { id, postId, imageUrn, startedAt } = attempt;
  const explanation = 'LinkedIn did not answer clearly. We find out whether it took the post';
  if (!(await finish({ state: 'unknown', explanation, isOpen: true }))) return;
  if (imageUrn) return holdForOwner(trx, id, postId, now);
  const at = new Date(startedAt.getTime() + CONFIRM_AFTER_MS);
  return enqueue(trx, jobs.confirmAttempt, { attemptId: id }, at);
}

/** Holds the post for as long as the connection is dead; one made meanwhile is tried at once. */
async function settleUnauthorized(
  trx: Trx,
  { postId, userId, tokenSealed }: Sent,
  now: Date,
  finish: Finish,
): Promise<void> {
  const explanation = 'LinkedIn no longer accepts our permission to post. The post is held';
  if (!(await finish({ state: 'not_accepted', explanation }))) return;
  if (tokenSealed) await markConnectionExpired(trx, userId, tokenSealed);
  if (await isUserConnected(trx, userId, now)) return tryLater(trx, postId, now);
  await holdDelivery(trx, postId, now);
}

/** The same picture would be refused again: the next attempt uploads it anew. */
const hasLostPicture = (outcome: PostOutcome) =>
  (outcome.kind === 'media_waiting' && outcome.isUploadEnded) ||
  (outcome.kind === 'refused' && outcome.code === 'MEDIA_ASSET_PROCESSING_FAILED');

const answerOf = (outcome: PostOutcome) => ({
  httpStatus: 'status' in outcome ? outcome.status : null,
  trace: outcome.trace,
});

/** What a resend becomes whose answer does not say that the post is there. */
const UNSETTLING: Record<Exclude<PostOutcome['kind'], 'published'>, AttemptState> = {
  throttled: 'not_accepted',
  not_sent: 'not_accepted',
  version: 'not_accepted',
  media_waiting: 'not_accepted',
  unknown: 'unknown',
  refused: 'refused',
  duplicate: 'refused',
  unauthorized: 'refused',
};

const findAttempt = (trx: Trx, id: string) =>
  trx.selectFrom('publishAttempts').select('startedAt').where('id', '=', id).executeTakeFirstOrThrow();

/** A confirmation settles two attempts: its own, and the unknown one before it. */
async function settleConfirmation(
  trx: Trx,
  confirmation: Sent,
  unknownId: string,
  outcome: PostOutcome,
  now: Date,
): Promise<void> {
  const { id, postId } = confirmation;
  const isThere =
    outcome.kind === 'published' ||
    (outcome.kind === 'duplicate' && (await isOwnUrn(trx, confirmation, outcome.urn)));
  if (isThere) {
    const explanation =
      outcome.kind === 'published' ? undefined : 'LinkedIn says that the first attempt is there';
    const result: Result = { state: 'published', explanation, networkUrn: outcome.urn, isAnswer: true };
    if (!(await closeAttempt(trx, id, { ...result, ...answerOf(outcome) }, now))) return;
    await closeAttempt(trx, unknownId, result, now);
    const post = await lockPost(trx, postId);
    const { startedAt } = outcome.kind === 'published' ? confirmation : await findAttempt(trx, unknownId);
    if (post) await recordPublishedOnce(trx, post, outcome.urn, startedAt);
    return;
  }
  const state = UNSETTLING[outcome.kind];
  const explanation = 'LinkedIn did not say whether the first attempt is there';
  if (!(await closeAttempt(trx, id, { state, explanation, ...answerOf(outcome) }, now))) return;
  // One that was not accepted can be repeated while the window lasts; the sweep sees to it.
  if (outcome.kind === 'unauthorized' && confirmation.tokenSealed) {
    await markConnectionExpired(trx, confirmation.userId, confirmation.tokenSealed);
  }
  if (state !== 'not_accepted') await holdForOwner(trx, unknownId, postId, now);
}

export const UNCONFIRMED = FAILURES.unconfirmed.reason;

/** Why LinkedIn refused, in words a user can act on. */
function explainRefusal(outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>): FailureText {
  if (outcome.kind === 'duplicate') return inWords('duplicate');
  const { code, status } = outcome;
  if (status === 403) return inWords('forbidden');
  if (code === 'MEDIA_ASSET_PROCESSING_FAILED') return inWords('unreadable');
  if (/TOO_LONG|TOO_HIGH/.test(code ?? '')) return inWords('too_long');
  if (/BLANK/.test(code ?? '')) return inWords('empty');
  if (status === 413) return inWords('too_large');
  return refusedFor(code);
}

/** Why LinkedIn refused the picture of a post. The post was not sent. */
export function explainPicture({ status }: Refused): FailureText {
  if (status === 403) return inWords('forbidden');
  if (status === 413) return inWords('too_large_picture');
  if (status === 415) return inWords('unreadable');
  return inWords('refused_picture');
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
async function recordPublished(trx: Trx, post: OwnPost, urn: string | null, at: Date): Promise<void> {
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
async function recordPublishedOnce(trx: Trx, post: StoredPost, urn: string | null, at: Date): Promise<void> {
  if (post.status !== 'published') return recordPublished(trx, post, urn, at);
  if (await isUrnNamed(trx, post)) return;
  const address = await addressFor(trx, post, urn);
  if (address === null) return;
  await markPublished(trx, post, address, post.postedAt ?? at);
}

async function recordRefused(trx: Trx, attempt: Attempt, told: FailureText): Promise<void> {
  const post = await lockPost(trx, attempt.postId, attempt.userId);
  // Another attempt may have turned out to be there meanwhile.
  if (!post || post.status === 'published') return;
  await failPost(trx, post, { ...told, dedupeKey: `failed:${attempt.id}` });
}

/** The post may or may not be there, and nothing resends it by itself: the user looks and decides. */
export async function holdForOwner(trx: Trx, attemptId: string, postId: string, now: Date): Promise<void> {
  if (!(await closeAttempt(trx, attemptId, { state: 'held', explanation: UNCONFIRMED }, now))) return;
  const post = await lockPost(trx, postId);
  if (!post || post.status === 'published') return;
  await markFailed(trx, post, 'unconfirmed');
  await mailUnconfirmed(trx, post, attemptId);
}
