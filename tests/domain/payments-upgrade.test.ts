import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/actor.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { cancelPlan } from '#app/domain/payments/cancel.ts';
import { endPlans } from '#app/domain/payments/expiry.ts';
import { listPayments, listSubscriptions } from '#app/domain/payments/history.ts';
import { prepareUpgrade } from '#app/domain/payments/payment-info.ts';
import { verifyPayment } from '#app/domain/payments/review.ts';
import { submitProof } from '#app/domain/payments/submit-proof.ts';
import { findActivePlan, findSubscription } from '#app/domain/payments/subscription.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/make/payments.ts';

let db: Db;
let admin: Actor;
before(async () => {
  ({ db } = await testDatabase());
  admin = await makeUser(db, { isAdmin: true });
});

const day = (date: string) => new Date(`${date}T10:00:00Z`);
const firstPage = PageQuery.parse({});

const prepare = (actor: Actor, newPostsPerDay: number, now: Date, change: object = {}) =>
  prepareUpgrade(db, actor, { newPostsPerDay, currencyCode: 'USD', startImmediately: true, ...change }, now);

const periods = async (actor: Actor, now: Date) =>
  (await listPayments(db, actor, firstPage, now)).rows.map((row) => [
    row.postsPerDay,
    row.status,
    row.startsAt?.toISOString().slice(0, 10),
    row.endsAt?.toISOString().slice(0, 10),
  ]);

/** A user whose half-price month is over and who pays the full price for this one. */
async function makePayer(postsPerDay: number, now: Date, currencyCode = 'USD') {
  const actor = await makeUser(db);
  await makePlan(db, actor, 1, new Date(now.getTime() - 40 * 86_400_000));
  await makePlan(db, actor, postsPerDay, now, { currencyCode });
  return actor;
}

describe('the credit of an immediate upgrade', () => {
  test('is the unused share of the full price', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const { amountMinor, fullPriceMinor, current } = await prepare(actor, 3, day('2026-04-11'));
    assert.equal(current?.daysRemaining, 20);
    assert.equal(current?.creditMinor, Math.floor((1900 * 20) / 30));
    assert.equal(fullPriceMinor, 3900);
    assert.equal(amountMinor, 3900 - 1266);
  });

  test('counts what was paid, not what it would have cost', async () => {
    const actor = await makeUser(db);
    await makePlan(db, actor, 2, day('2026-04-01'));
    const { amountMinor, promoPercent } = await prepare(actor, 3, day('2026-04-16'));
    assert.equal(amountMinor, 3900 - 475);
    assert.equal(promoPercent, 0);
  });

  test('counts a day that has begun whole', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const soonAfter = new Date('2026-04-01T10:00:05Z');
    assert.equal((await prepare(actor, 3, soonAfter)).amountMinor, 3900 - 1900);
    const lastMinute = new Date('2026-05-01T09:59:00Z');
    assert.equal((await prepare(actor, 3, lastMinute)).amountMinor, 3900 - 63);
  });

  test('follows the ratio of the two prices into another currency', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const { amountMinor, current } = await prepare(actor, 3, day('2026-04-16'), { currencyCode: 'INR' });
    assert.equal(current?.creditMinor, Math.floor(((1900 * 15) / 30) * (159900 / 1900)));
    assert.equal(amountMinor, 329900 - 79950);
  });

  test('carries on when the upgraded plan is upgraded again', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    await makePlan(db, actor, 3, day('2026-04-01'), { upgradeType: 'immediate' });
    assert.equal((await prepare(actor, 4, day('2026-04-01'))).amountMinor, 6900 - 3900);
  });

  test('never makes the amount negative', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    await db
      .updateTable('payments')
      .set({ amountMinor: 9900 })
      .where('userId', '=', actor.userId)
      .where('status', '=', 'active')
      .execute();
    assert.equal((await prepare(actor, 3, day('2026-04-01'))).amountMinor, 0);
  });

  test('is none for the next billing date', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const info = await prepare(actor, 3, day('2026-04-16'), { startImmediately: false });
    assert.equal(info.amountMinor, 3900);
    assert.equal(info.current?.creditMinor, 0);
  });
});

describe('an upgrade', () => {
  test('that is immediate ends the current plan and begins now', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    await makePlan(db, actor, 3, day('2026-04-16'), { upgradeType: 'immediate' });
    assert.deepEqual((await periods(actor, day('2026-04-16'))).slice(0, 2), [
      [3, 'active', '2026-04-16', '2026-05-16'],
      [2, 'expired', '2026-04-01', '2026-04-16'],
    ]);
    assert.equal((await findActivePlan(db, actor.userId, day('2026-04-16')))?.postsPerDay, 3);
  });

  test('at the next billing date begins when the current plan ends', async () => {
    const actor = await makePayer(3, day('2026-01-31'));
    await makePlan(db, actor, 1, day('2026-02-10'), { upgradeType: 'next_billing' });
    assert.deepEqual((await periods(actor, day('2026-02-10'))).slice(0, 2), [
      [1, 'active', '2026-02-28', '2026-03-28'],
      [3, 'active', '2026-01-31', '2026-02-28'],
    ]);
    assert.equal((await findSubscription(db, actor, day('2026-02-10')))?.postsPerDay, 3);
    const { endsAt } = (await findActivePlan(db, actor.userId, day('2026-02-10')))!;
    assert.deepEqual(endsAt, day('2026-02-28'));
    assert.equal(await findActivePlan(db, actor.userId, day('2026-01-30')), undefined);
    assert.equal((await findActivePlan(db, actor.userId, day('2026-02-28')))?.postsPerDay, 1);
  });

  test('that is verified after the current plan has ended begins now', async () => {
    for (const upgradeType of ['immediate', 'next_billing'] as UpgradeType[]) {
      const actor = await makePayer(2, day('2026-04-01'));
      const { id } = await makePayment(db, actor, 3, day('2026-04-30'), { upgradeType });
      await verifyPayment(db, admin, id, day('2026-05-02'));
      const [first] = await periods(actor, day('2026-05-02'));
      assert.deepEqual(first, [3, 'active', '2026-05-02', '2026-06-02']);
    }
  });

  test('that is immediate moves a plan already paid for behind the new month', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    await makePlan(db, actor, 1, day('2026-04-02'), { upgradeType: 'next_billing' });
    await makePlan(db, actor, 4, day('2026-04-11'), { upgradeType: 'next_billing' });
    await makePlan(db, actor, 3, day('2026-04-21'), { upgradeType: 'immediate' });
    assert.deepEqual((await periods(actor, day('2026-04-21'))).slice(0, 4), [
      [3, 'active', '2026-04-21', '2026-05-21'],
      [4, 'active', '2026-06-21', '2026-07-21'],
      [1, 'active', '2026-05-21', '2026-06-21'],
      [2, 'expired', '2026-04-01', '2026-04-21'],
    ]);
  });

  test('needs a plan, another plan, and no smaller one at once', async () => {
    const none = await makeUser(db);
    const noPlan = { status: 409, code: 'no_active_subscription' };
    await assert.rejects(prepare(none, 3, day('2026-04-01')), noPlan);
    const actor = await makePayer(3, day('2026-04-01'));
    await assert.rejects(prepare(actor, 3, day('2026-04-02')), { status: 409, code: 'same_plan' });
    await assert.rejects(prepare(actor, 2, day('2026-04-02')), { status: 409, code: 'next_billing_only' });
    const smaller = await prepare(actor, 2, day('2026-04-02'), { startImmediately: false });
    assert.equal(smaller.amountMinor, 1900);
  });

  test('may be named by startImmediately alone, which says nothing without a plan', async () => {
    const proof = (change: object) => ({
      ...{ transactionId: transactionId(), postsPerDay: 3, currencyCode: 'USD', amount: 39 },
      ...{ upgradeType: null, startImmediately: null, ...change },
    });
    const actor = await makePayer(2, day('2026-04-01'));
    const payment = await submitProof(db, actor, proof({ startImmediately: false }), day('2026-04-02'));
    assert.equal(payment.upgradeType, 'next_billing');
    const fresh = await makeUser(db);
    const first = proof({ startImmediately: true, amount: 19.5 });
    assert.equal((await submitProof(db, fresh, first, day('2026-04-02'))).upgradeType, null);
    const stranger = await makeUser(db);
    const wrong = proof({ upgradeType: 'immediate', amount: 19.5 });
    await assert.rejects(submitProof(db, stranger, wrong, day('2026-04-02')), {
      code: 'no_active_subscription',
    });
  });
});

describe('the end of a plan', () => {
  test('is swept once', async () => {
    const fresh = await testDatabase();
    const actor = await makeUser(fresh.db);
    await makePlan(fresh.db, actor, 1, day('2026-04-01'));
    assert.equal(await endPlans(fresh.db, new Date('2026-05-01T09:59:59Z')), 0);
    const both = await Promise.all([1, 2].map(() => endPlans(fresh.db, day('2026-05-01'))));
    assert.deepEqual(both.sort(), [0, 1]);
    const rows = await fresh.db.selectFrom('payments').select('status').execute();
    assert.deepEqual(rows, [{ status: 'expired' }]);
    assert.equal(await endPlans(fresh.db, day('2026-05-02')), 0);
  });

  test('comes at its date for a cancelled plan too, which then reads cancelled', async () => {
    const actor = await makeUser(db);
    await makePlan(db, actor, 1, day('2026-04-01'));
    const cancelled = await cancelPlan(db, actor, day('2026-04-02'));
    assert.equal(cancelled.status, 'active');
    assert.deepEqual(cancelled.endsAt, day('2026-05-01'));
    assert.deepEqual((await cancelPlan(db, actor, day('2026-04-03'))).cancelledAt, day('2026-04-02'));
    assert.ok(await findActivePlan(db, actor.userId, new Date('2026-05-01T09:59:59Z')));
    assert.equal((await findSubscription(db, actor, day('2026-05-01')))?.status, 'cancelled');
    await endPlans(db, day('2026-05-01'));
    assert.equal((await periods(actor, day('2026-05-01')))[0]![1], 'cancelled');
  });

  test('needs a plan to cancel', async () => {
    const refusal = { status: 409, code: 'no_active_subscription' };
    await assert.rejects(cancelPlan(db, await makeUser(db), day('2026-04-01')), refusal);
  });
});

describe('the database itself', () => {
  const row = (userId: string, change: object) => ({
    ...{ userId, reference: 'TP-AAAAAA', method: 'paypal' as const, postsPerDay: 1, currencyCode: 'USD' },
    ...{ amountMinor: 600, fullPriceMinor: 600, transactionId: transactionId(), ...change },
  });
  const insert = (userId: string, change: object) =>
    db.insertInto('payments').values(row(userId, change)).execute();
  const active = (from: string, to: string) => ({ status: 'active', startsAt: day(from), endsAt: day(to) });

  test('refuses two plans over one instant', async () => {
    const { userId } = await makeUser(db);
    await insert(userId, active('2026-04-01', '2026-05-01'));
    await insert(userId, active('2026-05-01', '2026-06-01'));
    await assert.rejects(insert(userId, active('2026-04-30', '2026-05-02')), {
      constraint: 'payments_cover_each_instant_once',
    });
  });

  test('refuses a second pending payment and a second use of a transaction', async () => {
    const [one, two] = [await makeUser(db), await makeUser(db)];
    await insert(one.userId, { transactionId: 'ABC123' });
    await assert.rejects(insert(one.userId, {}), { constraint: 'payments_one_pending_per_user' });
    await assert.rejects(insert(two.userId, { transactionId: 'ABC123' }), {
      constraint: 'payments_transaction_id_key',
    });
  });

  test('refuses an amount below zero and six posts a day', async () => {
    const { userId } = await makeUser(db);
    await assert.rejects(insert(userId, { amountMinor: -1 }), {
      constraint: 'payments_amount_is_not_negative',
    });
    await assert.rejects(insert(userId, { postsPerDay: 6 }), { constraint: 'payments_posts_per_day_range' });
  });
});

test('every plan is listed for admins, a rejected payment is not', async () => {
  const fresh = await testDatabase();
  const actor = await makeUser(fresh.db);
  await makePlan(fresh.db, actor, 1, day('2026-04-01'));
  await makePayment(fresh.db, actor, 2, day('2026-04-02'), { upgradeType: 'immediate' });
  const { rows } = await listSubscriptions(fresh.db, firstPage, day('2026-06-01'));
  assert.deepEqual(
    rows.map((row) => row.status),
    ['pending', 'expired'],
  );
});
