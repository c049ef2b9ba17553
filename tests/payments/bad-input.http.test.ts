import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { endPlanAt, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let db: Db;
let origin: string;
let admins: string[];
before(async () => {
  const database = await testDatabase();
  db = database.db;
  origin = (await startWeb({ databaseUrl: database.url })).url;
  const people = await Promise.all([1, 2, 3].map(() => makeUser(db, { isAdmin: true })));
  admins = await Promise.all(people.map((admin) => tokenOf(db, admin)));
});

async function client() {
  const user = await makeUser(db);
  const token = await tokenOf(db, user);
  return {
    user,
    get: (path: string) => call(origin, 'GET', path, undefined, token),
    post: (path: string, body: object = {}) => call(origin, 'POST', path, body, token),
  };
}
type Client = Awaited<ReturnType<typeof client>>;

const decide = (admin: number, verb: 'verify' | 'reject', id: string) =>
  call(origin, 'POST', `/admin/${verb}-payment/${id}`, { reason: 'No such transfer' }, admins[admin]);

const proof = (change: object = {}) => ({
  transactionId: transactionId(),
  postsPerDay: 1,
  currencyCode: 'USD',
  amount: 3,
  ...change,
});

const submit = async ({ post }: Client, change: object = {}) => {
  const answer = await post('/payment/submit-proof', proof(change));
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.payment;
};

/** Everything that a payment writes, of one user. */
async function rowsOf({ user }: Client) {
  const payments = await db
    .selectFrom('payments')
    .select(['status', 'startsAt'])
    .where('userId', '=', user.userId)
    .execute();
  const requests = await db
    .selectFrom('paymentRequests')
    .select('status')
    .where('userId', '=', user.userId)
    .execute();
  const mails = await db.selectFrom('mails').select('kind').where('userId', '=', user.userId).execute();
  return {
    payments,
    requests: requests.map(({ status }) => status),
    mails: mails.map(({ kind }) => kind).sort(),
  };
}

const outcome = ({ status, body }: { status: number; body: { code?: string } }) =>
  `${status} ${body.code ?? ''}`.trim();
const count = (outcomes: string[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([key, all]) => [key, all.length]));

describe('a payment request', () => {
  test('is one, however often and at once it is asked for, and says what is taken', async () => {
    const one = await client();
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => one.post('/payment/create', { postsPerDay: 1, currencyCode: 'USD' })),
    );
    const infos = asked.map(({ status, body }) => [
      status,
      body.paymentInfo.reference,
      body.paymentInfo.validUntil,
    ]);
    assert.equal(new Set(infos.map(String)).size, 1, String(infos));
    assert.deepEqual((await rowsOf(one)).requests, ['open']);
    // The price and the promotion are others meanwhile.
    await db
      .updateTable('prices')
      .set({ amountMinor: 700 })
      .where('currencyCode', '=', 'USD')
      .where('postsPerDay', '=', 1)
      .execute();
    try {
      const payment = await submit(one);
      assert.deepEqual([payment.amount, payment.reference], [3, infos[0]![1]]);
    } finally {
      await db
        .updateTable('prices')
        .set({ amountMinor: 600 })
        .where('currencyCode', '=', 'USD')
        .where('postsPerDay', '=', 1)
        .execute();
    }
  });

  test('of a plan that has ended meanwhile is taken still', async () => {
    const one = await client();
    await makePlan(db, one.user, 2, new Date(Date.now() - 86_400_000));
    const upgrade = { newPostsPerDay: 3, currencyCode: 'USD', startImmediately: true };
    const { paymentInfo } = (await one.post('/payment/upgrade-plan', upgrade)).body;
    await endPlanAt(db, one.user, new Date());
    const change = { postsPerDay: 3, amount: paymentInfo.amount, upgradeType: 'immediate' };
    const [answer] = await Promise.all([one.post('/payment/submit-proof', proof(change)), endPlans(db)]);
    assert.deepEqual([answer.status, answer.body.payment?.reference], [201, paymentInfo.reference]);
  });

  test('that is over is taken while it would say the same, with its reference, and is refused by name when not', async () => {
    const over = { expiresAt: new Date(Date.now() - 1) };
    const [same, other] = [await client(), await client()];
    for (const { user, post } of [same, other]) {
      await post('/payment/create', { postsPerDay: 1, currencyCode: 'USD' });
      await db.updateTable('paymentRequests').set(over).where('userId', '=', user.userId).execute();
    }
    const [{ reference }] = (await db
      .selectFrom('paymentRequests')
      .select('reference')
      .where('userId', '=', same.user.userId)
      .execute()) as [{ reference: string }];
    assert.equal((await submit(same)).reference, reference);
    const shown = { amountMinor: 250 };
    const [{ reference: lost }] = (await db
      .updateTable('paymentRequests')
      .set(shown)
      .where('userId', '=', other.user.userId)
      .returning('reference')
      .execute()) as [{ reference: string }];
    const before = await rowsOf(other);
    const answer = await other.post('/payment/submit-proof', proof({ amount: 2.5 }));
    assert.equal(outcome(answer), '409 request_expired');
    assert.match(
      answer.body.message,
      new RegExp(
        `was good until .*The amount to pay is \\$3 USD now\\. .*name ${lost}\\. We put it right by hand$`,
      ),
    );
    assert.deepEqual(await rowsOf(other), before);
    // What it costs now can be paid.
    assert.notEqual((await submit(other)).reference, lost);
  });

  test('is closed when another payment is verified: half price is for the first one only', async () => {
    const one = await client();
    await one.post('/payment/create', { postsPerDay: 5, currencyCode: 'USD' });
    const { _id } = await submit(one);
    assert.equal((await decide(0, 'verify', _id)).status, 200);
    const answer = await one.post('/payment/submit-proof', proof({ postsPerDay: 5, amount: 49.5 }));
    assert.equal(outcome(answer), '409 request_closed');
    assert.match(
      answer.body.message,
      /closed when another payment of yours was verified\. If you have paid it already, don’t pay again: write to .* and name TP-/,
    );
    assert.deepEqual((await rowsOf(one)).requests.sort(), ['closed', 'taken']);
  });
});

describe('what the client says is only compared', () => {
  test('and a wrong amount, plan, currency or kind is refused, with nothing half-done', async () => {
    const one = await client();
    await one.post('/payment/create', { postsPerDay: 1, currencyCode: 'USD' });
    const before = await rowsOf(one);
    for (const [change, refused] of [
      [{ amount: -3 }, '422 invalid'],
      [{ amount: 'NaN' }, '422 invalid'],
      [{ amount: null }, '422 invalid'],
      [{ amount: 1e308 }, '409 amount_mismatch'],
      [{ amount: 3.001 }, '409 amount_mismatch'],
      [{ amount: 2.99 }, '409 amount_mismatch'],
      [{ amount: 0 }, '409 amount_mismatch'],
      [{ currencyCode: 'INR' }, '409 amount_mismatch'],
      [{ currencyCode: 'XYZ' }, '422 invalid'],
      [{ currencyCode: 'usd' }, '422 invalid'],
      [{ currencyCode: ' USD' }, '422 invalid'],
      [{ currencyCode: 'US' }, '422 invalid'],
      [{ currencyCode: ['USD'] }, '422 invalid'],
      [{ postsPerDay: '1' }, '422 invalid'],
      [{ postsPerDay: 5 }, '409 amount_mismatch'],
      [{ postsPerDay: -1 }, '422 invalid'],
      [{ postsPerDay: 1.5 }, '422 invalid'],
      [{ upgradeType: 'next_billing' }, '409 no_active_subscription'],
    ] as const) {
      const answer = await one.post('/payment/submit-proof', proof(change));
      assert.equal(outcome(answer), refused, JSON.stringify(change));
      assert.ok(answer.body.message.length > 10);
      assert.deepEqual(await rowsOf(one), before, JSON.stringify(change));
    }
  });

  test('and a plan that there is not, or a start that says nothing, is asked of nobody to be paid', async () => {
    const one = await client();
    await makePlan(db, one.user, 1);
    const before = await rowsOf(one);
    const counts = [0, 6, -1, 1.5, 1e308, '2', '', null, true, [2], { count: 2 }, undefined];
    const upgrades = counts.map((newPostsPerDay) => ({ newPostsPerDay, startImmediately: false }));
    const starts = ['true', 1, null, 'next_billing'].map((startImmediately) => ({
      newPostsPerDay: 2,
      startImmediately,
    }));
    for (const [path, field, bodies] of [
      ['/payment/create', 'postsPerDay', counts.map((postsPerDay) => ({ postsPerDay }))],
      ['/payment/upgrade-plan', 'newPostsPerDay', upgrades],
      ['/payment/upgrade-plan', 'startImmediately', starts],
    ] as const) {
      for (const body of bodies) {
        const answer = await one.post(path, { ...body, currencyCode: 'USD' });
        assert.equal(outcome(answer), '422 invalid', JSON.stringify(body));
        assert.deepEqual(Object.keys(answer.body.fields), [field], JSON.stringify(body));
      }
    }
    assert.deepEqual(await rowsOf(one), before);
  });

  test('and a currency is a code as the list has it, wherever it is asked for', async () => {
    const one = await client();
    const before = await rowsOf(one);
    const codes = (await one.get('/payment/currencies')).body.currencies.map(
      ({ code }: { code: string }) => code,
    );
    for (const code of codes) {
      const lower = code.toLowerCase();
      const choice = { postsPerDay: 1, currencyCode: lower };
      for (const answer of [
        await one.post('/payment/create', choice),
        await one.post('/payment/upgrade-plan', { newPostsPerDay: 1, currencyCode: lower }),
        await one.post('/payment/submit-proof', proof(choice)),
      ]) {
        assert.equal(outcome(answer), '422 invalid', lower);
        assert.deepEqual(answer.body.fields, {
          currencyCode: ['Please choose a currency from the list, such as USD'],
        });
      }
      assert.equal(outcome(await one.get(`/payment/pricing/${lower}`)), '404 not_found');
      assert.equal((await one.get(`/payment/pricing/${code}`)).body.pricing.length, 5);
    }
    assert.deepEqual(await rowsOf(one), before);
  });

  test('and a second request is not paid while a payment is being checked', async () => {
    const one = await client();
    for (const postsPerDay of [1, 2]) await one.post('/payment/create', { postsPerDay, currencyCode: 'USD' });
    await submit(one);
    const before = await rowsOf(one);
    const answer = await one.post('/payment/submit-proof', proof({ postsPerDay: 2, amount: 9.5 }));
    assert.equal(outcome(answer), '409 payment_pending');
    assert.deepEqual(await rowsOf(one), before);
  });

  test('and the request, payment and transaction of somebody else are nobody’s', async () => {
    const [one, two] = [await client(), await client()];
    await one.post('/payment/create', { postsPerDay: 1, currencyCode: 'USD' });
    const used = transactionId();
    const { _id } = await submit(one, { transactionId: used });
    const replayed = await two.post('/payment/submit-proof', proof({ transactionId: used.toLowerCase() }));
    assert.equal(outcome(replayed), '409 duplicate_transaction');
    assert.deepEqual((await rowsOf(two)).payments, []);
    for (const verb of ['verify', 'reject']) {
      assert.equal((await two.post(`/admin/${verb}-payment/${_id}`, { reason: 'Mine' })).status, 403);
    }
    const mine = await two.post(
      '/payment/submit-proof',
      proof({ requestId: 'x', reference: 'TP-AAAAAA', userId: one.user.userId }),
    );
    assert.equal(mine.status, 201);
    assert.deepEqual((await rowsOf(one)).payments.length, 1);
  });
});

describe('at once', () => {
  test('ten presses of Submit make one payment and one pair of mails', async () => {
    const one = await client();
    const same = proof();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => one.post('/payment/submit-proof', same)),
    );
    const outcomes = count(answers.map(outcome));
    assert.equal(outcomes['201'], 1, JSON.stringify(outcomes));
    assert.equal((outcomes['409 duplicate_transaction'] ?? 0) + (outcomes['409 payment_pending'] ?? 0), 9);
    const { payments, requests, mails } = await rowsOf(one);
    assert.deepEqual([payments.length, requests, mails], [1, ['taken'], ['proofReceived']]);
  });

  test('three admins, who verify and reject, come to one end', async () => {
    for (let round = 0; round < 4; round++) {
      const one = await client();
      const { _id } = await submit(one);
      const answers = await Promise.all([
        decide(0, 'verify', _id),
        decide(1, 'reject', _id),
        decide(2, 'verify', _id),
      ]);
      assert.deepEqual(count(answers.map(outcome)), { '200': 1, '409 not_pending': 2 });
      const { payments, requests, mails } = await rowsOf(one);
      const isVerified = answers[1]!.status !== 200;
      assert.deepEqual(
        payments.map(({ status, startsAt }) => [status, startsAt !== null]),
        [[isVerified ? 'active' : 'rejected', isVerified]],
      );
      assert.deepEqual(requests, [isVerified ? 'taken' : 'open']);
      assert.equal(mails.length, 2);
    }
  });

  test('approving after a rejection, and again after it was submitted again, is one decision each', async () => {
    const one = await client();
    const first = await submit(one);
    assert.equal((await decide(0, 'reject', first._id)).status, 200);
    assert.equal(outcome(await decide(1, 'verify', first._id)), '409 not_pending');
    const second = await submit(one, { transactionId: first.transactionId });
    assert.equal(second.reference, first.reference);
    assert.equal(outcome(await decide(0, 'verify', first._id)), '409 not_pending');
    assert.equal((await decide(0, 'verify', second._id)).body.payment.status, 'active');
    assert.equal(outcome(await decide(1, 'reject', second._id)), '409 not_pending');
  });

  test('proofs that come as their request runs out are each taken whole or refused whole', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, client));
    for (const { user, post } of people) {
      await post('/payment/create', { postsPerDay: 1, currencyCode: 'USD' });
      const over = { expiresAt: new Date(Date.now() + 60), amountMinor: 250 };
      await db.updateTable('paymentRequests').set(over).where('userId', '=', user.userId).execute();
    }
    const answers = await Promise.all(
      people.map(({ post }) => post('/payment/submit-proof', proof({ amount: 2.5 }))),
    );
    for (const [index, answer] of answers.entries()) {
      const { payments, requests } = await rowsOf(people[index]!);
      const isTaken = answer.status === 201;
      if (!isTaken) assert.equal(outcome(answer), '409 request_expired');
      assert.deepEqual([payments.length, requests], isTaken ? [1, ['taken']] : [0, ['open']]);
    }
  });

  test('a verification, a cancellation, another choice, the end of the old plan and another proof leave one order of things', async () => {
    for (let round = 0; round < 6; round++) {
      const one = await client();
      const begun = new Date(Date.now() - 5 * 86_400_000);
      await makePlan(db, one.user, 1, begun);
      const upgrade = (posts: number) =>
        one.post('/payment/upgrade-plan', { newPostsPerDay: posts, currencyCode: 'USD' });
      const { paymentInfo } = (await upgrade(3)).body;
      const change = { postsPerDay: 3, amount: paymentInfo.amount, upgradeType: 'immediate' };
      const { _id } = await submit(one, change);
      if (round % 2) await endPlanAt(db, one.user, new Date(Date.now() + 30));
      const answers = await Promise.all([
        one.post('/payment/cancel'),
        decide(0, 'verify', _id),
        upgrade(5),
        one.post('/payment/submit-proof', proof(change)),
        one.post('/payment/cancel'),
        endPlans(db).then(() => ({ status: 200, body: {} })),
        decide(1, 'verify', _id),
        upgrade(3),
      ]);
      for (const answer of answers) assert.ok(answer.status < 500, JSON.stringify(answer.body));
      const rows = await db
        .selectFrom('payments')
        .select(['id', 'status', 'startsAt', 'endsAt', 'cancelledAt'])
        .where('userId', '=', one.user.userId)
        .orderBy('createdAt')
        .execute();
      assert.equal(rows.length, 2);
      assert.deepEqual([rows[1]!.id, rows[1]!.status], [_id, 'active']);
      assert.ok(rows[0]!.endsAt! <= rows[1]!.startsAt! && rows[0]!.status !== 'active', JSON.stringify(rows));
      // Nobody is told an amount of before the verification.
      const { rows: open } = await sql<{ from: Date }>`select credited_from as from from payment_requests
        where user_id = ${one.user.userId} and status = 'open' and credit_payment_id <> ${_id}`.execute(db);
      assert.deepEqual(open, []);
    }
  });

  test('a verification and the deletion of the account leave a plan that ends, and nobody’s name', async () => {
    for (let round = 0; round < 4; round++) {
      const one = await client();
      const { _id } = await submit(one);
      const forget = () =>
        transact(db, async (trx) => {
          await lockUser(trx, one.user.userId);
          await deletePaymentData(trx, one.user.userId, new Date());
        });
      const [answer] = await Promise.all([decide(0, 'verify', _id), forget(), decide(1, 'reject', _id)]);
      assert.ok(answer.status < 500, JSON.stringify(answer.body));
      const row = await db.selectFrom('payments').selectAll().where('id', '=', _id).executeTakeFirstOrThrow();
      assert.deepEqual([row.userId, row.payerName, row.payerEmail], [null, '', '']);
      assert.ok(['cancelled', 'rejected'].includes(row.status), row.status);
      assert.equal(row.status === 'cancelled', row.verifiedAt !== null);
    }
  });
});
