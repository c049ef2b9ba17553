import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import { prepareUpgrade } from '#app/domain/payments/checkout/payment-info.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { listPayments } from '#app/domain/payments/history.ts';
import { listSubscriptions } from '#app/domain/payments/review/list-pending.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import { listCovered } from '#app/domain/payments/subscription/coverage.ts';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { findActivePlan, findSubscription } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

let db: Db;
let admin: Actor;
before(async () => {
  ({ db } = await testDatabase());
  admin = await makeUser(db, { isAdmin: true });
});

const day = (date: string) => new Date(`${date}T10:00:00Z`);
const DAY = 86_400_000;
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

  test('is the share by time, to the second and rounded down, of a plan whose days are shown rounded up', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const soonAfter = await prepare(actor, 3, new Date('2026-04-01T10:00:05Z'));
    assert.equal(soonAfter.amountMinor, 3900 - 1899);
    assert.equal(soonAfter.current?.daysRemaining, 30);
    const [left, month] = [24 * 3600 - 1, 30 * 24 * 3600];
    const lastDay = await prepare(actor, 4, new Date('2026-04-30T10:00:01Z'));
    assert.equal(lastDay.amountMinor, 6900 - Math.floor((1900 * left) / month));
    assert.equal(lastDay.current?.daysRemaining, 1);
    const lastMinute = await prepare(actor, 5, new Date('2026-05-01T09:59:00Z'));
    assert.equal(lastMinute.amountMinor, 9900);
  });

  test('follows the ratio of the two prices into another currency', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const { amountMinor, current } = await prepare(actor, 3, day('2026-04-16'), { currencyCode: 'INR' });
    assert.equal(current?.creditMinor, Math.floor(((1900 * 15) / 30) * (159900 / 1900)));
    assert.equal(amountMinor, 329900 - 79950);
  });

  test('needs no price of a plan that is offered no longer in the currency it was paid in', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const [row] = await db
      .deleteFrom('prices')
      .where('currencyCode', '=', 'USD')
      .where('postsPerDay', '=', 2)
      .returningAll()
      .execute();
    const [info, elsewhere] = await Promise.all([
      prepare(actor, 3, day('2026-04-16')),
      // At the price that it had when it was bought.
      prepare(actor, 3, day('2026-04-16'), { currencyCode: 'INR' }),
    ]).finally(() => db.insertInto('prices').values(row!).execute());
    assert.equal(info.current?.creditMinor, 950);
    assert.equal(elsewhere.current?.creditMinor, 79950);
  });

  test('is rounded down in another currency, too', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const [left, month] = [30 * 24 * 3600 - 1, 30 * 24 * 3600];
    const info = await prepare(actor, 3, new Date('2026-04-01T10:00:01Z'), { currencyCode: 'AED' });
    assert.notEqual((6900 * left) % month, 0);
    assert.equal(info.current?.creditMinor, Math.floor((6900 * left) / month));
  });

  test('carries on when the upgraded plan is upgraded again', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    await makePlan(db, actor, 3, day('2026-04-01'), { upgradeType: 'immediate' });
    assert.equal((await prepare(actor, 4, day('2026-04-01'))).amountMinor, 6900 - 3900);
  });

  test('never makes the amount negative: of more than it costs only as much time is credited, and the rest goes on', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    await db
      .updateTable('payments')
      .set({ amountMinor: 7800, worthMinor: 7800 })
      .where('userId', '=', actor.userId)
      .where('status', '=', 'active')
      .execute();
    const info = await prepare(actor, 3, day('2026-04-01'));
    assert.equal(info.amountMinor, 0);
    const [rest] = info.movedPlans;
    assert.deepEqual([rest?.postsPerDay, rest?.startsAt], [2, day('2026-05-01')]);
    assert.ok(Math.abs(rest!.endsAt.getTime() - day('2026-05-16').getTime()) < 2);
    await makePlan(db, actor, 3, day('2026-04-01'), { upgradeType: 'immediate' });
    assert.deepEqual((await findActivePlan(db, actor.userId, day('2026-05-02')))?.postsPerDay, 2);
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

  test('for the next billing date that is verified after the plan has ended begins then', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const { id } = await makePayment(db, actor, 3, day('2026-04-30'), { upgradeType: 'next_billing' });
    await verifyPayment(db, admin, id, day('2026-05-02'));
    assert.deepEqual((await periods(actor, day('2026-05-02')))[0], [3, 'active', '2026-05-02', '2026-06-02']);
  });

  test('that is verified late begins then, less what the credited time that was used meanwhile is worth', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const { id, amountMinor } = await makePayment(db, actor, 3, day('2026-04-16'), {
      upgradeType: 'immediate',
    });
    assert.equal(amountMinor, 3900 - 950);
    const { startsAt, endsAt } = await verifyPayment(db, admin, id, day('2026-04-19'));
    assert.deepEqual(startsAt, day('2026-04-19'));
    // A fifth of the credit, $1.90 of $39, is so much of the month of 30 days.
    assert.deepEqual(endsAt, new Date(day('2026-05-19').getTime() - Math.ceil((30 * DAY * 190) / 3900)));
    // What was really paid for it is what is credited of it next.
    const next = await prepare(actor, 4, day('2026-04-19'));
    assert.equal(next.current?.creditMinor, 3900 - 190);
    const [mail] = await mailsTo(db, actor.email, 'paymentVerified');
    assert.match(
      JSON.stringify(mailText('paymentVerified', mail!).lines),
      /Meanwhile 3 days of the credited time/,
    );
  });

  test('that is immediate lets a plan already paid for go on behind the new month', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const waiting = await makePlan(db, actor, 1, day('2026-04-02'), { upgradeType: 'next_billing' });
    const info = await prepare(actor, 3, day('2026-04-21'));
    assert.deepEqual(
      info.movedPlans.map(({ paymentId, startsAt, endsAt }) => [paymentId, startsAt, endsAt]),
      [[waiting.id, day('2026-05-21'), day('2026-06-21')]],
    );
    await makePlan(db, actor, 3, day('2026-04-21'), { upgradeType: 'immediate' });
    assert.deepEqual((await periods(actor, day('2026-04-21'))).slice(0, 3), [
      [3, 'active', '2026-04-21', '2026-05-21'],
      [1, 'active', '2026-05-21', '2026-06-21'],
      [2, 'expired', '2026-04-01', '2026-04-21'],
    ]);
  });

  test('that is verified when the next plan runs already lets that one go on afterwards, for all that is left of it', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    await makePlan(db, actor, 1, day('2026-04-02'), { upgradeType: 'next_billing' });
    const { id } = await makePayment(db, actor, 3, day('2026-04-30'), { upgradeType: 'immediate' });
    const { endsAt } = await verifyPayment(db, admin, id, day('2026-05-03'));
    const spans = await listCovered(db, actor.userId);
    const rest = new Date(endsAt!.getTime() + 29 * DAY);
    assert.deepEqual(spans.slice(1), [
      { from: day('2026-04-01'), to: day('2026-05-01'), postsPerDay: 2 },
      { from: day('2026-05-01'), to: day('2026-05-03'), postsPerDay: 1 },
      { from: day('2026-05-03'), to: endsAt, postsPerDay: 3 },
      { from: endsAt, to: rest, postsPerDay: 1 },
    ]);
    for (const [at, count] of [
      [day('2026-05-03'), 3],
      [endsAt!, 1],
      [new Date(rest.getTime() - 1), 1],
    ] as const) {
      assert.equal((await findActivePlan(db, actor.userId, at))?.postsPerDay, count);
      assert.equal((await findSubscription(db, actor, at))?.postsPerDay, count);
    }
    assert.equal(await findActivePlan(db, actor.userId, rest), undefined);
    const [mail] = await mailsTo(db, actor.email, 'paymentVerified');
    const lines = JSON.stringify(mailText('paymentVerified', mail!).lines);
    assert.match(lines, /What is left of 1 post a day goes on from Jun 0[23], 2026 to Jul 0[12], 2026/);
    // And again, while its rest waits.
    await makePlan(db, actor, 4, day('2026-05-10'), { upgradeType: 'immediate' });
    const after = await listCovered(db, actor.userId);
    assert.deepEqual(
      after.slice(3).map(({ postsPerDay, from }) => [postsPerDay, from]),
      [
        [3, day('2026-05-03')],
        [4, day('2026-05-10')],
        [1, day('2026-06-10')],
      ],
    );
    assert.equal(after.at(-1)!.to.getTime() - after.at(-1)!.from.getTime(), 29 * DAY);
  });

  test('is a renewal when it is the same plan at the next billing date; one plan can wait', async () => {
    const actor = await makePayer(2, day('2026-04-01'));
    const info = await prepare(actor, 2, day('2026-04-02'), { startImmediately: false });
    assert.deepEqual([info.amountMinor, info.startsAt], [1900, day('2026-05-01')]);
    await makePlan(db, actor, 2, day('2026-04-02'), { upgradeType: 'next_billing' });
    assert.deepEqual((await periods(actor, day('2026-04-02')))[0], [2, 'active', '2026-05-01', '2026-06-01']);
    const again = prepare(actor, 4, day('2026-04-03'), { startImmediately: false });
    await assert.rejects(again, { status: 409, code: 'plan_waits' });
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
      transactionId: transactionId(),
      postsPerDay: 3,
      currencyCode: 'USD',
      amount: 39,
      upgradeType: null,
      startImmediately: null,
      ...change,
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
    userId,
    reference: 'TP-AAAAAA',
    method: 'paypal' as const,
    postsPerDay: 1,
    currencyCode: 'USD',
    amountMinor: 600,
    fullPriceMinor: 600,
    transactionId: transactionId(),
    ...change,
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
