import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCancelLink } from '#app/domain/account-deletion/cancel-link.ts';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { cancelDeletion, requestDeletion } from '#app/domain/account-deletion/request.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { deliverMail } from '#app/domain/email/send.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { watchEvents } from '#app/domain/platform/events.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { refitQueue } from '#app/domain/publishing/slots/apply-settings.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { authorOf } from '#tests/fixtures/linkedin.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { findQueued, makePublisher, makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
process.env.SMTP_URL = outside.smtpUrl;
const { db, pool } = await testDatabase();
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const keyOf = (url: string) => new URL(url).searchParams.get('key')!;
const leave = (actor: Actor) => requestDeletion(db, actor, null);

test('it waits for a week, is told by mail, and ends all sessions but the one that asked', async () => {
  const actor = await makeUser(db);
  const [own, other, program] = [
    await createSession(db, actor.userId, 'web', 'own'),
    await createSession(db, actor.userId, 'web', 'other'),
    await createSession(db, actor.userId, 'api', 'program'),
  ];
  const { sessionId } = (await findSession(db, own.token, 'web'))!;
  const now = new Date('2026-11-23T20:00:00Z');
  const { eraseAt } = await requestDeletion(db, actor, sessionId, now);
  assert.equal(eraseAt.toISOString(), '2026-11-30T20:00:00.000Z');
  assert.ok(await findSession(db, own.token, 'web'));
  assert.equal(await findSession(db, other.token, 'web'), undefined);
  assert.equal(await findSession(db, program.token, 'api'), undefined);
  const [mail] = await mailsTo(db, actor.email, 'deletionBegun');
  assert.match(mail!.at, /Mon, Nov 30, 20:00/);
  await assert.rejects(leave(actor), { status: 409, code: 'account_leaving' });
});

test('the last admin stays, also when two leave at the same moment', async () => {
  const [ada, ben] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })];
  const others = await db.selectFrom('users').select('id').where('role', '=', 'admin').execute();
  for (const { id } of others)
    if (id !== ada.userId && id !== ben.userId)
      await db.updateTable('users').set({ role: 'user' }).where('id', '=', id).execute();
  const results = await Promise.allSettled([leave(ada), leave(ben)]);
  const refused = results.filter((each) => each.status === 'rejected');
  assert.equal(refused.length, 1);
  assert.equal(refused[0]!.reason.code, 'last_admin');
  const left = results[0]!.status === 'fulfilled' ? ada : ben;
  await cancelDeletion(db, left.userId);
  await leave(left === ada ? ben : ada);
});

test('what was due stays where it is, and nothing is sent by hand', async () => {
  const actor = await makePublisher(db, outside.url);
  const due = await makeScheduledPost(db, actor);
  const byHand = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  await publishNow(db, actor, byHand);
  await leave(actor);
  await enqueueDuePosts(db);
  for (const id of [due, byHand]) {
    assert.equal(await claimPost(db, id), undefined);
    await publishPost(db, id);
    assert.equal((await findPost(db, actor, id)).status, 'generated');
    assert.ok(await findQueued(db, id), 'in its place');
  }
  await assert.rejects(publishNow(db, actor, due), { status: 409, code: 'account_leaving' });
  await cancelDeletion(db, actor.userId);
  await refitQueue(db, actor.userId);
  await publishPost(db, byHand);
  assert.equal((await findPost(db, actor, byHand)).status, 'published');
});

test('a post that a worker has taken already does not go when its owner asks to leave before the call', async () => {
  const actor = await makePublisher(db, outside.url);
  const id = await makeScheduledPost(db, actor);
  const claim = (await claimPost(db, id))!;
  assert.ok(claim);
  const begin = async () => beginAttempt(db, claim, await authorOf(db, actor.userId), await readIdentity(db));
  await leave(actor);
  assert.equal(await begin(), undefined);
  await cancelDeletion(db, actor.userId);
  assert.ok(await begin(), 'nothing else keeps it');
});

test('nothing is written: no run begins, one that is under way ends, and none can be asked for', async () => {
  const actor = await makePublisher(db, outside.url);
  await makeTopic(db, actor);
  const run = await generateNow(db, actor, { count: 1 });
  await leave(actor);
  const stopped = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow();
  assert.equal(stopped.status, 'complete');
  await assert.rejects(generateNow(db, actor, { count: 1 }), { status: 409, code: 'account_leaving' });
  const runs = async () =>
    (await db.selectFrom('generationRuns').select('id').where('userId', '=', actor.userId).execute()).length;
  await startDueRuns(db, inDays(2));
  assert.equal(await runs(), 1);
  await cancelDeletion(db, actor.userId);
  await startDueRuns(db, inDays(2));
  assert.equal(await runs(), 2);
});

test('a post that waits for approval is not set aside meanwhile', async () => {
  const actor = await makePublisher(db, outside.url);
  const id = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 1_000) });
  await standAs(db, id, { status: 'pending', heldAt: new Date() });
  await leave(actor);
  const before = await findQueued(db, id);
  await setAsideUnapproved(db, new Date());
  assert.deepEqual(await findQueued(db, id), before);
  await cancelDeletion(db, actor.userId);
  await setAsideUnapproved(db, new Date());
  assert.notDeepEqual(await findQueued(db, id), before);
});

test('the mailed link keeps the account, whatever password it has by then, and nothing else does', async () => {
  const [actor, other] = [await makeUser(db), await makeUser(db)];
  await leave(actor);
  await leave(other);
  const [mail] = await mailsTo(db, actor.email, 'deletionBegun');
  const key = keyOf(mail!.url);
  await db.updateTable('users').set({ passwordHash: 'another' }).where('id', '=', actor.userId).execute();
  assert.equal((await openCancelLink(db, key)).userId, actor.userId);
  const otherKey = keyOf((await mailsTo(db, other.email, 'deletionBegun'))[0]!.url);
  const [id, ...signature] = key.split('.');
  const mixed = [otherKey.split('.')[0], ...signature].join('.');
  for (const wrong of ['', 'x', id!, mixed, `${key}x`, key.slice(0, -1), `${key}.${'y'.repeat(9_999)}`])
    await assert.rejects(openCancelLink(db, wrong), { status: 404 });
  await cancelDeletion(db, actor.userId);
  await assert.rejects(openCancelLink(db, key), { status: 404 });
  await assert.rejects(cancelDeletion(db, actor.userId), { status: 409, code: 'not_leaving' });
  assert.equal((await mailsTo(db, actor.email, 'accountKept')).length, 1);
  // A later deletion has a link of its own.
  await leave(actor);
  await assert.rejects(openCancelLink(db, key), { status: 404 });
});

test('an account that is being deleted cannot be kept any more', async () => {
  const actor = await makeUser(db);
  await leave(actor);
  const [mail] = await mailsTo(db, actor.email, 'deletionBegun');
  const erasingAt = new Date();
  await db.updateTable('accountDeletions').set({ erasingAt }).where('userId', '=', actor.userId).execute();
  await assert.rejects(cancelDeletion(db, actor.userId), { status: 409 });
  await assert.rejects(openCancelLink(db, keyOf(mail!.url)), { status: 409, code: 'too_late' });
});

test('a payment that waits can be decided as long as the account is there', async () => {
  const [payer, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const { id } = await makePayment(db, payer, 1);
  await leave(payer);
  const { status, endsAt } = await verifyPayment(db, admin, id);
  assert.equal(status, 'active');
  await eraseDue(db, inDays(7));
  const { rows } = await pool.query('select * from payments where id = $1', [id]);
  const { user_id, payer_name, payer_email, ends_at, verified_by } = rows[0];
  assert.deepEqual([user_id, payer_name, payer_email, rows[0].status], [null, '', '', 'cancelled']);
  assert.deepEqual([ends_at, verified_by], [endsAt, admin.userId]);
  await assert.rejects(
    pool.query(`update payments set payer_name = 'Ada' where id = $1`, [id]),
    /without_payer/,
  );
});

test('the last mail is forgotten with its address as soon as it is out', async () => {
  const actor = await makeUser(db);
  await leave(actor);
  await eraseDue(db, inDays(7));
  const mails = await db.selectFrom('mails').selectAll().where('toAddress', '=', actor.email).execute();
  assert.deepEqual(
    mails.map(({ kind, userId }) => [kind, userId]),
    [['accountDeleted', null]],
  );
  await deliverMail(db, mails[0]!.id);
  assert.deepEqual(
    await db.selectFrom('mails').selectAll().where('toAddress', '=', actor.email).execute(),
    [],
  );
});

test('each step is told as an event', async () => {
  const actor = await makeUser(db);
  const told: string[] = [];
  const unwatch = watchEvents(({ event, userId }) => userId === actor.userId && told.push(event));
  await leave(actor);
  await cancelDeletion(db, actor.userId);
  await leave(actor);
  await eraseDue(db, inDays(7));
  unwatch();
  assert.deepEqual(told, ['deletion_begun', 'deletion_undone', 'deletion_begun', 'deletion_done']);
});
