import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { storeScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { findPendingPayment, listPayments } from '#app/domain/payments/history.ts';
import { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import {
  findOpenRequest,
  listPendingPayments,
  listSubscriptions,
  SubscriptionsQuery,
} from '#app/domain/payments/review/list-pending.ts';
import { recordLatePayment } from '#app/domain/payments/review/record-late-payment.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import { endPlans, warnEndingPlans } from '#app/domain/payments/subscription/expiry.ts';
import { jobs } from '#app/domain/platform/jobs.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const day = (date: string) => new Date(`${date}T10:00:00Z`);
const DAY = 86_400_000;

test('who cancels ends their own plans that run, no past one and nobody else’s', async () => {
  const { db } = await testDatabase();
  const [one, other] = [await makeUser(db), await makeUser(db)];
  const past = await makePlan(db, one, 1, day('2026-01-01'));
  const [own, theirs] = [
    await makePlan(db, one, 2, day('2026-04-01')),
    await makePlan(db, other, 2, day('2026-04-01')),
  ];
  const next = await makePlan(db, one, 3, day('2026-04-02'), { upgradeType: 'next_billing' });
  await cancelPlan(db, one, day('2026-04-03'));
  const rows = await db.selectFrom('payments').select(['id', 'cancelledAt']).execute();
  const isCancelled = ({ id }: { id: string }) => rows.find((row) => row.id === id)!.cancelledAt !== null;
  assert.deepEqual([past, own, next, theirs].map(isCancelled), [false, true, true, false]);
});

test('plans of several people that end at once are each closed, told of and followed by their queue', async () => {
  const { db, pool } = await testDatabase();
  const people = [await makeUser(db), await makeUser(db), await makeUser(db)];
  for (const person of people.slice(0, 2)) await makePlan(db, person, 1, day('2026-04-01'));
  await makePlan(db, people[2]!, 1, day('2026-04-20'));
  await pool.query('delete from graphile_worker._private_jobs');
  assert.equal(await endPlans(db, day('2026-05-02')), 2);
  const told = await Promise.all(people.map(({ email }) => mailsTo(db, email, 'planEnded')));
  assert.deepEqual(
    told.map((mails) => mails.length),
    [1, 1, 0],
  );
  const { rows } = await sql<{ userId: string }>`select payload->>'userId' as "userId"
    from graphile_worker._private_jobs join graphile_worker._private_tasks as task on task.id = task_id
    where task.identifier = ${jobs.refitQueue.name}`.execute(db);
  assert.deepEqual(
    rows.map(({ userId }) => userId).sort(),
    people
      .slice(0, 2)
      .map(({ userId }) => userId)
      .sort(),
  );
});

test('an end is announced whatever others have paid for, and neither when it is past nor when nobody is there', async () => {
  const { db } = await testDatabase();
  const [one, other, past, gone] = [
    await makeUser(db),
    await makeUser(db),
    await makeUser(db),
    await makeUser(db),
  ];
  await makePlan(db, one, 1, day('2026-04-01'));
  await makePlan(db, other, 1, day('2026-04-20'));
  await makePlan(db, past, 1, day('2026-03-15'));
  await makePlan(db, gone, 1, day('2026-04-01'));
  await transact(db, (trx) => deletePaymentData(trx, gone.userId, day('2026-04-02')));
  await warnEndingPlans(db, day('2026-04-29'));
  const counts = await Promise.all(
    [one, other, past, gone].map(async ({ email }) => (await mailsTo(db, email, 'planEnding')).length),
  );
  assert.deepEqual(counts, [1, 0, 0, 0]);
});

test('subscriptions stand as they are at the time, also where nothing has swept yet', async () => {
  const { db } = await testDatabase();
  const [runs, ended, cancelled] = [await makeUser(db), await makeUser(db), await makeUser(db)];
  await makePlan(db, runs, 1, day('2026-04-20'));
  await makePlan(db, ended, 1, day('2026-04-01'));
  await makePlan(db, cancelled, 1, day('2026-04-01'));
  await cancelPlan(db, cancelled, day('2026-04-02'));
  const list = async (status?: string) =>
    (await listSubscriptions(db, SubscriptionsQuery.parse({ status }), day('2026-05-02'))).rows.map((row) => [
      row.payerEmail,
      row.status,
    ]);
  assert.deepEqual(
    (await list()).sort(),
    [
      [runs.email, 'active'],
      [ended.email, 'expired'],
      [cancelled.email, 'cancelled'],
    ].sort(),
  );
  assert.deepEqual(await list('active'), [[runs.email, 'active']]);
  assert.deepEqual(await list('expired'), [[ended.email, 'expired']]);
  assert.deepEqual(await list('cancelled'), [[cancelled.email, 'cancelled']]);
});

test('pages of payments of one and the same instant have each of them once, also of what was searched for', async () => {
  const { db } = await testDatabase();
  const now = day('2026-04-01');
  const payer = await makeUser(db, { name: 'Ada Marlow' });
  const people = await Promise.all(Array.from({ length: 6 }, () => makeUser(db, { name: 'Ada Marlow' })));
  for (const person of people) await makePayment(db, person, 1, now);
  await makePayment(db, await makeUser(db, { name: 'Bob' }), 2, now);
  const all = (await db.selectFrom('payments').select('id').execute()).map(({ id }) => id).sort();
  type Listed = { rows: { id: string; payerName: string }[]; nextCursor: string | null };
  const pages = async (list: (cursor?: string) => Promise<Listed>) => {
    const rows: Listed['rows'] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 10; page++) {
      const { rows: more, nextCursor } = await list(cursor);
      assert.ok(more.length <= 2);
      rows.push(...more);
      if (!nextCursor) return rows;
      cursor = nextCursor;
    }
    throw new Error('It has no end');
  };
  const ids = (rows: Listed['rows']) => rows.map(({ id }) => id);
  const pending = ids(await pages((cursor) => listPendingPayments(db, { limit: 2, cursor }, now)));
  assert.deepEqual(pending, all);
  const ask = (query: object) => (cursor?: string) =>
    listSubscriptions(db, SubscriptionsQuery.parse({ limit: 2, cursor, ...query }), now);
  assert.deepEqual(ids(await pages(ask({}))), all.toReversed());
  const found = await pages(ask({ q: 'marlow', status: 'pending', currencyCode: 'USD', postsPerDay: 1 }));
  assert.equal(new Set(ids(found)).size, 6);
  assert.ok(found.every(({ payerName }) => payerName === 'Ada Marlow'));
  assert.deepEqual((await listPayments(db, payer, PageQuery.parse({}), now)).rows, []);
});

test('a transaction is found as a bank writes it in groups, and a request by its reference however it is typed', async () => {
  const { db } = await testDatabase();
  const [payer, other] = [await makeUser(db), await makeUser(db)];
  const { reference, amountMinor } = await prepare(
    db,
    payer,
    { postsPerDay: 1, currencyCode: 'INR', upgradeType: null },
    day('2026-04-01'),
  );
  const asked = await findOpenRequest(db, ` ${reference.slice(0, 5).toLowerCase()} ${reference.slice(5)} `);
  assert.deepEqual([asked?.reference, asked?.userId], [reference, payer.userId]);
  assert.equal(await findOpenRequest(db, reference.slice(0, -1)), undefined);
  assert.equal(await findOpenRequest(db, '  '), undefined);
  await submitProof(
    db,
    payer,
    {
      transactionId: '012345678901',
      postsPerDay: 1,
      currencyCode: 'INR',
      amount: amountMinor / 100,
      upgradeType: null,
      startImmediately: null,
    },
    day('2026-04-01'),
  );
  await makePayment(db, other, 1, day('2026-04-01'));
  // What has a payment is found among the payments.
  assert.equal(await findOpenRequest(db, reference), undefined);
  const { rows } = await listSubscriptions(
    db,
    SubscriptionsQuery.parse({ q: '0123 4567 8901' }),
    day('2026-04-01'),
  );
  assert.deepEqual(
    rows.map(({ payerEmail }) => payerEmail),
    [payer.email],
  );
});

test('of a payment that was taken in by share no credit is told', async () => {
  const { db } = await testDatabase();
  const [payer, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  await makePlan(db, payer, 1, day('2026-04-01'));
  const choice = { postsPerDay: 3, currencyCode: 'USD', upgradeType: 'immediate' as const };
  const { reference } = await prepare(db, payer, choice, day('2026-04-02'));
  const lost = await db
    .selectFrom('paymentRequests')
    .select(['id', 'creditMinor'])
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  assert.ok(lost.creditMinor > 0);
  const other = await makePayment(db, payer, 2, day('2026-04-03'), { upgradeType: 'immediate' });
  await verifyPayment(db, admin, other.id, day('2026-04-03'));
  const meant = { requestId: lost.id, payerId: payer.userId, transactionId: transactionId() };
  const { id, isProrated } = await recordLatePayment(
    db,
    admin,
    meant,
    new Date(day('2026-04-03').getTime() + DAY),
  );
  const { rows } = await listPendingPayments(db, PageQuery.parse({}), day('2026-04-05'));
  assert.deepEqual([isProrated, rows.find((row) => row.id === id)!.creditMinor], [true, null]);
});

test('what was taken off the first month stands in the ledger as money of its currency', async () => {
  const { db } = await testDatabase();
  const payer = await makeUser(db);
  await makePayment(db, payer, 1, day('2026-04-01'), { currencyCode: 'AED' });
  const { entries } = await getLedger(db, payer.userId, day('2026-04-01'));
  assert.equal(entries[0]!.note, '50% off AED\u00a022, paid');
});

test('a plan that begins closes what its payer has asked for, and leaves open what others have', async () => {
  const { db } = await testDatabase();
  const [payer, other, admin] = [
    await makeUser(db),
    await makeUser(db),
    await makeUser(db, { isAdmin: true }),
  ];
  const choice = { postsPerDay: 3, currencyCode: 'USD', upgradeType: null };
  const own = await prepare(db, payer, choice, day('2026-04-01'));
  const theirs = await prepare(db, other, choice, day('2026-04-01'));
  const payment = await makePayment(db, payer, 2, day('2026-04-01'));
  await verifyPayment(db, admin, payment.id, day('2026-04-02'));
  const stands = async (reference: string) =>
    (
      await db
        .selectFrom('paymentRequests')
        .select('status')
        .where('reference', '=', reference)
        .executeTakeFirstOrThrow()
    ).status;
  assert.deepEqual([await stands(own.reference), await stands(theirs.reference)], ['closed', 'open']);
});

test('who leaves takes along what they alone were asked to pay', async () => {
  const { db } = await testDatabase();
  const [gone, other, buyer] = [await makeUser(db), await makeUser(db), await makeUser(db)];
  const choice = { postsPerDay: 3, currencyCode: 'USD', upgradeType: null };
  for (const actor of [gone, other]) await prepare(db, actor, choice, day('2026-04-01'));
  for (const actor of [gone, buyer]) await makePayment(db, actor, 2, day('2026-04-01'));
  await transact(db, (trx) => deletePaymentData(trx, gone.userId, day('2026-04-02')));
  const asked = await db.selectFrom('paymentRequests').select(['userId', 'status']).execute();
  const of = (userId: string | null) => asked.filter((row) => row.userId === userId);
  const statuses = [other.userId, buyer.userId, null].map((id) => of(id).map(({ status }) => status));
  assert.deepEqual(statuses, [['open'], ['taken'], ['taken']]);
});

test('a payment waits for its own payer alone, and only until it is decided', async () => {
  const { db } = await testDatabase();
  const [payer, other, admin] = [
    await makeUser(db),
    await makeUser(db),
    await makeUser(db, { isAdmin: true }),
  ];
  const { id } = await makePayment(db, payer, 2, day('2026-04-01'));
  assert.equal((await findPendingPayment(db, payer))?.id, id);
  assert.equal(await findPendingPayment(db, other), undefined);
  await verifyPayment(db, admin, id, day('2026-04-02'));
  assert.equal(await findPendingPayment(db, payer), undefined);
});

test('the pictures of others stay when somebody leaves', async () => {
  const { db } = await testDatabase();
  const [gone, other] = [await makeUser(db), await makeUser(db)];
  const [theirs, kept] = [await makePayment(db, gone, 2), await makePayment(db, other, 2)];
  const picture = { bytes: Buffer.from('x'), hashes: [] };
  for (const { id } of [theirs, kept]) await transact(db, (trx) => storeScreenshot(trx, id, picture));
  await transact(db, (trx) => deletePaymentData(trx, gone.userId, new Date()));
  const left = await db.selectFrom('paymentScreenshots').select('paymentId').execute();
  assert.deepEqual(left, [{ paymentId: kept.id }]);
});

test('the first of two verifications is written down at its own payment alone', async () => {
  const { db } = await testDatabase();
  const [payer, other] = [await makeUser(db), await makeUser(db)];
  const [one, two] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })];
  const [first, second] = [await makePayment(db, payer, 2), await makePayment(db, other, 2)];
  await withEnv({ PAYMENT_FOUR_EYES: new Map([['USD', 1]]) }, async () => {
    assert.equal((await verifyPayment(db, one, first.id)).status, 'pending');
    assert.equal((await verifyPayment(db, two, second.id)).status, 'pending');
    assert.equal((await verifyPayment(db, two, first.id)).status, 'active');
  });
});

test('an upgrade ends the plan that it credits, and nobody else’s', async () => {
  const { db } = await testDatabase();
  const [payer, other] = [await makeUser(db), await makeUser(db)];
  const [credited, theirs] = [
    await makePlan(db, payer, 1, day('2026-04-01')),
    await makePlan(db, other, 1, day('2026-04-01')),
  ];
  const next = await makePlan(db, payer, 3, day('2026-04-02'), { upgradeType: 'immediate' });
  const rows = await db.selectFrom('payments').select(['id', 'status']).execute();
  const statuses = [credited, theirs, next].map(({ id }) => rows.find((row) => row.id === id)!.status);
  assert.deepEqual(statuses, ['expired', 'active', 'active']);
});
