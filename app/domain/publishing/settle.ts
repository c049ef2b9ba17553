import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { PublicationState } from '#app/db/schema.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import { reportFault } from '#app/domain/operator-faults.ts';
import type { PostOutcome } from '#app/integrations/linkedin-posts.ts';
import type { Publication } from './attempt.ts';
import { CONFIRM_AFTER_MS } from './confirm-window.ts';
import { explainRefusal, UNCONFIRMED } from './explain.ts';
import { tellFailed, tellUnconfirmed } from './notices.ts';
import { nextUtcMidnight, pausePublishing } from './switch.ts';

type Result = {
  state: PublicationState;
  explanation: string;
  httpStatus?: number | null;
  networkUrn?: string | null;
  isOpen?: boolean;
};

/** Writes what became of an attempt. False when it has been settled already. */
async function close(trx: Trx, publicationId: string, result: Result, now: Date): Promise<boolean> {
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

async function markPublished(trx: Trx, postId: string, urn: string | null, at: Date): Promise<void> {
  await trx
    .updateTable('posts')
    .set({ status: 'published', postedAt: at, networkUrn: urn, reason: null, isUnconfirmed: false })
    .where('id', '=', postId)
    .execute();
  await dropDelivery(trx, postId);
}

async function markFailed(trx: Trx, publication: Publication, reason: string): Promise<void> {
  const post = await postOf(trx, publication.postId);
  if (!post) return;
  await trx.updateTable('posts').set({ status: 'failed', reason }).where('id', '=', post.id).execute();
  await dropDelivery(trx, post.id);
  await tellFailed(trx, post, reason, `failed:${publication.id}`);
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

/** Nothing is on the network: the post goes back to the queue and is tried again at `at`. */
async function tryLater(trx: Trx, postId: string, at: Date): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ notBefore: at, leaseToken: null, leaseUntil: null, enqueuedAt: at })
    .where('postId', '=', postId)
    .execute();
  await enqueue(trx, jobs.publishPost, { postId }, at);
}

/** 30 s, 1 min, 2 min, then every 10 minutes, or what LinkedIn asked for. */
async function nextTry(trx: Trx, postId: string, asked: number | null, now: Date): Promise<Date> {
  const { count } = await trx
    .selectFrom('publications')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('postId', '=', postId)
    .where('state', '=', 'not_accepted')
    .executeTakeFirstOrThrow();
  const tries = Number(count);
  const seconds = tries > 3 ? 600 : 30 * 2 ** (tries - 1);
  return new Date(now.getTime() + Math.max(seconds, asked ?? 0) * 1_000);
}

/** Whether an earlier attempt of this very text may have reached the network. */
async function hadUncertainAttempt(trx: Trx, publication: Publication): Promise<boolean> {
  const row = await trx
    .selectFrom('publications')
    .select('id')
    .where('postId', '=', publication.postId)
    .where('id', '<>', publication.id)
    .where('state', 'in', ['unknown', 'held'])
    .where('body', '=', publication.body)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Writes the outcome of an attempt and what follows from it, in one transaction. A late outcome of an
 * attempt that was settled meanwhile changes nothing.
 */
export async function settle(
  db: Db,
  publication: Publication,
  outcome: PostOutcome,
  now: Date,
): Promise<void> {
  await transact(db, async (trx) => {
    await trx.selectFrom('posts').select('id').where('id', '=', publication.postId).forUpdate().execute();
    if (publication.confirmsId)
      return settleConfirmation(trx, publication, publication.confirmsId, outcome, now);
    return settleFirst(trx, publication, outcome, now);
  });
}

async function settleFirst(
  trx: Trx,
  publication: Publication,
  outcome: PostOutcome,
  now: Date,
): Promise<void> {
  const { id, postId, userId } = publication;
  const finish = (result: Result) => close(trx, id, { ...result, httpStatus: statusOf(outcome) }, now);
  switch (outcome.kind) {
    case 'published':
      if (
        await finish({ state: 'published', explanation: 'LinkedIn accepted it', networkUrn: outcome.urn })
      ) {
        await markPublished(trx, postId, outcome.urn, now);
      }
      return;
    case 'duplicate':
      if (outcome.urn && (await hadUncertainAttempt(trx, publication))) {
        const explanation = 'LinkedIn says that an earlier attempt is there';
        if (await finish({ state: 'published', explanation, networkUrn: outcome.urn })) {
          await markPublished(trx, postId, outcome.urn, now);
        }
        return;
      }
      break;
    case 'unknown': {
      const explanation = 'LinkedIn did not answer clearly. We find out whether it took the post';
      if (!(await finish({ state: 'unknown', explanation, isOpen: true }))) return;
      if (publication.imageUrn) return hold(trx, id, postId, now);
      const at = new Date(publication.startedAt.getTime() + CONFIRM_AFTER_MS);
      return enqueue(trx, jobs.confirmPublication, { publicationId: id }, at);
    }
    case 'unauthorized': {
      const explanation = 'LinkedIn no longer accepts our permission to post. The post is held';
      if (!(await finish({ state: 'not_accepted', explanation }))) return;
      await markConnectionExpired(trx, userId, now, publication.startedAt);
      await trx
        .updateTable('deliveries')
        .set({ heldAt: now, leaseToken: null, leaseUntil: null, enqueuedAt: null })
        .where('postId', '=', postId)
        .execute();
      return;
    }
    case 'refused':
      break;
    default:
      return postpone(trx, publication, outcome, now, finish);
  }
  const reason = explainRefusal(outcome);
  if (await finish({ state: 'refused', explanation: reason })) await markFailed(trx, publication, reason);
}

type NotAccepted = Extract<PostOutcome, { kind: 'throttled' | 'not_sent' | 'version' | 'media_waiting' }>;

async function postpone(
  trx: Trx,
  { postId }: Publication,
  outcome: NotAccepted,
  now: Date,
  finish: (result: Result) => Promise<boolean>,
): Promise<void> {
  const explanation = explainPostponed(outcome);
  if (!(await finish({ state: 'not_accepted', explanation }))) return;
  if (outcome.kind === 'version') {
    await reportFault(trx, 'linkedin-version', 'LinkedIn refuses every version in LINKEDIN_VERSIONS.', now);
  }
  if (outcome.kind === 'throttled' && outcome.scope !== 'short') {
    const midnight = nextUtcMidnight(now);
    if (outcome.scope === 'app_day') await pausePublishing(trx, midnight, `${explanation}.`, now);
    return tryLater(trx, postId, midnight);
  }
  const asked = outcome.kind === 'throttled' ? outcome.retryAfterSeconds : null;
  const soon = new Date(now.getTime() + 5_000);
  return tryLater(
    trx,
    postId,
    outcome.kind === 'media_waiting' ? soon : await nextTry(trx, postId, asked, now),
  );
}

function explainPostponed(outcome: NotAccepted): string {
  switch (outcome.kind) {
    case 'throttled':
      if (outcome.scope === 'app_day') return 'LinkedIn takes no more posts from Tidepost until 00:00 UTC';
      if (outcome.scope === 'member_day') return 'LinkedIn takes no more posts from you until 00:00 UTC';
      return 'LinkedIn asked us to wait. We try again shortly';
    case 'version':
      return 'LinkedIn refused the version of its API that we use. We try again shortly';
    case 'media_waiting':
      return 'LinkedIn is still working on the picture. We try again shortly';
    default:
      return 'LinkedIn could not be reached. We try again shortly';
  }
}

const statusOf = (outcome: PostOutcome) => ('status' in outcome ? outcome.status : null);

/** A confirmation settles two attempts: its own, and the unknown one before it. */
async function settleConfirmation(
  trx: Trx,
  confirmation: Publication,
  unknownId: string,
  outcome: PostOutcome,
  now: Date,
): Promise<void> {
  const { id, postId } = confirmation;
  const isThere = outcome.kind === 'published' || (outcome.kind === 'duplicate' && outcome.urn !== null);
  if (isThere) {
    const explanation =
      outcome.kind === 'published' ? 'LinkedIn accepted it' : 'LinkedIn says that the first attempt is there';
    const result: Result = { state: 'published', explanation, networkUrn: outcome.urn };
    if (!(await close(trx, id, { ...result, httpStatus: outcome.status }, now))) return;
    await close(trx, unknownId, result, now);
    return markPublished(trx, postId, outcome.urn, now);
  }
  const isNotAccepted =
    outcome.kind === 'throttled' || outcome.kind === 'not_sent' || outcome.kind === 'version';
  const state = isNotAccepted ? 'not_accepted' : outcome.kind === 'unknown' ? 'unknown' : 'refused';
  const explanation = 'LinkedIn did not tell whether the first attempt is there';
  if (!(await close(trx, id, { state, explanation, httpStatus: statusOf(outcome) }, now))) return;
  // One that was not accepted can be repeated while the window lasts; the sweep sees to it.
  if (!isNotAccepted) await hold(trx, unknownId, postId, now);
}

/** An attempt that was written but certainly not sent, because this process was too slow. */
export async function settleUnsent(db: Db, publication: Publication, now: Date): Promise<void> {
  await settle(db, publication, { kind: 'not_sent', message: 'too slow' }, now);
}

/** Attempts that nobody settled within a minute: the process that made them is gone. */
export async function reapAttempts(db: Db, before: Date, now: Date): Promise<void> {
  const stale = await db
    .selectFrom('publications')
    .select(['id', 'postId', 'confirmsId', 'imageUrn'])
    .where('state', '=', 'sending')
    .where('resolvedAt', 'is', null)
    .where('startedAt', '<', before)
    .execute();
  for (const { id, postId, confirmsId, imageUrn } of stale) {
    await transact(db, async (trx) => {
      await sql`select from posts where id = ${postId}::uuid for update`.execute(trx);
      const explanation =
        'We were interrupted before LinkedIn answered. We find out whether it took the post';
      const isOpen = confirmsId === null;
      if (!(await close(trx, id, { state: 'unknown', explanation, isOpen }, now))) return;
      if (confirmsId) await hold(trx, confirmsId, postId, now);
      else if (imageUrn) await hold(trx, id, postId, now);
    });
  }
}
