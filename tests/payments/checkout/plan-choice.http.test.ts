import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { getOffer } from '#app/domain/payments/prices.ts';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import { findSubscription } from '#app/domain/payments/subscription/subscription.ts';
import { paymentInfoShape } from '#app/routes/api/v1/payments.ts';
import { presentPayment } from '#app/routes/payments/present.ts';
import { presentEnded } from '#app/routes/payments/present-end.ts';
import { type ChooseData, loadSubscribeDialog } from '#app/routes/payments/subscribe/load.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { endPlanAt, makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const { db } = await testDatabase();
const NOW = new Date('2026-05-04T10:00:00Z');
const HOUR = 3_600_000;
const after = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

type Actor = Awaited<ReturnType<typeof makeUser>>;
const dialog = (actor: Actor, query: string, now = NOW) =>
  loadSubscribeDialog(db, actor, new URLSearchParams(`dialog=subscribe&${query}`), now);
const choose = async (actor: Actor, query = '', now = NOW) => (await dialog(actor, query, now)) as ChooseData;

test('who has a plan is shown one post a day more, who has the largest one less, in the currency of the plan', async () => {
  const [some, most] = [await makeUser(db), await makeUser(db)];
  await makePlan(db, some, 2, NOW, { currencyCode: 'GBP' });
  await makePlan(db, most, 5, NOW, { currencyCode: 'INR' });
  const chosenOf = async (actor: Actor) => {
    const { choice, options } = await choose(actor);
    const own = options.filter(({ isCurrent }) => isCurrent).map(({ count }) => count);
    return [choice.postsPerDay, choice.currencyCode, choice.start, own];
  };
  assert.deepEqual(await chosenOf(some), [3, 'GBP', 'immediate', [2]]);
  assert.deepEqual(await chosenOf(most), [4, 'INR', 'next', [5]]);
  assert.deepEqual(await chosenOf(await makeUser(db)), [1, 'USD', 'immediate', []]);
});

test('where dollars can’t be paid the first currency that can is chosen', () =>
  withEnv({ PAYPAL_EMAIL: undefined }, async () => {
    const { choice, currencies } = await choose(await makeUser(db), 'currency=USD');
    assert.deepEqual([choice.currencyCode, currencies.map(({ value }) => value)], ['INR', ['INR']]);
  }));

test('a start that is possible is kept, and one that is not gives way to the other', async () => {
  const actor = await makeUser(db);
  await makePlan(db, actor, 2, NOW);
  const startOf = async (query: string) => (await choose(actor, query)).choice.start;
  assert.equal(await startOf('posts=4&start=next'), 'next');
  assert.equal(await startOf('posts=4&start=immediate'), 'immediate');
  assert.equal(await startOf('posts=1&start=immediate'), 'next');
});

test('a price that is not there is shown as 10, leads nowhere and says so', async () => {
  const actor = await makeUser(db);
  await db
    .insertInto('currencies')
    .values({ code: 'CHF', symbol: 'CHF', name: 'Swiss Franc', position: 9 })
    .execute();
  await db.insertInto('prices').values({ currencyCode: 'CHF', postsPerDay: 1, amountMinor: 500 }).execute();
  try {
    const { options, canContinue, problem } = await choose(actor, 'posts=2&currency=CHF');
    assert.deepEqual(
      options.map(({ price }) => price.replace(/\s/, ' ')),
      ['CHF 5', 'CHF 10', 'CHF 10', 'CHF 10', 'CHF 10'],
    );
    assert.equal(canContinue, false);
    assert.equal(problem, 'This plan has no price in CHF yet. Please choose another currency');
    await db.deleteFrom('prices').where('currencyCode', '=', 'CHF').execute();
    const none = await choose(actor, 'posts=2&currency=CHF');
    assert.deepEqual(new Set(none.options.map(({ price }) => price.replace(/\s/, ' '))), new Set(['CHF 10']));
    assert.equal(none.canContinue, false);
  } finally {
    await db.deleteFrom('prices').where('currencyCode', '=', 'CHF').execute();
    await db.deleteFrom('currencies').where('code', '=', 'CHF').execute();
  }
});

test('what was asked for beside a plan can be paid at its address when the plan has ended, until it is over', async () => {
  const actor = await makeUser(db);
  await makePlan(db, actor, 2, NOW);
  const upgradeType = 'next_billing' as const;
  const asked = await prepare(db, actor, { postsPerDay: 3, currencyCode: 'USD', upgradeType }, NOW);
  await endPlanAt(db, actor, after(1));
  const query = 'posts=3&currency=USD&step=2&start=next';
  const at = async (hours: number) => (await choose(actor, query, after(hours))).payment;
  assert.deepEqual(
    [(await at(2))?.reference, (await at(2))?.form.upgradeType],
    [asked.reference, upgradeType],
  );
  const later = await at(80);
  assert.notEqual(later?.reference, asked.reference);
  assert.equal(later?.form.upgradeType, '');
});

test('an end is told whether it was cancelled or not, and how a payment stands in its own words', async () => {
  const actor = await makeUser(db);
  const admin = await makeUser(db, { isAdmin: true });
  const payment = await makePlan(db, actor, 2, NOW);
  const cancelled = await cancelPlan(db, actor, NOW);
  const ended = async (now: Date) => presentEnded(db, actor, await findSubscription(db, actor, now), now);
  assert.equal(await ended(after(1)), null);
  const past = after(24 * 40);
  assert.equal((await findSubscription(db, actor, past))?.status, 'cancelled');
  assert.equal((await ended(past))?.title, 'Your plan has ended');
  assert.ok(cancelled.cancelledAt);
  const row = { ...payment, cancelledAt: NOW };
  assert.equal(presentPayment(row, actor, NOW).isCancelled, true);
  assert.equal(presentPayment({ ...row, status: 'cancelled' }, actor, past).isCancelled, false);
  assert.equal(presentPayment(row, actor, NOW).isNext, false);
  assert.equal(presentPayment(row, actor, after(-1)).isNext, true);

  const other = await makeUser(db);
  await makePlan(db, other, 2, NOW);
  for (const [upgradeType, start] of [
    ['next_billing', 'next'],
    ['immediate', 'immediate'],
  ] as const) {
    const { id } = await makePayment(db, other, 4, NOW, { upgradeType });
    const rejected = await rejectPayment(db, admin, { paymentId: id, reason: 'Nothing came.' }, NOW);
    const { submitAgain, timeline } = presentPayment({ ...rejected, isOpenAgain: true }, other, NOW);
    assert.equal(submitAgain, `?dialog=subscribe&step=2&posts=4&currency=USD&start=${start}`);
    assert.deepEqual(
      timeline.map(({ kind }) => kind),
      ['submitted', 'rejected'],
    );
  }
  const waiting = await makePayment(db, await makeUser(db), 1, NOW);
  const [, checking] = presentPayment(waiting, actor, after(5)).timeline;
  assert.deepEqual([checking?.kind, checking?.leftMs], ['checking', 19 * HOUR]);
});

test('the promotion is told of a first payment alone', async () => {
  const actor = await makeUser(db);
  const asked = async (upgradeType: 'next_billing' | null) =>
    paymentInfoShape(await prepare(db, actor, { postsPerDay: 2, currencyCode: 'USD', upgradeType }, NOW))
      .promotion;
  assert.deepEqual(await asked(null), { percent: 50, fullPrice: 19 });
  await makePlan(db, actor, 2, NOW);
  assert.equal(await asked('next_billing'), null);
});

test('the start page offers no currency that waits for its prices, whoever wants it', async () => {
  const { db: fresh } = await testDatabase();
  await fresh.deleteFrom('prices').where('currencyCode', 'in', ['USD', 'GBP']).execute();
  const { currencies, currencyCode, prices } = await getOffer(fresh, 'GBP');
  assert.deepEqual(
    currencies.map(({ code }) => code),
    ['EUR', 'INR', 'AED'],
  );
  assert.deepEqual([currencyCode, prices.length], ['EUR', 5]);
});

test('where nothing is set up to be paid with there is nothing to choose', () =>
  withEnv({ UPI_ID: undefined, PAYPAL_EMAIL: undefined }, async () => {
    const data = await dialog(await makeUser(db), '');
    assert.deepEqual(data, { step: 0, problem: 'Payments are not set up yet. Please come back later' });
  }));
