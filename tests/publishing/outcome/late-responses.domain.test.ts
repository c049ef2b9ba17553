import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { getStats } from '#app/domain/posts/counts/stats.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { acknowledgePost } from '#app/domain/publishing/manual/publish-now.ts';
import { beginConfirmation, CONFIRM_BEFORE_MS } from '#app/domain/publishing/outcome/confirm.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import { settleBatch } from '#app/domain/publishing/outcome/spool.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { findPause } from '#app/domain/publishing/safety/pause.ts';
import { type Attempt, beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { startStopwatch } from '#app/domain/publishing/send/monotonic-clock.ts';
import { markDeleted, markScheduled } from '#app/domain/publishing/state/post-state.ts';
import { sendManually } from '#app/domain/publishing/state/schedule.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import { authorOf } from '#tests/fixtures/linkedin.ts';
import { findQueued, makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';
import { runSweeps, SWEEPS } from '#worker/sweeps.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const later = (ms: number) => new Date(Date.now() + ms);
const live = (urn: string) => ({ kind: 'published', urn, status: 201 }) as const;
const duplicateOf = (urn: string) => ({ kind: 'duplicate', urn, status: 422 }) as const;

const LIMIT: PostOutcome = { kind: 'throttled', scope: 'app_day', retryAfterSeconds: null, status: 429 };

let counter = 7_000;
const newUrn = () => `urn:li:share:${++counter}`;

/** Connections that wait for another one of this database. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
  return rows[0]!.count;
}

/** A post whose attempt is written; its call may be under way. */
async function attempted(by?: Actor) {
  const actor = by ?? (await makePublisher(db, outside.url));
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
  const claim = (await claimPost(db, postId))!;
  const publication = (await beginAttempt(
    db,
    claim,
    await authorOf(db, claim.userId),
    await readIdentity(db),
  ))!;
  return { actor, postId, publication };
}

/** As `attempted`, found by the reaper and handed to its owner after the window. */
async function held() {
  const post = await attempted();
  await sweepAttempts(db, later(2 * MINUTE));
  await sweepAttempts(db, later(12 * MINUTE));
  assert.equal((await findPost(db, post.actor, post.postId)).isUnconfirmed, true);
  return post;
}

/** As `attempted`, unknown, with its resend written and no answer to that yet. */
async function resent(by?: Actor) {
  const post = await attempted(by);
  const { id } = post.publication;
  await settle(db, post.publication, { kind: 'unknown', message: 'reset', status: null });
  const startedAt = later(-MINUTE);
  await db.updateTable('publishAttempts').set({ startedAt }).where('id', '=', id).execute();
  const unknown = { id, userId: post.actor.userId, postId: post.postId };
  return { ...post, confirmation: (await beginConfirmation(db, unknown, await readIdentity(db)))! };
}

const stateOf = async (id: string) =>
  (await db.selectFrom('publishAttempts').select('state').where('id', '=', id).executeTakeFirst())?.state;

const mailsOf = async ({ userId }: Actor) =>
  (await db.selectFrom('mails').select('kind').where('userId', '=', userId).execute()).map(
    ({ kind }) => kind,
  );

test('an answer that comes after the post was handed to its owner publishes it', async () => {
  const { actor, postId, publication } = await held();
  const urn = newUrn();
  await settle(db, publication, live(urn));
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['published', false]);
  assert.equal(await stateOf(publication.id), 'published');
});

const datesOf = async (actor: Actor, postId: string) => (await findPost(db, actor, postId)).postedAt;
const HOURS = 3_600_000;
const aged = async <T extends { publication: Attempt }>(post: T, ms: number): Promise<T> => {
  const startedAt = later(-ms);
  await db.updateTable('publishAttempts').set({ startedAt }).where('id', '=', post.publication.id).execute();
  return { ...post, publication: { ...post.publication, startedAt } };
};

for (const [how, write] of [
  ['by itself', settle],
  [
    'with others',
    (to: typeof db, publication: Attempt, outcome: ReturnType<typeof live>) =>
      settleBatch(to, [{ attempt: publication, outcome }]),
  ],
] as const) {
  test(`a post is dated by when it was sent, however late its answer is written ${how}`, async () => {
    const { actor, postId, publication } = await aged(await attempted(), 26 * HOURS);
    await write(db, publication, live(newUrn()));
    assert.deepEqual(await datesOf(actor, postId), publication.startedAt);
    assert.equal((await getStats(db, actor)).publishedToday, 0);
  });
}

test('a post whose owner finds it days later is dated by when it was sent', async () => {
  const { actor, postId, publication } = await aged(await held(), 72 * HOURS);
  await acknowledgePost(db, actor, { postId, link: '' });
  assert.deepEqual(await datesOf(actor, postId), publication.startedAt);
});

test('a post that a late answer publishes is dated by when it was sent', async () => {
  const { actor, postId, publication } = await aged(await held(), 30 * HOURS);
  await settle(db, publication, live(newUrn()));
  assert.deepEqual(await datesOf(actor, postId), publication.startedAt);
});

test('a post is dated by the attempt that is there: the first one, or its resend', async () => {
  const first = await resent();
  await settle(db, first.confirmation, duplicateOf(newUrn()));
  const { startedAt } = await db
    .selectFrom('publishAttempts')
    .select('startedAt')
    .where('id', '=', first.publication.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(await datesOf(first.actor, first.postId), startedAt);
  const second = await resent();
  await settle(db, second.confirmation, live(newUrn()));
  assert.deepEqual(await datesOf(second.actor, second.postId), second.confirmation.startedAt);
});

test('a post that is there since an earlier attempt is dated by that one', async () => {
  const { actor, postId, publication } = await aged(await held(), 5 * HOURS);
  await resendSignUpCode(postId);
  const claim = (await claimPost(db, postId))!;
  const again = (await beginAttempt(db, claim, await authorOf(db, claim.userId), await readIdentity(db)))!;
  await settle(db, again, duplicateOf(newUrn()));
  assert.deepEqual(await datesOf(actor, postId), publication.startedAt);
});

test('a late refusal says that the post is not there, and no longer asks its owner', async () => {
  const { actor, postId, publication } = await held();
  await settle(db, publication, { kind: 'refused', status: 403, message: 'Not allowed' } as never);
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['failed', false]);
  assert.equal(await stateOf(publication.id), 'refused');
  assert.ok((await mailsOf(actor)).includes('postFailed'));
});

test('a late answer that says nothing new changes nothing', async () => {
  const { actor, postId, publication } = await held();
  await settle(db, publication, { kind: 'unknown', message: 'reset', status: null });
  await settle(db, publication, duplicateOf(newUrn()));
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
  assert.equal(await stateOf(publication.id), 'held');
});

test('an attempt that the database has lost is written again with its answer', async () => {
  const { actor, postId, publication } = await attempted();
  await db.deleteFrom('publishAttempts').where('id', '=', publication.id).execute();
  await settle(db, publication, live(newUrn()));
  assert.equal((await findPost(db, actor, postId)).status, 'published');
  assert.equal(await stateOf(publication.id), 'published');
  assert.equal(await claimPost(db, postId), undefined);
});

for (const [what, outcome, status, state] of [
  ['the first attempt is there', () => duplicateOf(newUrn()), 'published', 'published'],
  ['nothing', () => ({ kind: 'unknown', message: 'reset', status: null }) as const, 'failed', 'held'],
  ['no', () => ({ kind: 'refused', code: null, message: 'No', status: 400 }) as const, 'failed', 'held'],
] as const) {
  test(`the answer to a resend of which the database has lost both attempts is written, when it says ${what}`, async () => {
    const { actor, postId, publication, confirmation } = await resent();
    await db.deleteFrom('publishAttempts').where('postId', '=', postId).execute();
    await settle(db, confirmation, outcome());
    const post = await findPost(db, actor, postId);
    assert.deepEqual([post.status, post.isUnconfirmed], [status, status === 'failed']);
    const oldest = new Date(confirmation.startedAt.getTime() - CONFIRM_BEFORE_MS);
    assert.deepEqual(post.postedAt, status === 'published' ? oldest : null);
    assert.equal(await stateOf(publication.id), state);
    assert.equal(await claimPost(db, postId), undefined);
  });
}

test('a resend that was not taken, of which the database has lost both attempts, is not sent again', async () => {
  const { actor, postId, publication, confirmation } = await resent();
  await db.deleteFrom('publishAttempts').where('postId', '=', postId).execute();
  await settle(db, confirmation, { kind: 'not_sent', message: 'reset' });
  assert.equal(await claimPost(db, postId), undefined);
  await sweepAttempts(db, later(1_000));
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
  assert.equal(await stateOf(publication.id), 'held');
});

test('a resend that names another post is refused as its duplicate', async () => {
  const first = await attempted();
  const urn = newUrn();
  await settle(db, first.publication, live(urn));
  const { actor, postId, publication, confirmation } = await resent(first.actor);
  await settle(db, confirmation, duplicateOf(urn));
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['failed', true]);
  assert.deepEqual([await stateOf(publication.id), await stateOf(confirmation.id)], ['held', 'refused']);
});

test('a resend that names a post that was deleted here is refused as its duplicate', async () => {
  const first = await attempted();
  const urn = newUrn();
  await settle(db, first.publication, live(urn));
  await db.transaction().execute((trx) => markDeleted(trx, first.postId, new Date()));
  const { actor, postId, confirmation } = await resent(first.actor);
  await settle(db, confirmation, duplicateOf(urn));
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['failed', true]);
});

test('a resend that names the link of a post with the same text stays with its owner', async () => {
  const first = await held();
  const urn = newUrn();
  await acknowledgePost(db, first.actor, { postId: first.postId, link: urn });
  const { actor, postId, publication, confirmation } = await resent(first.actor);
  const { body } = first.publication;
  const ids = [publication.id, confirmation.id];
  await db.updateTable('publishAttempts').set({ body }).where('id', 'in', ids).execute();
  await settle(db, { ...confirmation, body }, duplicateOf(urn));
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
  assert.equal((await findPost(db, actor, first.postId)).networkUrn, urn);
});

test('an answer with the urn of another post is settled all the same', async () => {
  const first = await attempted();
  const urn = newUrn();
  await settle(db, first.publication, live(urn));
  const second = await attempted(first.actor);
  await settle(db, second.publication, live(urn));
  const post = await findPost(db, second.actor, second.postId);
  assert.equal(post.status, 'published');
});

test('while a resend is under way the first attempt is not handed to its owner', async () => {
  const { actor, postId, publication, confirmation } = await resent();
  const startedAt = later(-9.5 * MINUTE);
  await db.updateTable('publishAttempts').set({ startedAt }).where('id', '=', publication.id).execute();
  await sweepAttempts(db, new Date());
  assert.equal(await stateOf(publication.id), 'unknown');
  await settle(db, confirmation, live(newUrn()));
  assert.equal((await findPost(db, actor, postId)).status, 'published');
  assert.deepEqual((await mailsOf(actor)).includes('postUnconfirmed'), false);
});

test('an answer to a resend that was given up publishes the post, however late', async () => {
  const { actor, postId, publication, confirmation } = await resent();
  await sweepAttempts(db, later(2 * MINUTE));
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
  await settle(db, confirmation, live(newUrn()));
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['published', false]);
  assert.equal(await stateOf(publication.id), 'published');
});

/** A held post that its owner has sent again, and whose first attempt then turned out to be there. */
async function sentAgainButThere() {
  const first = await held();
  await resendSignUpCode(first.postId);
  const claim = (await claimPost(db, first.postId))!;
  const again = (await beginAttempt(db, claim, await authorOf(db, claim.userId), await readIdentity(db)))!;
  await settle(db, first.publication, live(newUrn()));
  return { ...first, again };
}

const resendSignUpCode = (postId: string) =>
  db.transaction().execute(async (trx) => {
    await sendManually(trx, postId, later(-1_000));
    await markScheduled(trx, postId);
  });

for (const [what, outcome] of [
  ['is a duplicate', duplicateOf('urn:li:share:1')],
  ['is refused', { kind: 'refused', status: 422, code: 'X', message: 'No', isWhole: true } as never],
  ['is not known', { kind: 'unknown', message: 'reset', status: null } as const],
  ['is not taken yet', { kind: 'throttled', scope: 'short', retryAfterSeconds: 5, status: 429 } as const],
  ['is not permitted', { kind: 'unauthorized', code: null, status: 401 } as const],
] as const) {
  test(`a post that turned out to be there stays published when what was sent again ${what}`, async () => {
    const { actor, postId, again } = await sentAgainButThere();
    const told = (await mailsOf(actor)).length;
    await settle(db, again, outcome);
    await sweepAttempts(db, later(12 * MINUTE));
    assert.equal((await findPost(db, actor, postId)).status, 'published');
    assert.equal(await findQueued(db, postId), undefined);
    assert.equal((await mailsOf(actor)).length, told);
    assert.notEqual(await stateOf(again.id), 'unknown');
  });
}

test('the address that a late answer brings is kept with a post that its owner has found without one', async () => {
  const { actor, postId, publication } = await held();
  await acknowledgePost(db, actor, { postId, link: '' });
  const { postedAt } = await findPost(db, actor, postId);
  const urn = newUrn();
  await settle(db, publication, live(urn), later(MINUTE));
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.networkUrn, post.postedAt], [urn, postedAt]);
});

test('the address that LinkedIn names goes before the one that the owner has pasted', async () => {
  const { actor, postId, publication } = await held();
  await acknowledgePost(db, actor, { postId, link: `https://www.linkedin.com/feed/update/${newUrn()}/` });
  const { postedAt, authorUrn } = await findPost(db, actor, postId);
  assert.equal(authorUrn, null);
  const urn = newUrn();
  await settle(db, publication, live(urn), later(MINUTE));
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.networkUrn, post.postedAt, post.authorUrn], [urn, postedAt, publication.authorUrn]);
});

test('an address that LinkedIn names for a post is not taken from it by the answer to another one', async () => {
  const { actor, ...pasted } = await held();
  const [urn, named] = [newUrn(), newUrn()];
  const link = `https://www.linkedin.com/feed/update/${urn}/`;
  await acknowledgePost(db, actor, { postId: pasted.postId, link });
  const other = await attempted(actor);
  let settling = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await settle(trx, pasted.publication, live(named));
    settling = settle(db, other.publication, live(urn));
    await until('the other answer waits', async () => (await waiting()) > 0);
  });
  await settling;
  const urnOf = async (postId: string) => (await findPost(db, actor, postId)).networkUrn;
  assert.deepEqual([await urnOf(pasted.postId), await urnOf(other.postId)], [named, urn]);
});

test('a late refusal of the first attempt says nothing of a resend that may be there', async () => {
  const { actor, postId, publication, confirmation } = await resent();
  await settle(db, confirmation, { kind: 'unknown', message: 'reset', status: null });
  await settle(db, publication, { kind: 'not_sent', message: 'too slow' });
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['failed', true]);
  assert.equal(await stateOf(publication.id), 'not_accepted');
  assert.equal((await mailsOf(actor)).includes('postFailed'), false);
});

test('that LinkedIn takes no more posts stops publishing also when a resend hears it', async (t) => {
  const { confirmation } = await resent();
  t.after(() => db.updateTable('publishingPause').set({ pausedUntil: null, reason: null }).execute());
  await settle(db, confirmation, LIMIT);
  const pause = await findPause(db, new Date());
  assert.deepEqual(
    [pause?.by, pause?.reason],
    ['linkedin', 'LinkedIn takes no more posts from Tidepost for now.'],
  );
});

test("yesterday's answer that LinkedIn takes no more posts stops nothing today", async () => {
  const { postId, publication } = await attempted();
  await settle(db, publication, LIMIT, later(26 * 60 * MINUTE));
  const { pausedUntil } = await db
    .selectFrom('publishingPause')
    .select('pausedUntil')
    .executeTakeFirstOrThrow();
  assert.equal(pausedUntil, null);
  assert.equal(await stateOf(publication.id), 'not_accepted');
  assert.ok(await findQueued(db, postId));
});

test('an answer for a post that the database has lost is told to the operator for a week', async () => {
  const { postId, publication } = await attempted();
  await db.deleteFrom('posts').where('id', '=', postId).execute();
  await settle(db, publication, live(newUrn()));
  const isTold = async () => {
    const faults = await db.selectFrom('operatorAlerts').select('key').execute();
    return faults.some(({ key }) => key === `orphan-${publication.id}`);
  };
  assert.ok(await isTold());
  for (const [days, isKept] of [
    [6, true],
    [8, false],
  ] as const) {
    await db
      .updateTable('operatorAlerts')
      .set({ lastSeenAt: later(-days * 24 * 60 * MINUTE) })
      .execute();
    await runSweeps(SWEEPS.daily, db, new Date());
    assert.equal(await isTold(), isKept, `after ${days} days`);
  }
});

test('the time in which a machine was suspended counts', () => {
  let up = 1_000;
  const elapsed = startStopwatch(
    () => 5,
    () => up,
  );
  assert.ok(elapsed() < 1_000);
  up += 600;
  assert.ok(elapsed() > 590_000);
  assert.ok(startStopwatch()() < 1_000);
});

test('a refused token ends the connection that holds it, and none that was made or renewed meanwhile', async () => {
  const first = await attempted();
  const { accessTokenSealed } = await db
    .selectFrom('linkedinConnections')
    .select('accessTokenSealed')
    .where('userId', '=', first.actor.userId)
    .executeTakeFirstOrThrow();
  const refused = { kind: 'unauthorized', status: 401 } as never;
  await settle(db, { ...first.publication, tokenSealed: 'an older one' }, refused);
  assert.equal((await getConnection(db, first.actor))!.isAlive, true);
  const second = await resent(first.actor);
  await settle(db, { ...second.confirmation, tokenSealed: accessTokenSealed }, refused);
  assert.equal((await getConnection(db, first.actor))!.isAlive, false);
});
