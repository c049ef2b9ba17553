import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { PublicationState } from '#app/db/tables.ts';
import { isUserConnected, markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { type FailureText, inWords } from '#app/domain/posts/failures.ts';
import { deleteImage, lockPostRow } from '#app/domain/posts/rows.ts';
import { reportOrphan } from '#app/domain/publishing/faults.ts';
import { limitEnds, pausePublishing } from '#app/domain/publishing/safety/pause.ts';
import { nextAttempt, type Publication, type Sent } from '#app/domain/publishing/send/attempt.ts';
import { APP_LIMIT, type Finish, retryLater } from '#app/domain/publishing/send/retry-later.ts';
import { listOthersUnder } from '#app/domain/queue/linkedin-urns.ts';
import { lockPost } from '#app/domain/queue/post-state.ts';
import { holdDelivery, tryLater } from '#app/domain/queue/schedule.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import { CONFIRM_AFTER_MS, isBeingConfirmed, repeatedBy } from './confirm.ts';
import { explainRefusal } from './explain.ts';
import {
  closeAttempt,
  holdForOwner,
  type Result,
  recordPublished,
  recordPublishedOnce,
  recordRefused,
} from './outcome.ts';

/** What an answer says that is no yes. */
const whyNot = (outcome: PostOutcome): FailureText =>
  outcome.kind === 'refused' ? explainRefusal(outcome) : inWords('not_taken');

function resultOf(outcome: PostOutcome): Result {
  if (outcome.kind === 'published') return { state: 'published', networkUrn: outcome.urn };
  const state = outcome.kind === 'refused' ? 'refused' : 'not_accepted';
  return { state, explanation: whyNot(outcome).reason };
}

/** Whether another attempt at the post may be there, a resend or one that its owner has asked for. */
async function hasOtherUncertain(trx: Trx, { id, postId }: Publication): Promise<boolean> {
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
async function settleHeld(
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
  if (!(await closeAttempt(trx, publication.id, { ...result, httpStatus, trace, isAnswer: true }, now)))
    return;
  const post = await lockPost(trx, publication.postId, publication.userId);
  if (!post) return;
  if (outcome.kind === 'published') return recordPublishedOnce(trx, post, outcome.urn, publication.startedAt);
  // Once its owner has had it posted again, only the answer to that tells what becomes of it.
  if (post.status !== 'failed' || !post.isUnconfirmed) return;
  if (!(await hasOtherUncertain(trx, publication))) await recordRefused(trx, publication, whyNot(outcome));
}

/**
 * Whether it is this post that LinkedIn calls the first: it also refuses what repeats another post of the member.
 * That is one for which it named the urn, deleted or not, or one with the same text whose owner pasted the urn.
 */
async function isOwnUrn(trx: Trx, publication: Publication, urn: string | null): Promise<boolean> {
  if (urn === null) return false;
  const { postId: id, userId, body } = publication;
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
const findUncertainAttempt = (trx: Trx, publication: Publication) =>
  trx
    .selectFrom('publishAttempts')
    .select('startedAt')
    .where('postId', '=', publication.postId)
    .where('id', '<>', publication.id)
    .where('state', 'in', ['unknown', 'held'])
    .where('body', '=', publication.body)
    .orderBy('startedAt', 'desc')
    .executeTakeFirst();

/** Where an attempt stands. One whose row was lost with the tail of a database is written anew. */
async function standingOf(trx: Trx, publication: Sent): Promise<PublicationState> {
  const find = () =>
    trx.selectFrom('publishAttempts').select('state').where('id', '=', publication.id).executeTakeFirst();
  const found = (await find()) ?? (await restore(trx, publication));
  return found.state;
}

async function restore(trx: Trx, publication: Sent) {
  const { confirmsId, tokenSealed, ...attempt } = publication;
  return trx
    .insertInto('publishAttempts')
    .values({
      ...attempt,
      attempt: nextAttempt(sql`${publication.postId}::uuid`),
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
export async function settle(db: Db, publication: Sent, outcome: PostOutcome, now?: Date): Promise<void> {
  await transact(db, async (trx) => {
    if (outcome.kind === 'throttled' && outcome.scope === 'app_day') {
      const until = limitEnds(publication.startedAt, now ?? (await databaseTime(trx)));
      await pausePublishing(trx, until, `${APP_LIMIT}.`, now);
    }
    if (!(await lockPostRow(trx, publication.postId))) return reportOrphan(trx, publication, outcome);
    const at = now ?? (await databaseTime(trx));
    const { confirmsId } = publication;
    if (hasLostPicture(outcome)) await deleteImage(trx, publication.postId, publication.imageUrn);
    if (confirmsId) await standingOf(trx, repeatedBy(publication, confirmsId));
    const state = await standingOf(trx, publication);
    if (state === 'held') return settleHeld(trx, publication, outcome, at);
    if (confirmsId) return settleConfirmation(trx, publication, confirmsId, outcome, at);
    if (outcome.kind !== 'published' && (await isBeingConfirmed(trx, publication.id))) return;
    return settleFirst(trx, publication, outcome, at);
  });
}

async function settleFirst(trx: Trx, publication: Sent, outcome: PostOutcome, now: Date): Promise<void> {
  const finish: Finish = (result) =>
    closeAttempt(trx, publication.id, { ...result, ...answerOf(outcome) }, now);
  switch (outcome.kind) {
    case 'published':
      return settlePublished(trx, publication, outcome.urn, undefined, publication.startedAt, finish);
    case 'duplicate': {
      const isOwn = await isOwnUrn(trx, publication, outcome.urn);
      const earlier = isOwn && (await findUncertainAttempt(trx, publication));
      if (!earlier) return settleRefused(trx, publication, outcome, finish);
      const explanation = 'LinkedIn says that an earlier attempt is there';
      return settlePublished(trx, publication, outcome.urn, explanation, earlier.startedAt, finish);
    }
    case 'refused':
      return settleRefused(trx, publication, outcome, finish);
    case 'unknown':
      return settleUnknown(trx, publication, now, finish);
    case 'unauthorized':
      return settleUnauthorized(trx, publication, now, finish);
    case 'throttled':
    case 'not_sent':
    case 'version':
    case 'media_waiting':
      return retryLater(trx, publication, outcome, now, finish);
    default:
      return outcome satisfies never;
  }
}

async function settlePublished(
  trx: Trx,
  { postId, userId }: Publication,
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
  publication: Sent,
  outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>,
  finish: Finish,
): Promise<void> {
  const told = explainRefusal(outcome);
  if (!(await finish({ state: 'refused', explanation: told.reason }))) return;
  await recordRefused(trx, publication, told);
}

async function settleUnknown(trx: Trx, publication: Sent, now: Date, finish: Finish): Promise<void> {
  const { id, postId, imageUrn, startedAt } = publication;
  const explanation = 'LinkedIn did not answer clearly. We find out whether it took the post';
  if (!(await finish({ state: 'unknown', explanation, isOpen: true }))) return;
  if (imageUrn) return holdForOwner(trx, id, postId, now);
  const at = new Date(startedAt.getTime() + CONFIRM_AFTER_MS);
  return enqueue(trx, jobs.confirmPublication, { publicationId: id }, at);
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
const UNSETTLING: Record<Exclude<PostOutcome['kind'], 'published'>, PublicationState> = {
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
