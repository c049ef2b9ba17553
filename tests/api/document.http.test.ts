import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { WEBHOOK_EVENT_NAMES } from '#app/domain/webhooks/limits.ts';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { pictureOf } from '#tests/fixtures/screenshots.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Asked, contractOf } from '#tests/harness/http/openapi-contract.ts';
import { API_PATHS } from '#tests/harness/http/route-paths.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
let database: TestDatabase;
let url: string;
let contract: Awaited<ReturnType<typeof contractOf>>;
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } }));
  contract = await contractOf(url);
});

test('a linter finds nothing to say of the document', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // The address is where this runs, and nobody licenses a service.
    rules: { 'no-server-example.com': 'off', 'info-license': 'off', 'info-license-strict': 'off' },
  });
  const found = await lintFromString({ source: contract.text, config });
  const said = found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  );
  assert.deepEqual(said, []);
});

test('the document has every call of the routes and no other', () => {
  const ours = API_PATHS.filter((path) => !/\/(?:\*|openapi\.json)$/.test(path)).map((path) =>
    path
      .replace('/api/v1', '')
      .replace(/(\/automation\/posts\/:id)\/(?!acknowledge)\w+$/, '$1/:verb')
      .replaceAll(/:(\w+)/g, '{$1}'),
  );
  assert.deepEqual(Object.keys(contract.api.paths).toSorted(), [...new Set(ours)].toSorted());
  const ids = contract.operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { operation, name } of contract.operations) assert.ok(operation.summary.length > 10, name);
});

test('the document says which counts of admins are not of this moment, or count somebody twice', () => {
  const answerOf = (path: string, name: string) =>
    contract.api.paths[path].get.responses[200].content['application/json'].schema.properties[name]
      .properties;
  const { totalPosts, publishedPosts, totalUsers } = answerOf('/admin/stats', 'stats');
  for (const posts of [totalPosts, publishedPosts])
    assert.match(posts.description, /Of more than 2,000 accounts as they were counted last/);
  assert.equal(totalUsers.description, undefined);
  const { thisWeek } = answerOf('/visits/summary', 'summary');
  assert.match(thisWeek.properties.uniqueVisitors.description, /who came on two days counts twice/);
});

test('every call is made, with the body of its example, and answers as the document has it', async () => {
  const { db } = database;
  const done = new Set<string>();
  const works = async (name: string, asked: Asked = {}) => {
    const body = asked.body ?? contract.example(name);
    const answer = await contract.ask(name, { ...asked, ...(body && { body }) });
    assert.ok(answer.status < 300, `${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    done.add(name);
    return answer.body;
  };
  const as = async (actor: Actor) => {
    const token = await tokenOf(db, actor);
    await works('POST /account/confirm', { token, body: { password: PASSWORD } });
    return (name: string, asked: Asked = {}) => works(name, { token, ...asked });
  };

  const { email, password } = signUpInput();
  await works('POST /auth/signup', { body: { ...contract.example('POST /auth/signup'), email, password } });
  await aMinuteLater(db, email);
  await works('POST /auth/resend-otp', { body: { email } });
  await works('POST /auth/verify-otp', { body: { email, otp: await codeFor(db, email) } });
  const byLink = signUpInput();
  await works('POST /auth/signup', { body: byLink });
  const [mail] = await mailsTo(db, byLink.email, 'verifyEmail');
  const link = new URL(mail!.url).searchParams.get('token')!;
  await works('GET /auth/verify-email/{token}', { path: { token: link } });
  const { token } = await works('POST /auth/login', { body: { email, password } });
  for (const name of ['GET /auth/google', 'GET /auth/linkedin']) await works(name);
  await works('GET /auth/me', { token });
  await works('POST /auth/logout', { token });
  await aMinuteLater(db, email);
  await works('POST /auth/forgot-password', { body: { email } });
  const otp = await codeFor(db, email, 'resetPassword');
  await works('POST /auth/reset-password', { body: { email, otp, newPassword: PASSWORD } });

  const author = await makePublisher(db, outside.url, 2);
  const asAuthor = await as(author);
  const made = await asAuthor('POST /account/tokens');
  await asAuthor('GET /account/tokens');
  await asAuthor('DELETE /account/tokens/{id}', { path: { id: made.token._id } });
  await asAuthor('GET /account/export');
  const { webhook } = await asAuthor('POST /webhooks', {
    body: { url: 'https://hooks.example.com/tidepost', events: WEBHOOK_EVENT_NAMES },
  });
  const ofWebhook = { id: webhook._id as string };
  await asAuthor('GET /webhooks');
  const { topic } = await asAuthor('POST /topics');
  const ofTopic = { path: { id: topic._id as string } };
  await asAuthor('GET /topics');
  for (const method of ['GET', 'PUT']) await asAuthor(`${method} /topics/{id}`, ofTopic);
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await asAuthor('PUT /topics/{id}/pause', { ...ofTopic, body: { until } });
  await asAuthor('PUT /topics/{id}/resume', ofTopic);
  for (const method of ['GET', 'PUT']) await asAuthor(`${method} /automation/settings`);
  const { run } = await asAuthor('POST /automation/test-generate');
  await asAuthor('GET /automation/runs/{id}', { path: { id: run._id } });
  const dueAt = new Date(Date.now() + 2 * 86_400_000);
  const id = await makeScheduledPost(db, author, { dueAt });
  for (const name of ['posts', 'scheduled', 'stats']) await asAuthor(`GET /automation/${name}`);
  await asAuthor('PUT /automation/posts/{id}', { path: { id } });
  await standAs(db, id, { status: 'pending' });
  for (const verb of ['approve', 'publish'])
    await asAuthor('POST /automation/posts/{id}/{verb}', { path: { id, verb } });
  const lost = await makeScheduledPost(db, author, { dueAt });
  await standAs(db, lost, { status: 'failed', failure: 'unconfirmed', isUnconfirmed: true, dueAt: null });
  await asAuthor('POST /automation/posts/{id}/acknowledge', { path: { id: lost }, body: {} });
  const dropped = await makeScheduledPost(db, author, { dueAt });
  await asAuthor('DELETE /automation/posts/{id}', { path: { id: dropped } });
  for (const name of ['status', 'connect']) await asAuthor(`GET /linkedin/${name}`);
  await db.transaction().execute(async (trx) => {
    const { accessTokenSealed } = await trx
      .selectFrom('linkedinConnections')
      .select('accessTokenSealed')
      .where('userId', '=', author.userId)
      .executeTakeFirstOrThrow();
    await markConnectionExpired(trx, author.userId, accessTokenSealed);
  });
  const { deliveries } = await asAuthor('GET /webhooks/{id}/deliveries', { path: ofWebhook });
  assert.deepEqual(
    deliveries.map(({ type }: { type: string }) => type),
    ['linkedin.expired', 'post.published'],
  );
  const ofDelivery = { ...ofWebhook, deliveryId: deliveries[0]._id as string };
  await asAuthor('POST /webhooks/{id}/deliveries/{deliveryId}/resend', { path: ofDelivery });
  for (const name of ['POST /webhooks/{id}/secret', 'POST /webhooks/{id}/enable', 'DELETE /webhooks/{id}'])
    await asAuthor(name, { path: ofWebhook });
  await asAuthor('DELETE /linkedin/disconnect');
  await asAuthor('PUT /topics/{id}/toggle', ofTopic);
  await asAuthor('DELETE /topics/{id}', ofTopic);

  const asPayer = await as(await makeUser(db));
  const asAdmin = await as(await makeUser(db, { isAdmin: true }));
  for (const name of ['currencies', 'subscription', 'history']) await asPayer(`GET /payment/${name}`);
  await asPayer('GET /payment/pricing/{currency}', { path: { currency: 'USD' } });
  const { paymentInfo } = await asPayer('POST /payment/create');
  const proof = { ...contract.example('POST /payment/submit-proof'), amount: paymentInfo.amount };
  const { payment } = await asPayer('POST /payment/submit-proof', { body: proof });
  const ofPayment = { path: { id: payment._id as string } };
  const picture = { paymentId: payment._id, contentType: 'image/webp', bytes: await pictureOf('webp') };
  await db.insertInto('paymentScreenshots').values(picture).execute();
  await asAdmin('GET /admin/pending-payments');
  await asAdmin('GET /admin/payment-screenshot/{id}', ofPayment);
  await asAdmin('POST /admin/verify-payment/{id}', ofPayment);
  await asPayer('GET /payment/history');
  await asPayer('POST /payment/upgrade-plan');
  await asPayer('POST /payment/cancel');
  const other = await makePayment(db, await makeUser(db), 1);
  await asAdmin('POST /admin/reject-payment/{id}', { path: { id: other.id } });
  for (const name of ['subscriptions', 'stats', 'users']) await asAdmin(`GET /admin/${name}`);
  await asAdmin('GET /admin/users/{id}/posts', { path: { id: author.userId } });

  const { feedback } = await asPayer('POST /feedback/submit');
  const ofFeedback = { path: { id: feedback._id as string } };
  await asPayer('GET /feedback/my-feedback');
  await asPayer('GET /feedback/{id}', ofFeedback);
  await asPayer('POST /feedback/{id}/upvote', ofFeedback);
  await asAdmin('GET /feedback/admin/all');
  await asAdmin('PUT /feedback/admin/{id}/status', ofFeedback);
  const { ticket } = await asPayer('POST /support/submit');
  const ofTicket = { path: { id: ticket._id as string } };
  await asPayer('GET /support/tickets');
  await asPayer('GET /support/tickets/{id}', ofTicket);
  await asAdmin('GET /support/admin/all');
  await asAdmin('PUT /support/admin/{id}/status', ofTicket);
  for (const name of ['POST /visits/track', 'POST /email-tracking/click', 'GET /public/top-posts'])
    await works(name);
  for (const name of ['analytics', 'summary']) {
    await asAdmin(`GET /visits/${name}`);
    await asAdmin(`GET /email-tracking/${name}`);
  }
  await asPayer('DELETE /account', { body: { password: PASSWORD } });
  const social = await makeUser(db);
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', social.userId).execute();
  await works('POST /account/confirm/code', { token: await tokenOf(db, social), body: {} });

  const names = contract.operations.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !done.has(name)),
    [],
  );
});

test('who may not, asks for what is not there, or sends nonsense is answered as the document has it', async () => {
  const { db } = database;
  const people = [undefined, await makeUser(db), await makeUser(db, { isAdmin: true })];
  const path = { id: 'nowhere', deliveryId: 'nowhere', currency: 'XXX', token: 'none', verb: 'publish' };
  for (const [actor, { name, operation }] of people.flatMap((one) =>
    contract.operations.map((each) => [one, each] as const),
  )) {
    const token = actor && (await tokenOf(db, actor));
    const bodies = operation.requestBody
      ? [{}, { name: 7, email: [], reason: {}, status: 'no' }]
      : [undefined];
    for (const body of bodies) {
      const { status } = await contract.ask(name, { path, ...(token && { token }), ...(body && { body }) });
      assert.ok(status < 500, `${name} ${status}`);
      if (!token && operation.security.length === 1) assert.equal(status, 401, name);
    }
  }
});
