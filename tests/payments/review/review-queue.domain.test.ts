import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { exportLedger, getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { listRevenue } from '#app/domain/payments/ledger/revenue.ts';
import {
  listPendingPayments,
  listSubscriptions,
  SubscriptionsQuery,
} from '#app/domain/payments/review/list-pending.ts';
import { presentPreview } from '#app/domain/payments/review/preview-text.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { findRenewal } from '#app/domain/payments/subscription/renewal.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { parseEnv } from '#app/env.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const { db } = await testDatabase();
const day = (date: string) => new Date(`${date}T10:00:00Z`);
const DAY = 86_400_000;
const firstPage = PageQuery.parse({});
const find = (query: object, now = day('2026-06-01')) =>
  listSubscriptions(db, SubscriptionsQuery.parse(query), now);
const emails = async (query: object, now?: Date) =>
  (await find(query, now)).rows.map(({ payerEmail }) => payerEmail);

test('an admin reads what verifying a payment will do, and that is what it does', async () => {
  const payer = await makeUser(db, { timeZone: 'Asia/Kolkata' });
  await makePlan(db, payer, 2, day('2026-04-01'));
  await makePlan(db, payer, 1, day('2026-04-02'), { upgradeType: 'next_billing' });
  const { id } = await makePayment(db, payer, 3, day('2026-04-16'), { upgradeType: 'immediate' });
  const now = day('2026-04-18');
  const row = (await listPendingPayments(db, firstPage, now)).rows.find((one) => one.id === id)!;
  assert.deepEqual(
    [row.isLate, row.waitsMs, row.hasScreenshot, row.payerZone],
    [true, 2 * DAY, false, 'Asia/Kolkata'],
  );
  assert.deepEqual(presentPreview(row.preview, row.payerZone), [
    'The plan of 2 posts a day ends on Apr 18, 2026.',
    'The month of 1 post a day runs from May 18, 2026 to Jun 18, 2026.',
    'Meanwhile 2 days of the credited time went by, which takes 11 hours, 41 minutes off the new month.',
  ]);
  const admin = await makeUser(db, { isAdmin: true });
  const { startsAt, endsAt } = await verifyPayment(db, admin, id, now);
  assert.deepEqual([row.preview.startsAt, row.preview.endsAt], [startsAt, endsAt]);
});

test('above the amounts of PAYMENT_FOUR_EYES two different admins verify', () => {
  const PAYMENT_FOUR_EYES = new Map([['USD', 1500]]);
  return withEnv({ PAYMENT_FOUR_EYES }, async () => {
    const [one, two, three] = (await Promise.all([1, 2, 3].map(() => makeUser(db, { isAdmin: true })))) as [
      Actor,
      Actor,
      Actor,
    ];
    const now = day('2026-04-01');
    const small = await makePayment(db, await makeUser(db), 2, now);
    assert.equal((await verifyPayment(db, one, small.id, now)).status, 'active');
    const { id, userId } = await makePayment(db, await makeUser(db), 3, now);
    const first = await verifyPayment(db, one, id, now);
    assert.deepEqual([first.status, first.firstVerifiedBy, first.startsAt], ['pending', one.userId, null]);
    await assert.rejects(verifyPayment(db, one, id, now), { status: 409, code: 'needs_another_admin' });
    const row = (await listPendingPayments(db, firstPage, now)).rows.find((pending) => pending.id === id)!;
    assert.deepEqual([row.needsTwoAdmins, row.firstVerifiedName], [true, one.name]);
    const both = await Promise.allSettled([two, three].map((admin) => verifyPayment(db, admin, id, now)));
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const kinds = (await getLedger(db, userId!)).entries.map(({ kind, by }) => [kind, by]);
    assert.deepEqual(kinds.filter(([kind]) => String(kind).startsWith('verified'))[0], [
      'verified_first',
      one.name,
    ]);
    // At once, and by three, too.
    const again = await makePayment(db, await makeUser(db), 3, now);
    const all = await Promise.allSettled(
      [one, two, three, one].map((admin) => verifyPayment(db, admin, again.id, now)),
    );
    const done = all.flatMap((result) => (result.status === 'fulfilled' ? result.value.status : []));
    assert.equal(done.filter((status) => status === 'active').length, 1);
  });
});

test('after the first of two verifications either admin may still reject', () => {
  const PAYMENT_FOUR_EYES = new Map([['USD', 1500]]);
  return withEnv({ PAYMENT_FOUR_EYES }, async () => {
    const [one, two] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })];
    const now = day('2026-04-01');
    for (const rejecting of [one, two]) {
      const payer = await makeUser(db);
      const { id } = await makePayment(db, payer, 3, now);
      await verifyPayment(db, one, id, now);
      const rejected = await rejectPayment(db, rejecting, { paymentId: id, reason: 'Not ours' }, now);
      assert.deepEqual([rejected.status, rejected.startsAt], ['rejected', null]);
      // What was decided stays decided, and the same transaction may be sent once more: both admins look at it anew.
      for (const admin of [one, two])
        await assert.rejects(verifyPayment(db, admin, id, now), { status: 409, code: 'not_pending' });
      const { kind, by } = (await getLedger(db, payer.userId)).entries.at(-1)!;
      assert.deepEqual([kind, by], ['rejected', rejecting.name]);
      const { postsPerDay, currencyCode, amountMinor, transactionId } = rejected;
      const proof = { postsPerDay, currencyCode, transactionId, amount: amountMinor / 100 };
      const again = await submitProof(
        db,
        payer,
        { ...proof, upgradeType: null, startImmediately: null },
        now,
      );
      assert.equal(again.firstVerifiedBy, null);
      assert.equal((await verifyPayment(db, two, again.id, now)).status, 'pending');
      assert.equal((await verifyPayment(db, one, again.id, now)).status, 'active');
    }
  });
});

test('PAYMENT_FOUR_EYES is amounts by currency, or a fault that says so', () => {
  const parsed = parseEnv({ PAYMENT_FOUR_EYES: 'USD:50, INR:4000.50' }).PAYMENT_FOUR_EYES;
  assert.deepEqual(
    [...parsed],
    [
      ['USD', 5000],
      ['INR', 400050],
    ],
  );
  assert.equal(parseEnv({}).PAYMENT_FOUR_EYES.size, 0);
  for (const wrong of ['50', 'USD', 'USD:-1', 'USD:1,USD:2', 'usd:5', 'USD:5.5', 'USD:5;INR:5']) {
    assert.throws(
      () => parseEnv({ PAYMENT_FOUR_EYES: wrong }),
      /PAYMENT_FOUR_EYES must be amounts by currency/,
      wrong,
    );
  }
});

test('every plan is found by its status as shown, and by name, address, reference or transaction', async () => {
  const ada = await makeUser(db, { name: 'Ada %_Lovelace' });
  const [first, admin] = [
    await makePlan(db, ada, 1, day('2026-04-01')),
    await makeUser(db, { isAdmin: true }),
  ];
  const bob = await makeUser(db, { name: 'Bob' });
  const rejected = await makePayment(db, bob, 2, day('2026-05-20'), { currencyCode: 'INR' });
  await rejectPayment(db, admin, { paymentId: rejected.id, reason: 'No' }, day('2026-05-21'));
  for (const q of [
    '%_love',
    ada.email.toUpperCase(),
    first.reference,
    ` ${first.transactionId.slice(2, 9).toLowerCase()} `,
  ]) {
    assert.deepEqual(await emails({ q }), [ada.email], q);
  }
  assert.deepEqual(await emails({ q: first.reference, status: 'active' }), []);
  assert.deepEqual(await emails({ q: first.reference, status: 'expired' }), [ada.email]);
  assert.deepEqual(await emails({ q: first.reference, status: 'active' }, day('2026-04-20')), [ada.email]);
  assert.deepEqual(await emails({ q: first.reference, status: 'expired' }, day('2026-04-20')), []);
  // A number that was copied with its gaps is the same number.
  assert.deepEqual(await emails({ q: first.transactionId.replace(/(.{4})/g, '$1 ') }), [ada.email]);
  assert.deepEqual(await emails({ q: bob.email }), []);
  assert.deepEqual(await emails({ q: bob.email, status: 'rejected' }), [bob.email]);
  for (const wrong of [{ status: 'gone' }, { q: 'a'.repeat(101) }])
    assert.equal(SubscriptionsQuery.safeParse(wrong).success, false);
});

test('what is typed is looked for as it stands: a percent sign, a line below and a backslash mean themselves', async () => {
  const names = ['Al%ice', 'Alxice', 'Bo_b', 'Bob b', 'Car\\ol', 'Carol'];
  const people = await Promise.all(names.map((name) => makeUser(db, { name })));
  for (const person of people) await makePayment(db, person, 1, day('2026-05-02'));
  const found = async (q: string) => (await find({ q })).rows.map(({ payerName }) => payerName);
  for (const [q, name] of [
    ['l%i', 'Al%ice'],
    ['o_b', 'Bo_b'],
    ['r\\o', 'Car\\ol'],
    ['bo_', 'Bo_b'],
  ] as const) {
    assert.deepEqual(await found(q), [name], q);
  }
  assert.deepEqual(await found('%%'), []);
  assert.deepEqual(await found('__'), []);
});

test('revenue is what was paid in each currency by payments that were verified', async () => {
  const fresh = await testDatabase();
  const [one, two] = [await makeUser(fresh.db), await makeUser(fresh.db)];
  await makePlan(fresh.db, one, 3, day('2026-04-01'));
  await makePlan(fresh.db, one, 4, day('2026-04-01'), { upgradeType: 'immediate' });
  await makePlan(fresh.db, two, 1, day('2026-04-01'), { currencyCode: 'INR' });
  await makePayment(fresh.db, two, 5, day('2026-04-01'), { upgradeType: 'next_billing' });
  assert.deepEqual(
    (await listRevenue(fresh.db))
      .filter(({ count }) => count > 0)
      .map(({ currencyCode, totalMinor, count }) => [currencyCode, totalMinor, count]),
    [
      ['USD', 1950 + 6900 - 1950, 2],
      ['INR', 24950, 1],
    ],
  );
});

test('the ledger of a user tells each request, proof, decision, credit and period, and is safe in a spreadsheet', async () => {
  const [payer, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true, name: '=cmd()' })];
  const first = await makePayment(db, payer, 2, day('2026-04-01'));
  await rejectPayment(db, admin, { paymentId: first.id, reason: '+1; =2+3' }, day('2026-04-02'));
  const second = await makePayment(db, payer, 2, day('2026-04-03'));
  await verifyPayment(db, admin, second.id, day('2026-04-03'));
  await makePlan(db, payer, 3, day('2026-04-18'), { upgradeType: 'immediate' });
  const { entries } = await getLedger(db, payer.userId);
  assert.deepEqual(
    entries.map(({ kind, at }) => `${at.toISOString().slice(5, 10)} ${kind}`),
    [
      '04-01 requested',
      '04-01 submitted',
      '04-02 rejected',
      '04-03 submitted',
      '04-03 verified',
      '04-03 period',
      '04-18 requested',
      '04-18 credited',
      '04-18 submitted',
      '04-18 verified',
      '04-18 period',
    ],
  );
  assert.equal(new Set(entries.slice(0, 6).map(({ reference }) => reference)).size, 1);
  assert.equal(entries[7]!.amountMinor, 475);
  const csv = await exportLedger(db, payer.userId);
  assert.ok(!/(?:^|,|")[=+\-@]/m.test(csv.replace(/^\uFEFF/, '')), csv);
  assert.match(csv, /"'\+1;' =2\+3"|"'\+1; =2\+3"/);
  await assert.rejects(getLedger(db, 'nobody'), { status: 404 });
});

test('a renewal is offered from seven days before the end, while nothing follows, waits or was cancelled', async () => {
  const payer = await makeUser(db);
  const { endsAt } = await makePlan(db, payer, 2, day('2026-04-01'), { currencyCode: 'EUR' });
  const before = (days: number) => new Date(endsAt!.getTime() - days * DAY);
  assert.equal(await findRenewal(db, payer, new Date(before(7).getTime() - 1)), null);
  const offered = await findRenewal(db, payer, before(7));
  assert.deepEqual(offered, {
    postsPerDay: 2,
    currencyCode: 'EUR',
    endsAt,
    to: '/app/dashboard?dialog=subscribe&step=2&posts=2&currency=EUR&start=next',
  });
  const { id } = await makePayment(db, payer, 2, before(6), {
    currencyCode: 'EUR',
    upgradeType: 'next_billing',
  });
  assert.equal(await findRenewal(db, payer, before(6)), null);
  const renewed = await verifyPayment(db, await makeUser(db, { isAdmin: true }), id, before(1));
  assert.deepEqual(renewed.startsAt, endsAt);
  assert.equal(await findRenewal(db, payer, before(1)), null);
  assert.equal(await findRenewal(db, payer, endsAt!), null);
});
