import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { AttemptState } from '#app/db/tables.ts';
import { isUserConnected, markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { FAILURES, type FailureText, failureText, refusedFor } from '#app/domain/posts/failures.ts';
import { deleteImage, lockPostRow } from '#app/domain/posts/rows.ts';
import { reportOrphan } from '#app/domain/publishing/linkedin-alerts.ts';
import { mailUnconfirmed } from '#app/domain/publishing/mails.ts';
import { dayLimitEndsAt, pauseForAppLimit } from '#app/domain/publishing/safety/pause.ts';
import {
  type Attempt,
  type AttemptOutcome,
  closeAttempt,
  nextAttemptNumber,
  type SentAttempt,
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
import { holdPost, retryAt } from '#app/domain/publishing/state/schedule.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import type { Refused } from '#app/integrations/linkedin/responses.ts';
import { CONFIRM_AFTER_MS, isBeingConfirmed, originalOfResend } from './confirm.ts';
import { APP_LIMIT_REACHED, type CloseAttempt, retryLater } from './retry-later.ts';

const explainNotPublished = (outcome: PostOutcome): FailureText =>
  outcome.kind === 'refused' ? explainRefusal(outcome) : failureText('not_taken');

function outcomeFor(outcome: PostOutcome): AttemptOutcome {
  if (outcome.kind === 'published') return { state: 'published', networkUrn: outcome.urn };
  const state = outcome.kind === 'refused' ? 'refused' : 'not_accepted';
  return { state, explanation: explainNotPublished(outcome).reason };
}

/** Returns whether another attempt at the post, a resend or a repost by the user, may be on LinkedIn. */
async function hasOtherUncertainAttempt(trx: Trx, { id, postId }: Attempt): Promise<boolean> {
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
 * Settles an attempt that was handed to the user, because its response was late. The response of LinkedIn replaces a
 * guess and also a decision that the user has made meanwhile.
 */
async function settleHeld(trx: Trx, attempt: Attempt, outcome: PostOutcome, now: Date): Promise<void> {
  // The duplicate may be another post of the member with the same text, so it proves nothing about this attempt.
  if (outcome.kind === 'unknown' || outcome.kind === 'duplicate') return;
  const closed = { ...outcomeFor(outcome), ...responseColumns(outcome), isResponse: true };
  if (!(await closeAttempt(trx, attempt.id, closed, now))) return;
  const post = await lockPost(trx, attempt.postId, attempt.userId);
  if (!post) return;
  if (outcome.kind === 'published') return recordPublishedOnce(trx, post, outcome.urn, attempt.startedAt);
  // After the user has had it posted again, only the response to that attempt decides.
  if (post.status !== 'failed' || !post.isUnconfirmed) return;
  if (!(await hasOtherUncertainAttempt(trx, attempt)))
    await recordRefused(trx, attempt, explainNotPublished(outcome));
}

/**
 * Returns whether the urn of a duplicate is that of this post: LinkedIn also refuses the text of another post of the
 * member. Such a post got the urn from LinkedIn, deleted or not, or has the same text and the user pasted the urn.
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

/** Finds the last other attempt with exactly this text that may have reached LinkedIn. */
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

/** Returns the state of an attempt. Inserts its row again when a restored database has lost it. */
async function findOrRestoreState(trx: Trx, attempt: SentAttempt): Promise<AttemptState> {
  const found = await trx
    .selectFrom('publishAttempts')
    .select('state')
    .where('id', '=', attempt.id)
    .executeTakeFirst();
  return (found ?? (await restoreAttempt(trx, attempt))).state;
}

async function restoreAttempt(trx: Trx, attempt: SentAttempt) {
  const { confirmsId, tokenSealed, ...row } = attempt;
  return trx
    .insertInto('publishAttempts')
    .values({
      ...row,
      attempt: nextAttemptNumber(sql`${attempt.postId}::uuid`),
      leaseToken: '0',
      state: 'unknown',
    })
    .returning('state')
    .executeTakeFirstOrThrow();
}

/**
 * Writes the outcome of an attempt and what follows from it, in one transaction. A late response replaces a guess;
 * otherwise a settled attempt does not change.
 */
export async function settle(db: Db, attempt: SentAttempt, outcome: PostOutcome, now?: Date): Promise<void> {
  await transact(db, async (trx) => {
    if (outcome.kind === 'throttled' && outcome.scope === 'app_day') {
      const until = dayLimitEndsAt(attempt.startedAt, now ?? (await databaseTime(trx)));
      await pauseForAppLimit(trx, until, `${APP_LIMIT_REACHED}.`, now);
    }
    if (!(await lockPostRow(trx, attempt.postId))) return reportOrphan(trx, attempt, outcome);
    const at = now ?? (await databaseTime(trx));
    const { confirmsId } = attempt;
    if (mustUploadAgain(outcome)) await deleteImage(trx, attempt.postId, attempt.imageUrn);
    if (confirmsId) await findOrRestoreState(trx, originalOfResend(attempt, confirmsId));
    const state = await findOrRestoreState(trx, attempt);
    if (state === 'held') return settleHeld(trx, attempt, outcome, at);
    if (confirmsId) return settleConfirmation(trx, attempt, confirmsId, outcome, at);
    if (outcome.kind !== 'published' && (await isBeingConfirmed(trx, attempt.id))) return;
    return settleFirst(trx, attempt, outcome, at);
  });
}

async function settleFirst(trx: Trx, attempt: SentAttempt, outcome: PostOutcome, now: Date): Promise<void> {
  const close: CloseAttempt = (closed) =>
    closeAttempt(trx, attempt.id, { ...closed, ...responseColumns(outcome) }, now);
  switch (outcome.kind) {
    case 'published':
      return settlePublished(trx, attempt, outcome.urn, undefined, attempt.startedAt, close);
    case 'duplicate': {
      const isOwn = await isOwnUrn(trx, attempt, outcome.urn);
      const earlier = isOwn && (await findUncertainAttempt(trx, attempt));
      if (!earlier) return settleRefused(trx, attempt, outcome, close);
      const explanation = 'LinkedIn says that an earlier attempt is there';
      return settlePublished(trx, attempt, outcome.urn, explanation, earlier.startedAt, close);
    }
    case 'refused':
      return settleRefused(trx, attempt, outcome, close);
    case 'unknown':
      return settleUnknown(trx, attempt, now, close);
    case 'unauthorized':
      return settleUnauthorized(trx, attempt, now, close);
    case 'throttled':
    case 'not_sent':
    case 'version':
    case 'media_waiting':
      return retryLater(trx, attempt, outcome, now, close);
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
  close: CloseAttempt,
): Promise<void> {
  if (await close({ state: 'published', explanation, networkUrn })) {
    await recordPublished(trx, { id: postId, userId }, networkUrn, sentAt);
  }
}

async function settleRefused(
  trx: Trx,
  attempt: SentAttempt,
  outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>,
  close: CloseAttempt,
): Promise<void> {
  const failure = explainRefusal(outcome);
  if (!(await close({ state: 'refused', explanation: failure.reason }))) return;
  await recordRefused(trx, attempt, failure);
}

async function settleUnknown(trx: Trx, attempt: SentAttempt, now: Date, close: CloseAttempt): Promise<void> {
  const { id, postId, imageUrn, startedAt } = attempt;
  const explanation = 'LinkedIn did not answer clearly. We find out whether it took the post';
  if (!(await close({ state: 'unknown', explanation, isOpen: true }))) return;
  if (imageUrn) return holdForOwner(trx, id, postId, now);
  const at = new Date(startedAt.getTime() + CONFIRM_AFTER_MS);
  return enqueue(trx, jobs.confirmAttempt, { attemptId: id }, at);
}

/** Holds the post until LinkedIn is connected. With a connection made meanwhile, it is tried again immediately. */
async function settleUnauthorized(
  trx: Trx,
  { postId, userId, tokenSealed }: SentAttempt,
  now: Date,
  close: CloseAttempt,
): Promise<void> {
  const explanation = 'LinkedIn no longer accepts our permission to post. The post is held';
  if (!(await close({ state: 'not_accepted', explanation }))) return;
  if (tokenSealed) await markConnectionExpired(trx, userId, tokenSealed);
  if (await isUserConnected(trx, userId, now)) return retryAt(trx, postId, now);
  await holdPost(trx, postId, now);
}

/** LinkedIn would refuse the same image urn again, so the next attempt uploads the image again. */
const mustUploadAgain = (outcome: PostOutcome) =>
  (outcome.kind === 'media_waiting' && outcome.isUploadEnded) ||
  (outcome.kind === 'refused' && outcome.code === 'MEDIA_ASSET_PROCESSING_FAILED');

const responseColumns = (outcome: PostOutcome) => ({
  httpStatus: 'status' in outcome ? outcome.status : null,
  trace: outcome.trace,
});

const RESEND_STATES: Record<Exclude<PostOutcome['kind'], 'published'>, AttemptState> = {
  throttled: 'not_accepted',
  not_sent: 'not_accepted',
  version: 'not_accepted',
  media_waiting: 'not_accepted',
  unknown: 'unknown',
  refused: 'refused',
  duplicate: 'refused',
  unauthorized: 'refused',
};

const findStartedAt = (trx: Trx, id: string) =>
  trx.selectFrom('publishAttempts').select('startedAt').where('id', '=', id).executeTakeFirstOrThrow();

/** A confirmation settles two attempts: its own, and the unknown one before it. */
async function settleConfirmation(
  trx: Trx,
  confirmation: SentAttempt,
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
    const closed: AttemptOutcome = {
      state: 'published',
      explanation,
      networkUrn: outcome.urn,
      isResponse: true,
    };
    if (!(await closeAttempt(trx, id, { ...closed, ...responseColumns(outcome) }, now))) return;
    await closeAttempt(trx, unknownId, closed, now);
    const post = await lockPost(trx, postId);
    const { startedAt } = outcome.kind === 'published' ? confirmation : await findStartedAt(trx, unknownId);
    if (post) await recordPublishedOnce(trx, post, outcome.urn, startedAt);
    return;
  }
  const state = RESEND_STATES[outcome.kind];
  const explanation = 'LinkedIn did not say whether the first attempt is there';
  if (!(await closeAttempt(trx, id, { state, explanation, ...responseColumns(outcome) }, now))) return;
  // After `not_accepted` the sweep resends again while the window lasts.
  if (outcome.kind === 'unauthorized' && confirmation.tokenSealed) {
    await markConnectionExpired(trx, confirmation.userId, confirmation.tokenSealed);
  }
  if (state !== 'not_accepted') await holdForOwner(trx, unknownId, postId, now);
}

export const UNCONFIRMED_REASON = FAILURES.unconfirmed.reason;

function explainRefusal(outcome: Extract<PostOutcome, { kind: 'refused' | 'duplicate' }>): FailureText {
  if (outcome.kind === 'duplicate') return failureText('duplicate');
  const { code, status } = outcome;
  if (status === 403) return failureText('forbidden');
  if (code === 'MEDIA_ASSET_PROCESSING_FAILED') return failureText('unreadable');
  if (/TOO_LONG|TOO_HIGH/.test(code ?? '')) return failureText('too_long');
  if (/BLANK/.test(code ?? '')) return failureText('empty');
  if (status === 413) return failureText('too_large');
  return refusedFor(code);
}

export function explainImageRefusal({ status }: Refused): FailureText {
  if (status === 403) return failureText('forbidden');
  if (status === 413) return failureText('too_large_picture');
  if (status === 415) return failureText('unreadable');
  return failureText('refused_picture');
}

/**
 * Returns the urn to store for a post for which LinkedIn returned `urn`: null when LinkedIn returned it for another post
 * of the user before. Another post for which the user only pasted the urn loses it.
 */
async function urnFor(trx: Trx, post: OwnPost, urn: string | null): Promise<string | null> {
  if (urn === null) return null;
  const others = await listOthersUnder(trx, post, urn);
  const holder = others.find(({ deletedAt }) => deletedAt === null);
  if (holder && (await isUrnFromLinkedIn(trx, holder))) return null;
  if (holder) await clearUrn(trx, holder.id, urn);
  return urn;
}

async function recordPublished(trx: Trx, post: OwnPost, urn: string | null, at: Date): Promise<void> {
  await markPublished(trx, post, await urnFor(trx, post, urn), at);
}

/** Returns whether the urn of the post comes from a response of LinkedIn, and not from the user. */
async function isUrnFromLinkedIn(
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

/** Like `recordPublished`, but for a published post only replaces a missing or pasted urn by that of LinkedIn. */
async function recordPublishedOnce(trx: Trx, post: StoredPost, urn: string | null, at: Date): Promise<void> {
  if (post.status !== 'published') return recordPublished(trx, post, urn, at);
  if (await isUrnFromLinkedIn(trx, post)) return;
  const ownUrn = await urnFor(trx, post, urn);
  if (ownUrn === null) return;
  await markPublished(trx, post, ownUrn, post.postedAt ?? at);
}

async function recordRefused(trx: Trx, attempt: Attempt, failure: FailureText): Promise<void> {
  const post = await lockPost(trx, attempt.postId, attempt.userId);
  // Another attempt may have published it meanwhile.
  if (!post || post.status === 'published') return;
  await failPost(trx, post, { ...failure, dedupeKey: `failed:${attempt.id}` });
}

/** Hands an attempt to the user, who looks on LinkedIn and decides: nothing resends it automatically. */
export async function holdForOwner(trx: Trx, attemptId: string, postId: string, now: Date): Promise<void> {
  if (!(await closeAttempt(trx, attemptId, { state: 'held', explanation: UNCONFIRMED_REASON }, now))) return;
  const post = await lockPost(trx, postId);
  if (!post || post.status === 'published') return;
  await markFailed(trx, post, 'unconfirmed');
  await mailUnconfirmed(trx, post, attemptId);
}
