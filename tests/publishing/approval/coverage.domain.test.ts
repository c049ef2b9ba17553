import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { approvePost, requireApprovalOfWaiting } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { publishNow, undoPublishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { beginConfirmation } from '#app/domain/publishing/outcome/confirm.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import { handToOwners } from '#app/domain/publishing/safety/after-restore.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { sendBatch } from '#app/domain/publishing/send/batch-sender.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { refitQueue, saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { releaseHeldEligible } from '#app/domain/publishing/sweep.ts';
import { authorOf, setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const later = (ms: number) => new Date(Date.now() + ms);

const ask = (actor: Actor) => saveSettings(db, actor, { requireApproval: true });
const dontAsk = (actor: Actor) => saveSettings(db, actor, { requireApproval: false });
const statusOf = async (postId: string) => (await readPost(db, postId)).status;

async function waiting(dueAt = later(DAY)) {
  const actor = await makePublisher(db, outside.url);
  return { actor, postId: await makeScheduledPost(db, actor, { dueAt }) };
}

/** A post whose time has come, claimed by a worker. */
async function claimed() {
  const { actor, postId } = await waiting(later(-1_000));
  const claim = (await claimPost(db, postId))!;
  const [known, author] = [await readIdentity(db), await authorOf(db, actor.userId)];
  const attempt = (at: Db = db) => beginAttempt(at, claim, author, known);
  return { actor, postId, attempt, known };
}

/** Until somebody waits for a lock; whatever comes of it, `open` ends who holds it. */
async function untilBlocked(open: () => void): Promise<void> {
  const isBlocked = async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
    return rows.length > 0;
  };
  await until('somebody waits for a lock', isBlocked).finally(open);
}

test('switched on, approval covers every post that waits; switched off, it asks for what it asked for', async () => {
  const { actor, postId } = await waiting();
  const other = await waiting();
  const second = await makeScheduledPost(db, actor, { dueAt: later(2 * DAY) });
  await ask(actor);
  assert.deepEqual([await statusOf(postId), await statusOf(second)], ['pending', 'pending']);
  assert.equal(await statusOf(other.postId), 'generated', 'a post of somebody else');
  await dontAsk(actor);
  await approvePost(db, actor, second);
  assert.deepEqual([await statusOf(postId), await statusOf(second)], ['pending', 'generated']);
});

test('what its owner has approved stays approved, wherever it moves, and also when they edit it', async () => {
  const { actor, postId } = await waiting();
  await ask(actor);
  await approvePost(db, actor, postId);
  await editPost(db, actor, { postId, content: 'What its owner writes needs no second look.' });
  await saveSettings(db, actor, { publishTimes: ['03:10'] });
  await dontAsk(actor);
  await ask(actor);
  assert.equal(await statusOf(postId), 'generated');
});

test('an edit is no approval', async () => {
  const { actor, postId } = await waiting();
  await editPost(db, actor, { postId, content: 'Half of a thought, saved before lunch.' });
  await ask(actor);
  await editPost(db, actor, { postId, content: 'Another half of it, saved after lunch.' });
  assert.equal(await statusOf(postId), 'pending');
});

test('what is out, failed or without a time is left as it is', async () => {
  const { actor, postId } = await waiting();
  const ids = [postId];
  for (const standing of [
    { status: 'published' as const, dueAt: null, postedAt: new Date() },
    { status: 'failed' as const, dueAt: null, failure: 'refused' as const },
    { status: 'generated' as const, dueAt: null },
  ]) {
    const id = await makeScheduledPost(db, actor, { dueAt: later(DAY * (1 + ids.length)) });
    await standAs(db, id, standing);
    ids.push(id);
  }
  await ask(actor);
  const statuses = await Promise.all(ids.map(statusOf));
  assert.deepEqual(statuses, ['pending', 'published', 'failed', 'generated']);
});

test('a post that was sent by hand goes out; put back at its time, it waits for approval', async () => {
  const { actor, postId } = await waiting();
  const stays = await makeScheduledPost(db, actor, { dueAt: later(2 * DAY) });
  await publishNow(db, actor, postId);
  await publishNow(db, actor, stays);
  await ask(actor);
  await publishPost(db, stays);
  assert.equal(await statusOf(stays), 'published');
  assert.equal(await statusOf(postId), 'generated');
  await setConnection(db, actor, { status: 'expired' });
  assert.equal((await undoPublishNow(db, actor, postId)).status, 'pending');
});

test('a post that waited for approval and was sent by hand waits for it again at its time, also when its owner asks no more', async () => {
  const { actor, postId } = await waiting();
  await ask(actor);
  await dontAsk(actor);
  await publishNow(db, actor, postId);
  await setConnection(db, actor, { status: 'expired' });
  assert.equal((await undoPublishNow(db, actor, postId)).status, 'pending');
});

test('a post in its very minute does not go out any more, also when a worker has it', async () => {
  const { actor, postId, attempt } = await claimed();
  await ask(actor);
  assert.equal(await attempt(), undefined);
  const together = await waiting(later(-1_000));
  await ask(together.actor);
  await sendBatch(db, 0);
  const alone = await waiting(later(-1_000));
  await ask(alone.actor);
  await publishPost(db, alone.postId);
  const sent = await db
    .selectFrom('publishAttempts')
    .select('id')
    .where('postId', 'in', [postId, together.postId, alone.postId])
    .execute();
  assert.deepEqual(sent, []);
});

test('an attempt that is being written is waited for, and what is sent then is out', async () => {
  const { actor, postId, attempt } = await claimed();
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = transact(db, async (trx) => {
    const publication = await attempt(trx);
    begun.resolve();
    await gate.promise;
    return publication;
  });
  await begun.promise;
  const asked = ask(actor);
  await untilBlocked(gate.resolve);
  const [publication] = await Promise.all([writing, asked]);
  assert.equal(await statusOf(postId), 'pending');
  assert.equal((await findPost(db, actor, postId)).isPublishing, true);
  await assert.rejects(approvePost(db, actor, postId), { code: 'being_published' });
  await settle(db, publication!, { kind: 'published', urn: 'urn:li:share:711', status: 201 });
  assert.equal(await statusOf(postId), 'published');
});

test('what LinkedIn did not take is not tried again without approval', async () => {
  const { actor, postId, attempt } = await claimed();
  const publication = (await attempt())!;
  await ask(actor);
  await settle(db, publication, {
    kind: 'throttled',
    scope: 'short',
    retryAfterSeconds: 1,
    status: 429,
  });
  const hourOn = later(60 * MINUTE);
  await enqueueDuePosts(db, hourOn);
  assert.equal(await claimPost(db, postId, hourOn), undefined);
  assert.equal(await statusOf(postId), 'pending');
  assert.equal((await approvePost(db, actor, postId)).status, 'generated');
});

test('what LinkedIn did not confirm is not sent a second time without approval', async () => {
  const { actor, attempt, known } = await claimed();
  const publication = (await attempt())!;
  await settle(db, publication, { kind: 'unknown', message: 'reset', status: null });
  const minuteAgo = later(-MINUTE);
  await db
    .updateTable('publishAttempts')
    .set({ startedAt: minuteAgo })
    .where('id', '=', publication.id)
    .execute();
  await ask(actor);
  assert.equal(await beginConfirmation(db, publication, known), undefined);
});

test('switched on while somebody has the post, it waits for them and covers what is left to wait', async () => {
  const { actor, postId } = await waiting();
  const gate = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const other = transact(db, async (trx) => {
    await trx.selectFrom('posts').select('id').where('id', '=', postId).forUpdate().execute();
    locked.resolve();
    await gate.promise;
    await trx
      .updateTable('postSchedules')
      .set({ status: 'published', dueAt: null, postedAt: new Date() })
      .where('postId', '=', postId)
      .execute();
  });
  await locked.promise;
  const asked = ask(actor);
  await untilBlocked(gate.resolve);
  await Promise.all([other, asked]);
  assert.equal(await statusOf(postId), 'published');
});

test('automation switched off and on again lets nothing out that was not approved', async () => {
  const { actor, postId } = await waiting(later(-MINUTE));
  await saveSettings(db, actor, { enabled: false });
  await enqueueDuePosts(db);
  await ask(actor);
  await saveSettings(db, actor, { enabled: true });
  await refitQueue(db, actor.userId);
  await releaseHeldEligible(db, later(5 * MINUTE));
  const { status, dueAt } = await readPost(db, postId);
  assert.equal(status, 'pending');
  assert.equal(await claimPost(db, postId, new Date(dueAt!.getTime() + MINUTE)), undefined);
});

test('in a restored database its owner is asked about a post that waits for approval by now', async () => {
  const { actor, postId } = await waiting(later(-MINUTE));
  await transact(db, async (trx) => {
    await trx
      .updateTable('automationSettings')
      .set({ requiresApproval: true })
      .where('userId', '=', actor.userId)
      .execute();
    await requireApprovalOfWaiting(trx, actor.userId);
  });
  assert.equal(await statusOf(postId), 'pending');
  await handToOwners(db, new Date());
  const { status, isUnconfirmed } = await readPost(db, postId);
  assert.deepEqual([status, isUnconfirmed], ['failed', true]);
});
