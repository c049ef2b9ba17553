import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpgradeType } from '#app/db/tables.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { listEarnings } from '#app/domain/payments/ledger/revenue.ts';
import { recordLatePayment } from '#app/domain/payments/review/record-late-payment.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { env } from '#app/env.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const admin = await makeUser(db, { isAdmin: true });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Somebody who was asked to pay, and when. */
async function asked(days: number) {
  const payer = await makeUser(db);
  const choice = { postsPerDay: 2, currencyCode: 'USD', upgradeType: null };
  const { reference } = await prepare(db, payer, choice, daysAgo(days));
  const { id } = await db
    .selectFrom('paymentRequests')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  return { payer, meant: { requestId: id, payerId: payer.userId }, reference };
}

const taken = (meant: { requestId: string; payerId: string }, id = transactionId()) =>
  recordLatePayment(db, admin, { ...meant, transactionId: id });

const paymentsOf = ({ userId }: Actor) =>
  db.selectFrom('payments').select(['status', 'isProrated']).where('userId', '=', userId).execute();

test('nothing is taken in but what was asked of this payer, is over, and stands alone', async () => {
  const [one, other] = [await asked(4), await asked(4)];
  const nobody = '00000000-0000-4000-8000-000000000000';
  for (const wrong of [
    { ...one.meant, payerId: other.payer.userId },
    { ...one.meant, payerId: 'nobody' },
    { ...one.meant, requestId: nobody },
    { ...one.meant, requestId: '' },
  ])
    await assert.rejects(taken(wrong), { status: 404 });
  const fresh = await asked(1);
  await assert.rejects(taken(fresh.meant), { status: 409, code: 'not_lost' });
  await makePayment(db, other.payer, 1);
  await assert.rejects(taken(other.meant), { status: 409, code: 'payment_pending' });
  const known = transactionId();
  const plan = await makePlan(db, await makeUser(db), 1);
  await db.updateTable('payments').set({ transactionId: known }).where('id', '=', plan.id).execute();
  await assert.rejects(taken(one.meant, known), { status: 409, code: 'duplicate_transaction' });
  for (const { payer } of [one, fresh]) assert.deepEqual(await paymentsOf(payer), []);
  const { status, reference } = await taken(one.meant);
  assert.deepEqual([status, reference], ['pending', one.reference]);
  await assert.rejects(taken(one.meant), { status: 409, code: 'not_lost' });
});

test('at once: twenty presses of several admins take one payment in, with one pair of mails', async () => {
  const { payer, meant } = await asked(4);
  const admins = [admin, await makeUser(db, { isAdmin: true })];
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, (_, nth) =>
      recordLatePayment(db, admins[nth % 2]!, { ...meant, transactionId: transactionId() }),
    ),
  );
  const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
  assert.deepEqual([refused.length, new Set(refused)], [19, new Set(['not_lost'])]);
  assert.deepEqual(await paymentsOf(payer), [{ status: 'pending', isProrated: false }]);
  assert.equal((await mailsTo(db, payer.email, 'proofReceived')).length, 1);
  const log = db.selectFrom('auditLog').select('id').where('action', '=', 'payment.taken_in');
  const told = await log.where('subjectId', '=', await idOf(payer)).execute();
  assert.equal(told.length, 1);
});

const idOf = async ({ userId }: Actor) =>
  (await db.selectFrom('payments').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()).id;

test('by share it earns what was paid, and turned down it leads its payer to whom to write to', async () => {
  const fresh = await asked(4);
  await verifyPayment(db, admin, (await makePayment(db, fresh.payer, 1, daysAgo(3.5))).id, daysAgo(3.4));
  const before = (await listEarnings(db, 'UTC')).filter(({ currencyCode }) => currencyCode === 'USD');
  const first = await taken(fresh.meant);
  assert.equal(first.isProrated, true);
  await rejectPayment(db, admin, { paymentId: first.id, reason: 'No such transfer' });
  const [mail] = await mailsTo(db, fresh.payer.email, 'paymentRejected');
  assert.equal(mail!.writeTo, env().SUPPORT_EMAIL);
  // It is not open for its payer again, and can be taken in once more.
  const second = await taken(fresh.meant);
  await verifyPayment(db, admin, second.id);
  const after = (await listEarnings(db, 'UTC')).filter(({ currencyCode }) => currencyCode === 'USD');
  const sum = (rows: typeof before, of: 'fullMinor' | 'promoMinor' | 'paidMinor') =>
    rows.reduce((all, row) => all + row[of], 0);
  const more = (of: 'fullMinor' | 'promoMinor' | 'paidMinor') => sum(after, of) - sum(before, of);
  assert.deepEqual([more('fullMinor'), more('promoMinor'), more('paidMinor')], [950, 0, 950]);
});

test('turned down, what was asked for first is open again, in the place of what was asked for the same plan since', async () => {
  const { payer, meant, reference } = await asked(4);
  const price = (amountMinor: number) =>
    db
      .updateTable('prices')
      .set({ amountMinor })
      .where('currencyCode', '=', 'USD')
      .where('postsPerDay', '=', 2)
      .execute();
  const choice = { postsPerDay: 2, currencyCode: 'USD', upgradeType: null };
  await price(3000);
  try {
    const since = await prepare(db, payer, choice);
    assert.notEqual(since.reference, reference);
    const first = await taken(meant);
    assert.equal(first.isProrated, false);
    await rejectPayment(db, admin, { paymentId: first.id, reason: 'No such transfer' });
    const { reference: open, amountMinor, lost } = await prepare(db, payer, choice);
    assert.deepEqual([open, amountMinor], [reference, 950]);
    assert.deepEqual(
      lost.map((one) => one.reference),
      [since.reference],
    );
  } finally {
    await price(1900);
  }
});

test('by share it begins at once only where it was to, over a smaller plan; without a plan it is no upgrade', async () => {
  /** Asked for three posts a day beside a plan of one, before another payment was verified. */
  const overtaken = async (upgradeType: UpgradeType, meanwhile: number, days: number) => {
    const payer = await makeUser(db);
    await makePlan(db, payer, 1, daysAgo(days + 2));
    const choice = { postsPerDay: 3, currencyCode: 'USD', upgradeType };
    const { reference } = await prepare(db, payer, choice, daysAgo(days + 1));
    await makePlan(db, payer, meanwhile, daysAgo(days), { upgradeType: 'immediate', currencyCode: 'EUR' });
    const request = db.selectFrom('paymentRequests').select('id').where('reference', '=', reference);
    const { id: requestId } = await request.executeTakeFirstOrThrow();
    const payment = await taken({ requestId, payerId: payer.userId });
    assert.equal(payment.isProrated, true);
    return payment.upgradeType;
  };
  assert.equal(await overtaken('immediate', 2, 5), 'immediate');
  assert.equal(await overtaken('immediate', 3, 5), 'next_billing');
  assert.equal(await overtaken('immediate', 4, 5), 'next_billing');
  assert.equal(await overtaken('next_billing', 2, 5), 'next_billing');
  assert.equal(await overtaken('immediate', 2, 70), null);
});
