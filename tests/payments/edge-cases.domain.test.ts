import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare, tryPreparePayment } from '#app/domain/payments/checkout/payment-info.ts';
import { findRequest } from '#app/domain/payments/checkout/requests.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import { getPayment } from '#app/domain/payments/payment.ts';
import { listCurrencies } from '#app/domain/payments/prices.ts';
import { findPaid } from '#app/domain/payments/receipt.ts';
import { isExpiredUnpaid, isSuperseded } from '#app/domain/payments/review/expired-unpaid.ts';
import { needsTwoAdmins } from '#app/domain/payments/review/two-person-rule.ts';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import { offerRenewal } from '#app/domain/payments/subscription/renewal.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const { db } = await testDatabase();
const day = (date: string) => new Date(`${date}T10:00:00Z`);

test('two admins are needed above the amount that is set, not at it', () =>
  withEnv({ PAYMENT_FOUR_EYES: new Map([['USD', 5000]]) }, async () => {
    const needs = (amountMinor: number, currencyCode = 'USD') =>
      needsTwoAdmins({ amountMinor, currencyCode });
    assert.deepEqual(
      [needs(4999), needs(5000), needs(5001), needs(5001, 'EUR')],
      [false, false, true, false],
    );
  }));

test('what cost nothing, is good still or was paid is not lost; only a payment verified since overtakes it', () => {
  const now = day('2026-04-04');
  const request = { status: 'open' as const, expiresAt: day('2026-04-03'), amountMinor: 300 };
  assert.equal(isExpiredUnpaid(request, now), true);
  assert.equal(isExpiredUnpaid({ ...request, status: 'closed' }, day('2026-04-01')), true);
  assert.equal(isExpiredUnpaid({ ...request, amountMinor: 0 }, now), false);
  assert.equal(isExpiredUnpaid(request, day('2026-04-01')), false);
  assert.equal(isExpiredUnpaid({ ...request, status: 'taken' as const }, now), false);
  // Good until that instant, and no longer.
  assert.equal(isExpiredUnpaid(request, request.expiresAt), true);
  const openedAt = day('2026-04-01');
  const overtakenBy = (verifiedAt: Date | null) => isSuperseded({ openedAt }, [{ verifiedAt }]);
  assert.deepEqual([day('2026-03-01'), null, openedAt, day('2026-04-02')].map(overtakenBy), [
    false,
    false,
    true,
    true,
  ]);
});

test('a currency whose method is not set up is neither offered nor asked for', () =>
  withEnv({ PAYPAL_EMAIL: undefined }, async () => {
    assert.deepEqual(
      (await listCurrencies(db)).map(({ code }) => code),
      ['INR'],
    );
    const payer = await makeUser(db);
    const choice = { postsPerDay: 1, currencyCode: 'USD', upgradeType: null };
    await assert.rejects(prepare(db, payer, choice), { status: 503, code: 'payment_method_unavailable' });
    assert.equal(await findRequest(db, payer, choice, new Date()), undefined);
    assert.equal((await prepare(db, payer, { ...choice, currencyCode: 'INR' })).method, 'upi');
  }));

test('who may have paid what is over is led to us, not to another currency, once theirs is withdrawn', async () => {
  const payer = await makeUser(db);
  const choice = { postsPerDay: 3, currencyCode: 'USD', upgradeType: null };
  const asked = await prepare(db, payer, choice, day('2026-03-01'));
  const proof = {
    transactionId: transactionId(),
    amount: toMajor(asked.amountMinor),
    startImmediately: null,
  };
  const submit = (at: Date) => submitProof(db, payer, { ...choice, ...proof }, at);
  await withEnv({ PAYPAL_EMAIL: undefined }, () =>
    assert.rejects(submit(day('2026-03-09')), { code: 'request_expired', message: RegExp(asked.reference) }),
  );
  // What is good still is taken.
  const { status } = await withEnv({ PAYPAL_EMAIL: undefined }, () => submit(day('2026-03-01')));
  assert.equal(status, 'pending');
});

test('a proof takes the request of its own plan, currency and start, however alike the amounts are', async () => {
  const now = day('2026-04-10');
  const actor = await makeUser(db);
  await makePlan(db, actor, 1, day('2026-04-01'));
  const choice = { postsPerDay: 3, currencyCode: 'USD', upgradeType: 'next_billing' as const };
  const asked = await prepare(db, actor, choice, now);
  const send = (change: object) =>
    submitProof(
      db,
      actor,
      {
        ...choice,
        transactionId: transactionId(),
        amount: toMajor(asked.amountMinor),
        startImmediately: null,
        ...change,
      },
      now,
    );
  for (const other of [{ postsPerDay: 2 }, { currencyCode: 'INR' }, { upgradeType: 'immediate' as const }]) {
    await assert.rejects(send(other), { status: 409, code: 'amount_mismatch' }, JSON.stringify(other));
  }
  // A dollar and a euro cost the same for one post a day.
  await prepare(db, actor, { ...choice, postsPerDay: 1 }, now);
  const euros = await send({ postsPerDay: 1, currencyCode: 'EUR', amount: 6 });
  assert.deepEqual([euros.currencyCode, euros.postsPerDay, euros.upgradeType], ['EUR', 1, 'next_billing']);
});

test('a renewal is offered to whose plan ends soon, whatever others have', async () => {
  const [one, other] = [await makeUser(db), await makeUser(db)];
  const { endsAt } = await makePlan(db, one, 2, day('2026-04-01'));
  await makePlan(db, other, 2, day('2026-04-20'));
  const offer = (at: string, until: Date | null = endsAt) => offerRenewal(db, one, until, day(at));
  assert.equal((await offer('2026-04-29'))?.label, 'Renew');
  assert.equal(await offer('2026-04-10'), null);
  assert.equal(await offer('2026-04-29', null), null);
});

test('a payment that was turned down is no first one, and is open again until it is submitted again', async () => {
  const now = day('2026-04-01');
  const [payer, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const { id } = await makePayment(db, payer, 1, now);
  const another = { postsPerDay: 2, currencyCode: 'USD', upgradeType: null };
  await rejectPayment(db, admin, { paymentId: id, reason: 'No such transfer' }, now);
  const { amountMinor, promoPercent } = await prepare(db, payer, another, now);
  assert.deepEqual([amountMinor, promoPercent], [950, 50]);
  const isOpen = async () => (await getPayment(db, id)).isOpenAgain;
  assert.equal(await isOpen(), true);
  await makePayment(db, payer, 1, now);
  assert.equal(await isOpen(), false);
});

test('a price in a currency whose method is not set up is not shown as one that can be paid', () =>
  withEnv({ UPI_ID: undefined }, async () => {
    const choice = { postsPerDay: 1, currencyCode: 'INR', upgradeType: null };
    const { preview, problem } = await tryPreparePayment(db, await makeUser(db), choice, false);
    assert.equal(preview, null);
    assert.match(problem ?? '', /^Payments by UPI are not set up yet/);
  }));

test('a receipt is its payer’s alone', async () => {
  const [payer, other] = [await makeUser(db), await makeUser(db)];
  const { id } = await makePlan(db, payer, 1, day('2026-04-01'));
  assert.equal((await findPaid(db, payer, id)).id, id);
  for (const [who, what] of [
    [other, id],
    [payer, 'nothing'],
  ] as const) {
    await assert.rejects(findPaid(db, who, what), { status: 404 });
  }
});

test('what may have been paid before is named beside the same plan in the same currency alone', async () => {
  const now = day('2026-04-01');
  const payer = await makeUser(db);
  const ask = (postsPerDay: number, currencyCode: string) =>
    prepare(db, payer, { postsPerDay, currencyCode, upgradeType: null }, now);
  const [first, posts, euros] = [await ask(1, 'USD'), await ask(2, 'USD'), await ask(1, 'EUR')];
  await db
    .updateTable('paymentRequests')
    .set({ status: 'closed' })
    .where('userId', '=', payer.userId)
    .execute();
  const again = await ask(1, 'USD');
  assert.deepEqual(
    again.lost.map(({ reference }) => reference),
    [first.reference],
  );
  assert.ok(![posts, euros, again].some(({ reference }) => reference === again.lost[0]!.reference));
  await db
    .updateTable('paymentRequests')
    .set({ amountMinor: 0, creditMinor: 0 })
    .where('reference', '=', first.reference)
    .execute();
  assert.deepEqual((await ask(1, 'USD')).lost, []);
});
