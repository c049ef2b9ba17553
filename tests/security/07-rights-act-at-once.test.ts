import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const ADMIN_PAGES = ['/app/admin', '/app/admin/audit', '/app/admin/publishing', '/app/admin/writing'];

test('7 who is no admin any more is none on the next request, in browsers and by a token', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const [browser, token] = [await browserOf(db, admin, url), await tokenOf(db, admin)];
  const payer = await makeUser(db);
  const { id } = await makePayment(db, payer, 1);
  const asked = async () => ({
    pages: await Promise.all(ADMIN_PAGES.map(async (path) => (await browser.get(path)).status)),
    data: (await browser.get('/app/admin.data')).status,
    verify: (await browser.post('/app/admin/payments/none/verify')).status,
    api: (await call(url, 'GET', '/admin/pending-payments', undefined, token)).status,
  });
  assert.deepEqual(await asked(), { pages: [200, 200, 200, 200], data: 200, verify: 302, api: 200 });

  // In the database alone: nothing that the browser or the token carries says who they are.
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.userId).execute();
  assert.deepEqual(await asked(), { pages: [403, 403, 403, 403], data: 403, verify: 403, api: 403 });
  const answer = await call(url, 'POST', `/admin/verify-payment/${id}`, {}, token);
  assert.equal(answer.status, 403);
  const { status } = await db
    .selectFrom('payments')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(status, 'pending');
});

test('7 a plan that has ended gives nothing on the next request', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const token = await tokenOf(db, user);
  const { id } = await makePayment(db, user, 1);
  const period = { startsAt: new Date(Date.now() - 86_400_000), endsAt: new Date(Date.now() + 86_400_000) };
  await db
    .updateTable('payments')
    .set({ status: 'active', ...period })
    .where('id', '=', id)
    .execute();
  const enable = async () =>
    (await call(url, 'PUT', '/automation/settings', { enabled: true }, token)).status;
  assert.equal(await enable(), 200);
  await db
    .updateTable('payments')
    .set({ endsAt: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute();
  assert.equal(await enable(), 402);
});
