import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { findUnsentMail } from '#app/domain/email/outbox.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import { preparePayment } from '#app/domain/payments/checkout/payment-info.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { countOwnPayments, listPayments } from '#app/domain/payments/history.ts';
import { getPayment } from '#app/domain/payments/payment.ts';
import { listPendingPayments } from '#app/domain/payments/review/list-pending.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { findActivePlan, findSubscription } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

let db: Db;
let admin: Actor;
before(async () => {
  ({ db } = await testDatabase());
  admin = await makeUser(db, { isAdmin: true });
});

const NOW = new Date('2026-01-31T10:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const HOUR = 3_600_000;
const firstPage = PageQuery.parse({});

const proof = (change: object = {}) => ({
  transactionId: transactionId(),
  postsPerDay: 3,
  currencyCode: 'USD',
  amount: 19.5,
  upgradeType: null,
  startImmediately: null,
  ...change,
});

async function mailsTo(userId: string) {
  const rows = await db.selectFrom('mails').select(['id', 'kind']).where('userId', '=', userId).execute();
  const mails = await Promise.all(rows.map(({ id }) => findUnsentMail(db, id)));
  return Object.fromEntries(mails.map((mail) => [mail!.kind, mailText(mail!.kind, mail!.data as never)]));
}

const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((r) => (r.status === 'fulfilled' ? 'done' : `${r.reason.status} ${r.reason.code}`)).sort();

describe('a purchase', () => {
  test('is asked for, submitted, verified, and is a plan for one month', async () => {
    const actor = await makeUser(db);
    assert.equal(await findSubscription(db, actor, NOW), null);
    const info = await preparePayment(db, actor, { postsPerDay: 3, currencyCode: 'USD' }, NOW);
    assert.equal(info.method, 'paypal');
    assert.equal(info.paypalEmail, 'payments@tidepost.example');
    assert.match(info.note, /^Tidepost TP-[2-9A-Z]{6}$/);

    const payment = await submitProof(db, actor, proof(), NOW);
    assert.equal(payment.status, 'pending');
    assert.equal(payment.reference, info.reference);
    assert.equal(payment.amountMinor, info.amountMinor);
    assert.equal((await findSubscription(db, actor, NOW))?.status, 'pending');
    assert.equal(await findActivePlan(db, actor.userId, NOW), undefined);

    const verified = await verifyPayment(db, admin, payment.id, NOW);
    assert.equal(verified.status, 'active');
    assert.deepEqual(verified.startsAt, NOW);
    assert.deepEqual(verified.endsAt, new Date('2026-02-28T10:00:00Z'));
    assert.deepEqual(verified.verifiedAt, NOW);
    assert.equal((await findActivePlan(db, actor.userId, NOW))?.postsPerDay, 3);
    const subscription = await findSubscription(db, actor, NOW);
    assert.equal(subscription?.status, 'active');
    assert.equal(subscription?.currencySymbol, '$');
    assert.equal((await findSubscription(db, actor, verified.endsAt!))?.status, 'expired');
  });

  test('is a month of its buyer, by the clock where they live', async () => {
    const actor = await makeUser(db, { timeZone: 'Asia/Kolkata' });
    const { startsAt, endsAt } = await makePlan(db, actor, 1, new Date('2027-02-28T21:30:00Z'));
    assert.deepEqual(
      [startsAt, endsAt],
      [new Date('2027-02-28T21:30:00Z'), new Date('2027-03-31T21:30:00Z')],
    );
    const next = await makePlan(db, actor, 2, startsAt!, { upgradeType: 'next_billing' });
    assert.deepEqual(next.endsAt, new Date('2027-04-30T21:30:00Z'));
    const upgraded = await makePlan(db, actor, 3, new Date('2027-03-01T21:30:00Z'), {
      upgradeType: 'immediate',
    });
    assert.deepEqual(upgraded.endsAt, new Date('2027-04-01T21:30:00Z'));
    assert.deepEqual((await getPayment(db, next.id)).endsAt, new Date('2027-05-01T21:30:00Z'));
  });

  test('mails the payer and every admin, and then the payer again', async () => {
    const actor = await makeUser(db);
    const other = await makeUser(db, { isAdmin: true });
    const { id, transactionId, reference } = await makePayment(db, actor, 2, NOW);
    const facts = `"${transactionId}"\\],\\["Reference","${reference}"`;
    for (const { userId } of [admin, other]) {
      const { paymentToVerify } = await mailsTo(userId);
      const payer = `${actor.name} \\(${actor.email}\\) submitted a payment of \\$9\\.50 USD`;
      assert.match(String(paymentToVerify!.lines[0]), new RegExp(payer));
      assert.match(JSON.stringify(paymentToVerify!.lines), new RegExp(facts));
      assert.match(paymentToVerify!.button!.url, /\/app\/admin\?tab=payments$/);
    }
    await verifyPayment(db, admin, id, NOW);
    const { proofReceived, paymentVerified } = await mailsTo(actor.userId);
    assert.match(
      JSON.stringify(proofReceived!.lines),
      new RegExp(`"2 posts a day".*\\$9\\.50 USD.*${facts}.*within 24 hours`),
    );
    assert.match(paymentVerified!.lines.join(), /2 posts a day is active until Feb 28, 2026/);
  });

  test('in rupees is paid by UPI', async () => {
    const actor = await makeUser(db);
    const info = await preparePayment(db, actor, { postsPerDay: 2, currencyCode: 'INR' }, NOW);
    assert.equal(info.method, 'upi');
    assert.equal(info.paypalEmail, null);
    assert.deepEqual(info.upi, {
      id: 'tidepost@examplebank',
      url: `upi://pay?pa=tidepost@examplebank&pn=Tidepost&am=799.50&cu=INR&tn=Tidepost%20${info.reference}`,
    });
  });

  test('keeps its reference when it is rejected and submitted again, whenever that is', async () => {
    const actor = await makeUser(db);
    const { reference } = await preparePayment(db, actor, { postsPerDay: 1, currencyCode: 'USD' }, NOW);
    for (const hours of [1, 90, 180]) {
      const payment = await submitProof(db, actor, proof({ postsPerDay: 1, amount: 3 }), later(hours * HOUR));
      assert.equal(payment.reference, reference);
      const rejected = later((hours + 30) * HOUR);
      await rejectPayment(db, admin, { paymentId: payment.id, reason: 'No' }, rejected);
    }
  });

  test('with another amount is refused and stored nowhere', async () => {
    const actor = await makeUser(db);
    for (const amount of [0, 0.01, 19.49, 19.505, 39, 1e15, -19.5, Number.NaN]) {
      const refusal = { status: 409, code: 'amount_mismatch', message: 'The amount to pay is $19.50 USD' };
      await assert.rejects(submitProof(db, actor, proof({ amount }), NOW), refusal);
    }
    assert.deepEqual(await countOwnPayments(db, actor, NOW), { total: 0, active: 0, pending: 0 });
    assert.equal((await mailsTo(actor.userId)).proofReceived, undefined);
  });

  test('costs half only until a payment has been verified', async () => {
    const actor = await makeUser(db);
    const { id } = await makePayment(db, actor, 1, NOW);
    await rejectPayment(db, admin, { paymentId: id, reason: 'Not found' }, NOW);
    const again = await makePayment(db, actor, 1, NOW);
    assert.equal(again.amountMinor, 300);
    await verifyPayment(db, admin, again.id, NOW);
    const afterwards = new Date('2026-04-01T00:00:00Z');
    assert.equal((await makePayment(db, actor, 1, afterwards)).amountMinor, 600);
  });

  test('is refused while another waits, and beside an active plan', async () => {
    const actor = await makeUser(db);
    const { id } = await makePayment(db, actor, 3, NOW);
    const choice = { postsPerDay: 2, currencyCode: 'USD' };
    await assert.rejects(preparePayment(db, actor, choice, NOW), { status: 409, code: 'payment_pending' });
    await assert.rejects(submitProof(db, actor, proof(), NOW), { status: 409, code: 'payment_pending' });
    await verifyPayment(db, admin, id, NOW);
    await assert.rejects(preparePayment(db, actor, choice, NOW), { status: 409, code: 'use_upgrade' });
    await assert.rejects(submitProof(db, actor, proof(), NOW), { status: 409, code: 'use_upgrade' });
  });

  test('counts each transaction once, whoever sends it and in whatever case', async () => {
    const [one, two] = [await makeUser(db), await makeUser(db)];
    const id = transactionId();
    const first = await submitProof(db, one, proof({ transactionId: id }), NOW);
    const known = { status: 409, code: 'duplicate_transaction', field: 'transactionId' };
    await assert.rejects(submitProof(db, one, proof({ transactionId: id }), NOW), known);
    await assert.rejects(submitProof(db, two, proof({ transactionId: id }), NOW), known);
    await rejectPayment(db, admin, { paymentId: first.id, reason: 'Wrong amount' }, NOW);
    assert.equal((await submitProof(db, one, proof({ transactionId: id }), NOW)).status, 'pending');
  });
});

describe('at once', () => {
  test('two proofs of one user make one payment', async () => {
    const actor = await makeUser(db);
    const results = await Promise.allSettled([1, 2, 3].map(() => submitProof(db, actor, proof(), NOW)));
    assert.deepEqual(outcomes(results), ['409 payment_pending', '409 payment_pending', 'done']);
  });

  test('one transaction of three users makes one payment', async () => {
    const actors = await Promise.all([1, 2, 3].map(() => makeUser(db)));
    const same = proof();
    const results = await Promise.allSettled(actors.map((actor) => submitProof(db, actor, same, NOW)));
    assert.deepEqual(outcomes(results), ['409 duplicate_transaction', '409 duplicate_transaction', 'done']);
  });

  test('three admins verify once', async () => {
    const actor = await makeUser(db);
    const { id } = await makePayment(db, actor, 3, NOW);
    const admins = await Promise.all([1, 2, 3].map(() => makeUser(db, { isAdmin: true })));
    const results = await Promise.allSettled(admins.map((one) => verifyPayment(db, one, id, NOW)));
    assert.deepEqual(outcomes(results), ['409 not_pending', '409 not_pending', 'done']);
    const { entries } = await listAuditLog(db);
    assert.equal(entries.filter(({ subjectId }) => subjectId === id).length, 1);
  });

  test('verify and reject leave one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      const actor = await makeUser(db);
      const { id } = await makePayment(db, actor, 3, NOW);
      const results = await Promise.allSettled([
        verifyPayment(db, admin, id, NOW),
        rejectPayment(db, admin, { paymentId: id, reason: 'No' }, NOW),
      ]);
      assert.deepEqual(outcomes(results), ['409 not_pending', 'done']);
      const isActive = results[0]!.status === 'fulfilled';
      const [row] = (await listPayments(db, actor, firstPage, NOW)).rows;
      assert.equal(row!.status, isActive ? 'active' : 'rejected');
      assert.equal(row!.startsAt !== null, isActive);
    }
  });
});

describe('a review', () => {
  test('that rejects keeps the reason, tells the payer and is written down', async () => {
    const actor = await makeUser(db);
    const { id, reference } = await makePayment(db, actor, 1, NOW);
    const rejected = await rejectPayment(db, admin, { paymentId: id, reason: 'No such transfer' }, NOW);
    assert.equal(rejected.status, 'rejected');
    assert.equal(rejected.rejectReason, 'No such transfer');
    assert.equal(await findSubscription(db, actor, NOW), null);
    const { paymentRejected } = await mailsTo(actor.userId);
    const told = `"No such transfer"\\],\\["Reference","${reference}"`;
    assert.match(JSON.stringify(paymentRejected!.lines), new RegExp(told));
    assert.match(paymentRejected!.lines.join(), /the amount and the reference stay as they are/);
    const [entry] = (await listAuditLog(db)).entries.filter(({ subjectId }) => subjectId === id);
    assert.equal(entry!.action, 'payment.rejected');
    assert.equal(entry!.adminEmail, admin.email);
    assert.equal(entry!.detail.reason, 'No such transfer');
  });

  test('of an unknown payment finds nothing', async () => {
    for (const id of ['nothing', '00000000-0000-4000-8000-000000000000']) {
      await assert.rejects(verifyPayment(db, admin, id, NOW), { status: 404 });
      await assert.rejects(rejectPayment(db, admin, { paymentId: id, reason: 'No' }, NOW), { status: 404 });
    }
  });

  test('sees the oldest payment first and marks those past 20 hours', async () => {
    const fresh = await testDatabase();
    const [early, late] = [await makeUser(fresh.db), await makeUser(fresh.db)];
    await makePayment(fresh.db, late, 1, later(HOUR));
    await makePayment(fresh.db, early, 1, NOW);
    const { rows } = await listPendingPayments(fresh.db, firstPage, later(20.5 * HOUR));
    assert.deepEqual(
      rows.map(({ payerEmail, isLate }) => [payerEmail, isLate]),
      [
        [early.email, true],
        [late.email, false],
      ],
    );
  });
});

test('the history of a user goes page by page and shows nobody else’s', async () => {
  const actor = await makeUser(db);
  const references: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { id, reference } = await makePayment(db, actor, 1, later(n * HOUR));
    await rejectPayment(db, admin, { paymentId: id, reason: 'No' }, later(n * HOUR));
    references.unshift(reference);
  }
  await makePlan(db, await makeUser(db), 1, NOW);
  const first = await listPayments(db, actor, PageQuery.parse({ limit: 2 }), NOW);
  const query = PageQuery.parse({ limit: 2, cursor: first.nextCursor });
  const second = await listPayments(db, actor, query, NOW);
  assert.equal(second.nextCursor, null);
  assert.deepEqual(
    [...first.rows, ...second.rows].map((row) => row.reference),
    references,
  );
});
