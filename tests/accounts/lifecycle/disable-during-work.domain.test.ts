import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import { cancelDeletion, requestDeletion } from '#app/domain/account-deletion/request.ts';
import { countOtherAdmins } from '#app/domain/accounts/admins.ts';
import { connectMember } from '#app/domain/linkedin/connect/connect.ts';
import { createPendingConnection } from '#app/domain/linkedin/connect/pending.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { disableAccount, enableAccount } from '#app/domain/operations/disable-account.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { warnEndingPlans } from '#app/domain/payments/subscription/expiry.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { approveByEmail, skipByEmail } from '#app/domain/publishing/approval/decide-by-email.ts';
import { approvalLinks, openLink } from '#app/domain/publishing/approval/links.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { beginConfirmation } from '#app/domain/publishing/outcome/confirm.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { sendBatch } from '#app/domain/publishing/send/batch-sender.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { releaseUnchosen } from '#app/domain/publishing/slots/missed-while-disconnected.ts';
import { warnEndingConnections } from '#app/domain/publishing/warn-expiring-connection.ts';
import { suggestAltText } from '#app/domain/writing/alt-text/suggest.ts';
import { requestRewrite } from '#app/domain/writing/rewrite/rewrite.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { askedMember, authorOf, connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { endPlanAt, makePayment } from '#tests/fixtures/payments.ts';
import { findQueued, makePublisher, makeScheduledPost, makeTopic, readPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const admin = await makeUser(db, { isAdmin: true });
const DAY = 86_400_000;
const later = (ms: number) => new Date(Date.now() + ms);
const disable = ({ userId }: Actor, by = admin) => disableAccount(db, by, { userId, reason: 'Spam' });
const countBlocked = async () => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
  return rows.length;
};
const STOPPED = { status: 403, code: 'account_disabled' };

test('what was on its way when its account was disabled begins nothing', async () => {
  const actor = await makePublisher(db, outside.url);
  const { id: topicId } = await makeTopic(db, actor);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(DAY) });
  await db.updateTable('posts').set({ topicId }).where('id', '=', postId).execute();
  await disable(actor);
  const picture = { imageUrl: `${outside.url}/picture.png`, content: 'A pier', altText: '' };
  const ON_ITS_WAY = {
    generateNow: () => generateNow(db, actor, { count: 1 }),
    publishNow: () => publishNow(db, actor, postId),
    writeAgain: () => requestRewrite(db, actor, { postId, instruction: '' }),
    suggestAltText: () => suggestAltText(db, actor, { ...picture, postId }),
  };
  for (const [name, act] of Object.entries(ON_ITS_WAY)) await assert.rejects(act(), STOPPED, name);
  const runs = await db
    .selectFrom('generationRuns')
    .select('id')
    .where('userId', '=', actor.userId)
    .execute();
  assert.deepEqual(runs, []);
  assert.equal((await findQueued(db, postId))!.isManual, false);
});

test('no LinkedIn is connected, and nothing that it gave is kept, once the account is disabled', async () => {
  const actor = await makeUser(db);
  const member = await askedMember(db, `${actor.userId}@members.example`);
  await disable(actor);
  await assert.rejects(connectMember(db, actor.userId, member), STOPPED);
  await assert.rejects(createPendingConnection(db, actor.userId, member), STOPPED);
  assert.equal(await isUserConnected(db, actor.userId, new Date()), false);
});

test('who had the page of an approval mail open decides nothing after the account was disabled', async () => {
  const actor = await makePublisher(db, outside.url);
  const dueAt = later(2 * DAY);
  const postId = await makeScheduledPost(db, actor, { dueAt });
  await saveSettings(db, actor, { requireApproval: true });
  const linkTo = await approvalLinks(db, actor.userId, new Date());
  const key = new URL(linkTo({ id: postId, revision: 0 }, dueAt)).searchParams.get('key')!;
  const link = await openLink(db, postId, key, new Date());
  await disable(actor);
  await assert.rejects(openLink(db, postId, key, new Date()), { status: 404, code: 'link_invalid' });
  await assert.rejects(approveByEmail(db, link, 0), STOPPED);
  await assert.rejects(skipByEmail(db, link), STOPPED);
  const { status, decidedByEmailAt } = await readPost(db, postId);
  assert.deepEqual([status, decidedByEmailAt], ['pending', null]);
});

test('a run that was begun while its user was being disabled is ended by the worker that takes it', async () => {
  const actor = await makePublisher(db, outside.url);
  await makeTopic(db, actor);
  let starting: Promise<number> | undefined;
  await transact(db, async (trx) => {
    await disableAccount(trx, admin, { userId: actor.userId, reason: 'Spam' });
    // It has seen that the user is due before that is committed, and waits to write the run down.
    starting = startDueRuns(db, later(2 * DAY));
    await until('it waits', async () => (await countBlocked()) > 0);
  });
  await starting;
  const runOf = () =>
    db
      .selectFrom('generationRuns')
      .select(['id', 'status'])
      .where('userId', '=', actor.userId)
      .executeTakeFirst();
  const run = await runOf();
  assert.equal(run?.status, 'queued');
  await writeRun(db, run.id);
  assert.equal((await runOf())!.status, 'complete');
  const posts = await db.selectFrom('posts').select('id').where('userId', '=', actor.userId).execute();
  assert.deepEqual(posts, []);
});

test('a post that LinkedIn did not confirm is not sent once more for whoever is disabled', async () => {
  const actor = await makePublisher(db, outside.url);
  const claim = (await claimPost(db, await makeScheduledPost(db, actor)))!;
  const known = await readIdentity(db);
  const attempt = (await beginAttempt(db, claim, await authorOf(db, actor.userId), known))!;
  await settle(db, attempt, { kind: 'unknown', message: 'reset', status: null });
  const startedAt = later(-60_000);
  await db.updateTable('publishAttempts').set({ startedAt }).where('id', '=', attempt.id).execute();
  await disable(actor);
  assert.equal(await beginConfirmation(db, attempt, known), undefined);
  await enableAccount(db, admin, actor.userId);
  assert.ok(await beginConfirmation(db, attempt, known), 'nothing else keeps it');
});

test('what is sent together goes without the posts of whoever is disabled', async () => {
  const actors = [await makePublisher(db, outside.url), await makePublisher(db, outside.url)];
  const ids = [];
  for (const actor of actors) ids.push(await makeScheduledPost(db, actor));
  await enqueueDuePosts(db);
  await disable(actors[0]!);
  await sendBatch(db, 0);
  const statuses = await Promise.all(
    ids.map(async (id, nth) => (await findPost(db, actors[nth]!, id)).status),
  );
  assert.deepEqual(statuses, ['generated', 'published']);
});

test('missed posts keep their places, and their choice, for as long as the account is disabled', async () => {
  const actor = await makePublisher(db, outside.url);
  await setConnection(db, actor, { status: 'expired' });
  const id = await makeScheduledPost(db, actor, { dueAt: later(-2 * 3_600_000) });
  await enqueueDuePosts(db);
  await connectLinkedIn(db, actor, outside.url);
  const placeOf = async () => (await findQueued(db, id))!.dueAt.getTime();
  const before = await placeOf();
  await disable(actor);
  await releaseUnchosen(db, later(4 * DAY));
  assert.equal(await placeOf(), before);
  assert.deepEqual(await mailsTo(db, actor.email, 'postsResumed'), []);
  await enableAccount(db, admin, actor.userId);
  await releaseUnchosen(db, later(4 * DAY));
  assert.notEqual(await placeOf(), before);
});

test('whoever is disabled is not asked to pay, or to connect LinkedIn again, until the account goes on', async () => {
  const actor = await makePublisher(db, outside.url);
  await endPlanAt(db, actor, later(2 * DAY));
  await setConnection(db, actor, { expiresAt: later(2 * DAY), refreshExpiresAt: null });
  const warn = async () => {
    await warnEndingPlans(db);
    await warnEndingConnections(db);
    const [plan, linkedIn] = await Promise.all([
      mailsTo(db, actor.email, 'planEnding'),
      mailsTo(db, actor.email, 'linkedInEnding'),
    ]);
    return [plan.length, linkedIn.length];
  };
  await disable(actor);
  assert.deepEqual(await warn(), [0, 0]);
  await enableAccount(db, admin, actor.userId);
  assert.deepEqual(await warn(), [1, 1]);
});

test('an admin who is disabled is told nothing of payments, and is not one who stays', async () => {
  const [first, other] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })];
  await disable(other);
  const staying = await countOtherAdmins(db, first.userId);
  await enableAccount(db, admin, other.userId);
  assert.equal(await countOtherAdmins(db, first.userId), staying + 1);
  await disable(other);
  await makePayment(db, await makeUser(db), 1);
  assert.equal((await mailsTo(db, first.email, 'paymentToVerify')).length, 1);
  assert.deepEqual(await mailsTo(db, other.email, 'paymentToVerify'), []);
});

test('what an admin was about to do is refused once they are disabled, or are no admin any more', async () => {
  const [stopped, former] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })];
  const { id, status } = await makePayment(db, await makeUser(db), 1);
  await disable(stopped);
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', former.userId).execute();
  const someone = await makeUser(db);
  for (const by of [stopped, former]) {
    await assert.rejects(verifyPayment(db, by, id), { status: 403, code: 'forbidden' });
    await assert.rejects(disable(someone, by), { status: 403, code: 'forbidden' });
  }
  const payment = await db.selectFrom('payments').select('status').where('id', '=', id).executeTakeFirst();
  assert.equal(payment!.status, status);
  await disable(someone);
});

test('of two admins who disable each other at the same moment one stays', async () => {
  for (let time = 0; time < 5; time += 1) {
    const [one, two] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })];
    const both = await Promise.allSettled([disable(one, two), disable(two, one)]);
    const refused = both.filter((each) => each.status === 'rejected');
    assert.deepEqual(
      refused.map(({ reason }) => reason.code),
      ['forbidden'],
    );
  }
});

test('the last admin who stays is not disabled by one who leaves', async () => {
  const { db: own } = await testDatabase();
  const [leaver, last] = [await makeUser(own, { isAdmin: true }), await makeUser(own, { isAdmin: true })];
  await requestDeletion(own, leaver, null);
  const stop = () => disableAccount(own, leaver, { userId: last.userId, reason: 'A quarrel' });
  await assert.rejects(stop(), { status: 409, code: 'last_admin' });
  await assert.rejects(requestDeletion(own, last, null), { status: 409, code: 'last_admin' });
  await cancelDeletion(own, leaver.userId);
  await stop();
  await assert.rejects(requestDeletion(own, leaver, null), { status: 409, code: 'last_admin' });
});
