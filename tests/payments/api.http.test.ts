import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

let db: Db;
let origin: string;
let admin: string;
before(async () => {
  const database = await testDatabase();
  db = database.db;
  origin = (await startWeb({ databaseUrl: database.url })).url;
  admin = await tokenOf(db, await makeUser(db, { isAdmin: true }));
});

/** A user and their way to call the API. */
async function client(actor?: Actor) {
  const user = actor ?? (await makeUser(db));
  const token = await tokenOf(db, user);
  return {
    user,
    get: (path: string) => call(origin, 'GET', path, undefined, token),
    post: (path: string, body: object = {}) => call(origin, 'POST', path, body, token),
  };
}
const adminPost = (path: string, body: object = {}) => call(origin, 'POST', path, body, admin);

const PATHS = API_PATHS.filter((path) => /^\/(?:payment|admin)\//.test(path));

describe('who may call', () => {
  test('each method of each path is for signed-in users, and below /admin for admins', async () => {
    assert.ok(PATHS.length > 10);
    const token = await tokenOf(db, await makeUser(db));
    for (const path of PATHS) {
      const address = filled(path);
      const { headers } = await call(origin, 'PATCH', address);
      const methods = headers
        .get('Allow')!
        .split(', ')
        .filter((method) => method !== 'HEAD');
      for (const method of methods) {
        const stranger = await call(origin, method, address);
        assert.deepEqual([address, stranger.status, stranger.body.code], [address, 401, 'unauthenticated']);
        const { status } = await call(origin, method, address, undefined, token);
        assert.equal(status === 403, path.startsWith('/admin/'), `${method} ${address} ${status}`);
        assert.notEqual(status, 401);
      }
    }
  });
});

describe('prices', () => {
  test('are numbers in major units', async () => {
    const { get } = await client();
    const { body } = await get('/payment/currencies');
    assert.deepEqual(body.currencies[0], { code: 'USD', symbol: '$', name: 'US Dollar' });
    assert.deepEqual((await get('/payment/pricing/INR')).body, {
      pricing: [499, 1599, 3299, 5799, 8299].map((price, index) => ({ postsPerDay: index + 1, price })),
    });
    assert.equal((await get('/payment/pricing/XYZ')).status, 404);
  });
});

describe('a purchase', () => {
  test('goes from create over submit-proof and verify-payment to an active subscription', async () => {
    const { user, get, post } = await client();
    assert.deepEqual((await get('/payment/subscription')).body, { subscription: null });

    const created = await post('/payment/create', { postsPerDay: 2, currencyCode: 'INR' });
    assert.equal(created.status, 201);
    const { paymentInfo } = created.body;
    const { reference, validUntil } = paymentInfo;
    assert.ok(Math.abs(Date.parse(validUntil) - Date.now() - 72 * 3_600_000) < 60_000);
    assert.deepEqual(paymentInfo, {
      validUntil,
      startDate: null,
      goesOnAfter: [],
      method: 'upi',
      amount: 799.5,
      currencyCode: 'INR',
      currencySymbol: '₹',
      postsPerDay: 2,
      upiUrl: `upi://pay?pa=tidepost@examplebank&pn=Tidepost&am=799.50&cu=INR&tn=Tidepost%20${reference}`,
      upiId: 'tidepost@examplebank',
      paypalEmail: null,
      note: `Tidepost ${reference}`,
      reference,
      upgradeType: null,
      startImmediately: null,
      currentPlan: null,
      newPlan: { postsPerDay: 2, fullPrice: 1599 },
      promotion: { percent: 50, fullPrice: 1599 },
    });

    const proof = { transactionId: transactionId(), postsPerDay: 2, currencyCode: 'INR', amount: 799.5 };
    const submitted = await post('/payment/submit-proof', proof);
    assert.equal(submitted.status, 201);
    const { payment } = submitted.body;
    const { _id, createdAt } = payment;
    assert.deepEqual(payment, {
      _id,
      planType: 'standard',
      status: 'pending',
      postsPerDay: 2,
      currencySymbol: '₹',
      currencyCode: 'INR',
      amount: 799.5,
      paymentMethod: 'upi',
      transactionId: proof.transactionId,
      reference,
      upgradeType: null,
      createdAt,
      startDate: null,
      endDate: null,
      paymentVerifiedAt: null,
      rejectReason: null,
    });
    assert.equal((await get('/payment/subscription')).body.subscription.status, 'pending');

    const pending = await call(origin, 'GET', '/admin/pending-payments?limit=100', undefined, admin);
    const listed = pending.body.payments.find((row: { _id: string }) => row._id === _id);
    assert.deepEqual(listed.userId, { name: user.name, email: user.email });

    const verified = await adminPost(`/admin/verify-payment/${_id}`);
    assert.equal(verified.status, 200);
    assert.equal(verified.body.payment.status, 'active');
    const { subscription } = (await get('/payment/subscription')).body;
    assert.deepEqual(subscription, {
      status: 'active',
      postsPerDay: 2,
      currencyCode: 'INR',
      currencySymbol: '₹',
      amount: 799.5,
      startDate: verified.body.payment.startDate,
      endDate: verified.body.payment.endDate,
    });
    const { payments, nextCursor } = (await get('/payment/history')).body;
    assert.deepEqual([payments.length, payments[0]._id, nextCursor], [1, _id, null]);

    const again = await adminPost(`/admin/verify-payment/${_id}`);
    assert.deepEqual([again.status, again.body.code], [409, 'not_pending']);
  });

  test('is refused with the codes of the API', async () => {
    const { post } = await client();
    const whole = { transactionId: transactionId(), postsPerDay: 1, currencyCode: 'USD', amount: 3 };
    const blank = await post('/payment/submit-proof', { ...whole, transactionId: '  ' });
    assert.equal(blank.status, 422);
    assert.equal(blank.body.message, 'Please enter transaction ID');
    assert.deepEqual(blank.body.fields, { transactionId: ['Please enter transaction ID'] });
    for (const [change, status, code] of [
      [{ amount: 6 }, 409, 'amount_mismatch'],
      [{ amount: -3 }, 422, 'invalid'],
      [{ amount: null }, 422, 'invalid'],
      [{ amount: '3' }, 422, 'invalid'],
      [{ amount: 1e300 }, 409, 'amount_mismatch'],
      [{ postsPerDay: 6 }, 422, 'invalid'],
      [{ currencyCode: 'XYZ' }, 422, 'invalid'],
      [{ upgradeType: 'sideways' }, 422, 'invalid'],
      [{ upgradeType: 'immediate' }, 409, 'no_active_subscription'],
    ] as const) {
      const answer = await post('/payment/submit-proof', { ...whole, ...change });
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(change));
    }
    assert.equal((await post('/payment/submit-proof', { ...whole, status: 'active' })).status, 201);
    const pending = await post('/payment/create', { postsPerDay: 1, currencyCode: 'USD' });
    assert.deepEqual([pending.status, pending.body.code], [409, 'payment_pending']);
    const other = await client();
    const known = await other.post('/payment/submit-proof', whole);
    assert.deepEqual([known.status, known.body.code], [409, 'duplicate_transaction']);
  });

  test('that is rejected needs a reason, which the user can read', async () => {
    const { get, post } = await client();
    const proof = { transactionId: transactionId(), postsPerDay: 1, currencyCode: 'USD', amount: 3 };
    const { payment } = (await post('/payment/submit-proof', proof)).body;
    for (const reason of ['', '   ', undefined]) {
      const answer = await adminPost(`/admin/reject-payment/${payment._id}`, { reason });
      assert.deepEqual([answer.status, answer.body.code], [422, 'invalid']);
    }
    const rejected = await adminPost(`/admin/reject-payment/${payment._id}`, { reason: 'No transfer' });
    assert.deepEqual([rejected.status, rejected.body.payment.status], [200, 'rejected']);
    const { payments } = (await get('/payment/history')).body;
    assert.deepEqual([payments[0].status, payments[0].rejectReason], ['rejected', 'No transfer']);
    assert.equal((await post('/payment/submit-proof', proof)).status, 201);
  });
});

describe('an active plan', () => {
  test('is upgraded for the difference', async () => {
    const user = await makeUser(db);
    await makePlan(db, user, 2);
    const { post } = await client(user);
    const create = await post('/payment/create', { postsPerDay: 3, currencyCode: 'USD' });
    assert.deepEqual([create.status, create.body.code], [409, 'use_upgrade']);
    const same = await post('/payment/upgrade-plan', { newPostsPerDay: 2, currencyCode: 'USD' });
    assert.deepEqual([same.status, same.body.code], [409, 'same_plan']);
    const answer = await post('/payment/upgrade-plan', {
      newPostsPerDay: 3,
      currencyCode: 'USD',
      startImmediately: true,
    });
    assert.equal(answer.status, 201);
    const { amount, newPlan, currentPlan, upgradeType, startImmediately } = answer.body.paymentInfo;
    assert.deepEqual([upgradeType, startImmediately], ['immediate', true]);
    assert.deepEqual(newPlan, { postsPerDay: 3, fullPrice: 39 });
    // Half of the price was paid, and moments of the month are over.
    assert.deepEqual([currentPlan.remainingCredit, currentPlan.daysRemaining >= 28], [9.49, true]);
    assert.equal(amount, 29.51);
    const proof = { postsPerDay: 3, currencyCode: 'USD', amount, upgradeType, startImmediately };
    const submitted = await post('/payment/submit-proof', { ...proof, transactionId: transactionId() });
    assert.deepEqual([submitted.status, submitted.body.payment.upgradeType], [201, 'immediate']);
  });

  test('says before it is paid when the next one begins, and what goes on after one that begins at once', async () => {
    const user = await makeUser(db);
    const { endsAt } = await makePlan(db, user, 2, new Date(Date.now() - 86_400_000));
    const { post } = await client(user);
    const ask = async (newPostsPerDay: number, startImmediately: boolean) =>
      (await post('/payment/upgrade-plan', { newPostsPerDay, currencyCode: 'USD', startImmediately })).body
        .paymentInfo;
    // The same plan for later is a renewal.
    const renewal = await ask(2, false);
    assert.deepEqual(
      [renewal.upgradeType, renewal.startImmediately, renewal.startDate, renewal.amount],
      ['next_billing', false, endsAt!.toISOString(), 19],
    );
    assert.deepEqual(renewal.goesOnAfter, []);
    const next = await makePlan(db, user, 1, new Date(), { upgradeType: 'next_billing' });
    const { startDate, goesOnAfter } = await ask(3, true);
    assert.equal(startDate, null);
    assert.equal(goesOnAfter.length, 1);
    const [{ postsPerDay, ...moved }] = goesOnAfter;
    assert.deepEqual([postsPerDay, Object.keys(moved)], [1, ['startDate', 'endDate']]);
    // Behind the month that begins now, and a month itself.
    assert.ok(Date.parse(moved.startDate) > Date.now() + 27 * 86_400_000);
    assert.ok(Date.parse(moved.startDate) < next.startsAt!.getTime() + 5 * 86_400_000);
    assert.ok(Date.parse(moved.endDate) - Date.parse(moved.startDate) > 27 * 86_400_000);
    const third = await post('/payment/upgrade-plan', {
      newPostsPerDay: 4,
      currencyCode: 'USD',
      startImmediately: false,
    });
    assert.deepEqual([third.status, third.body.code], [409, 'plan_waits']);
  });

  test('is cancelled to its end date; without one there is nothing to cancel or upgrade', async () => {
    const user = await makeUser(db);
    const { post } = await client(user);
    for (const [path, body] of [
      ['/payment/cancel', {}],
      ['/payment/upgrade-plan', { newPostsPerDay: 3, currencyCode: 'USD', startImmediately: true }],
    ] as const) {
      const none = await post(path, body);
      assert.deepEqual([none.status, none.body.code], [409, 'no_active_subscription']);
    }
    const { endsAt } = await makePlan(db, user, 2);
    const { status, body } = await post('/payment/cancel');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.subscription.status, body.subscription.endDate],
      ['active', endsAt!.toISOString()],
    );
  });

  test('is listed for admins', async () => {
    const user = await makeUser(db);
    await makePlan(db, user, 5);
    const { body } = await call(origin, 'GET', '/admin/subscriptions', undefined, admin);
    assert.equal(body.subscriptions[0].userId.email, user.email);
    assert.equal(body.subscriptions[0].planType, 'enterprise');
  });
});
