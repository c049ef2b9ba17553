import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import { disableAccount, enableAccount } from '#app/domain/operations/disable-account.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { refitQueue } from '#app/domain/publishing/slots/apply-settings.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { env } from '#app/env.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { authorOf } from '#tests/fixtures/linkedin.ts';
import { findQueued, makePublisher, makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const admin = await makeUser(db, { isAdmin: true });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const disable = ({ userId }: { userId: string }) =>
  disableAccount(db, admin, { userId, reason: 'Posts spam for others' });

test('whoever is disabled is signed out everywhere, and nobody signs in until the account is enabled', async () => {
  const actor = await makeUser(db);
  const sessions = [
    { kind: 'web', token: (await createSession(db, actor.userId, 'web', 'browser')).token },
    { kind: 'api', token: (await createSession(db, actor.userId, 'api', 'program')).token },
    {
      kind: 'api',
      token: (await createToken(db, await inSession(db, actor), { name: 'CI', scope: 'write' })).secret,
    },
  ] as const;
  await disable(actor);
  for (const { token, kind } of sessions) assert.equal(await findSession(db, token, kind), undefined);
  for (const kind of ['web', 'api'] as const)
    await assert.rejects(createSession(db, actor.userId, kind, 'again'), {
      status: 403,
      code: 'account_disabled',
    });
  await enableAccount(db, admin, actor.userId);
  assert.ok((await createSession(db, actor.userId, 'web', 'again')).token);
});

test('of a sign-in at the same moment nothing is left', async () => {
  const actor = await makeUser(db);
  await Promise.all([
    disable(actor),
    ...Array.from({ length: 6 }, () => createSession(db, actor.userId, 'web', 'quick').catch(() => null)),
  ]);
  const left = await db.selectFrom('sessions').select('id').where('userId', '=', actor.userId).execute();
  assert.deepEqual(left, []);
});

test('what is due stays where it is, also what was sent by hand, and goes on when the account does', async () => {
  const actor = await makePublisher(db, outside.url);
  const due = await makeScheduledPost(db, actor);
  const byHand = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  await publishNow(db, actor, byHand);
  await disable(actor);
  await enqueueDuePosts(db);
  for (const id of [due, byHand]) {
    assert.equal(await claimPost(db, id), undefined);
    await publishPost(db, id);
    assert.equal((await findPost(db, actor, id)).status, 'generated');
    assert.ok(await findQueued(db, id), 'in its place');
  }
  await enableAccount(db, admin, actor.userId);
  await refitQueue(db, actor.userId);
  await publishPost(db, byHand);
  assert.equal((await findPost(db, actor, byHand)).status, 'published');
});

test('a post that a worker has taken already does not go when its owner is disabled before the call', async () => {
  const actor = await makePublisher(db, outside.url);
  const claim = (await claimPost(db, await makeScheduledPost(db, actor)))!;
  const begin = async () => beginAttempt(db, claim, await authorOf(db, actor.userId), await readIdentity(db));
  await disable(actor);
  assert.equal(await begin(), undefined);
  await enableAccount(db, admin, actor.userId);
  assert.ok(await begin(), 'nothing else keeps it');
});

test('nothing is written for whoever is disabled', async () => {
  const actor = await makePublisher(db, outside.url);
  await makeTopic(db, actor);
  const run = await generateNow(db, actor, { count: 1 });
  await disable(actor);
  const { status } = await db
    .selectFrom('generationRuns')
    .select('status')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow();
  assert.equal(status, 'complete');
  const runs = async () =>
    (await db.selectFrom('generationRuns').select('id').where('userId', '=', actor.userId).execute()).length;
  await startDueRuns(db, inDays(2));
  assert.equal(await runs(), 1);
  await enableAccount(db, admin, actor.userId);
  await startDueRuns(db, inDays(2));
  assert.equal(await runs(), 2);
});

test('each is done once, never to oneself, and stands in the audit log with its reason', async () => {
  const actor = await makeUser(db);
  await assert.rejects(disable(admin), { status: 409, code: 'own_account' });
  await assert.rejects(enableAccount(db, admin, actor.userId), { status: 409, code: 'not_disabled' });
  const both = await Promise.allSettled([disable(actor), disable(actor)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await enableAccount(db, admin, actor.userId);
  const entries = (await listAuditLog(db)).entries.filter(({ subjectId }) => subjectId === actor.userId);
  assert.deepEqual(
    entries.map(({ action, detail }) => [
      action,
      (detail.before as { reason: string })?.reason ?? detail.reason,
    ]),
    [
      ['account.enabled', 'Posts spam for others'],
      ['account.disabled', 'Posts spam for others'],
    ],
  );
  for (const nobody of ['x', '00000000-0000-4000-8000-000000000000'])
    await assert.rejects(disable({ userId: nobody }), { status: 404 });
});

test('who is disabled is mailed why and whom to write to, and who is enabled that it works again, each with what is done', async () => {
  const actor = await makeUser(db);
  await disable(actor);
  await assert.rejects(disable(actor), { code: 'already_disabled' });
  const [told, ...more] = await mailsTo(db, actor.email, 'accountDisabled');
  assert.deepEqual([told!.reason, told!.support, more], ['Posts spam for others', env().SUPPORT_EMAIL, []]);
  assert.match(JSON.stringify(mailText('accountDisabled', told!)), /published for you any more/);
  await enableAccount(db, admin, actor.userId);
  await assert.rejects(enableAccount(db, admin, actor.userId), { code: 'not_disabled' });
  assert.equal((await mailsTo(db, actor.email, 'accountEnabled')).length, 1);
});
