import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { prepare, tryPreparePayment } from '#app/domain/payments/checkout/payment-info.ts';
import type { Choice } from '#app/domain/payments/checkout/quote.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import { receiptNumber } from '#app/domain/payments/receipt.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { withEnv } from '#tests/harness/with-env.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db } = await testDatabase();
const admin = await makeUser(db, { isAdmin: true });
const NOW = new Date('2026-03-01T10:00:00Z');
const HOUR = 3_600_000;
const after = (hours: number) => new Date(NOW.getTime() + hours * HOUR);
const choice = (postsPerDay: number, upgradeType: Choice['upgradeType'] = null) => ({
  postsPerDay,
  currencyCode: 'USD',
  upgradeType,
});

const proofOf = (chosen: Choice, amountMinor: number) => ({
  ...chosen,
  amount: toMajor(amountMinor),
  transactionId: transactionId(),
  startImmediately: null,
});

const requestsOf = ({ userId }: Actor) =>
  db
    .selectFrom('paymentRequests')
    .select(['reference', 'status', 'amountMinor', 'promoPercent'])
    .where('userId', '=', userId)
    .orderBy('openedAt')
    .execute();

/** Prices of dollars are others while `act` runs. */
async function atPrices<T>(prices: Record<number, number>, act: () => Promise<T>): Promise<T> {
  const before = await db.selectFrom('prices').selectAll().where('currencyCode', '=', 'USD').execute();
  const set = (postsPerDay: number, amountMinor: number) =>
    db
      .updateTable('prices')
      .set({ amountMinor })
      .where('currencyCode', '=', 'USD')
      .where('postsPerDay', '=', postsPerDay)
      .execute();
  for (const [posts, amount] of Object.entries(prices)) await set(Number(posts), amount);
  return act().finally(async () => {
    for (const { postsPerDay, amountMinor } of before) await set(postsPerDay, amountMinor);
  });
}

const countWaiting = async (on: Db) => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(on);
  return rows.length;
};

/** Lets `acts` begin while `first` is written and not yet committed. */
async function whileWritten<T>(
  { userId }: Actor,
  first: (trx: Db) => Promise<unknown>,
  acts: (() => Promise<T>)[],
) {
  const { results } = await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await first(trx);
    let done = 0;
    const results = Promise.allSettled(acts.map((act) => act().finally(() => done++)));
    await until('all of them wait', async () => (await countWaiting(db)) + done >= acts.length);
    return { results };
  });
  return results;
}

describe('at once', () => {
  test('who asks what to pay while a first payment is verified is not told the half price of a first one', async () => {
    const payer = await makeUser(db);
    const { id } = await makePayment(db, payer, 1, NOW);
    // As it is once the payment waits no longer, which nobody else sees before it is committed.
    await db.updateTable('payments').set({ status: 'rejected' }).where('id', '=', id).execute();
    const asked = await whileWritten(
      payer,
      async (trx) => {
        await trx.updateTable('payments').set({ status: 'pending' }).where('id', '=', id).execute();
        await verifyPayment(trx, admin, id, NOW);
      },
      [1, 2, 3, 4].map((posts) => () => prepare(db, payer, choice(posts), NOW)),
    );
    assert.deepEqual(
      asked.map((one) => (one.status === 'rejected' ? one.reason.code : one.value.amountMinor)),
      ['use_upgrade', 'use_upgrade', 'use_upgrade', 'use_upgrade'],
    );
    assert.deepEqual(
      (await requestsOf(payer)).filter(({ status }) => status === 'open'),
      [],
    );
  });

  test('eight who ask for one choice are told one reference, also of a request that is over', async () => {
    const payer = await makeUser(db);
    for (const now of [NOW, after(73)]) {
      const asked = await whileWritten(
        payer,
        async () => {},
        Array.from({ length: 8 }, () => () => prepare(db, payer, choice(2), now)),
      );
      const told = asked.map((one) => (one.status === 'fulfilled' ? one.value.reference : one.reason));
      assert.equal(new Set(told).size, 1, String(told));
      assert.equal((await requestsOf(payer)).length, 1);
    }
  });
});

describe('prices and the promotion that change', () => {
  test('between the question and the proof change nothing of what was said; who asks after it is told the new ones', async () => {
    const [payer, other] = [await makeUser(db), await makeUser(db)];
    const { amountMinor, reference } = await prepare(db, payer, choice(3), NOW);
    const change = () => atPrices({ 3: 5000 }, () => submitAndAsk());
    const submitAndAsk = async () => {
      const payment = await submitProof(db, payer, proofOf(choice(3), amountMinor), after(71));
      assert.deepEqual(
        [payment.amountMinor, payment.fullPriceMinor, payment.reference],
        [1950, 3900, reference],
      );
      const { startsAt, endsAt } = await verifyPayment(db, admin, payment.id, after(90));
      assert.deepEqual([startsAt, endsAt], [after(90), new Date('2026-04-05T04:00:00Z')]);
      assert.equal((await prepare(db, other, choice(3), after(71))).amountMinor, 3750);
    };
    await withEnv({ PROMO_PERCENT: 25 }, change);
  });

  test('change nothing for who was turned down: what was said is taken for 72 hours more', async () => {
    const payer = await makeUser(db);
    const { amountMinor, reference } = await prepare(db, payer, choice(4), NOW);
    const first = await submitProof(db, payer, proofOf(choice(4), amountMinor), after(71));
    await rejectPayment(db, admin, { paymentId: first.id, reason: 'No such transfer' }, after(95));
    await atPrices({ 4: 9000 }, async () => {
      const { expiresAt } = await prepare(db, payer, choice(4), after(96));
      assert.deepEqual(expiresAt, after(95 + 72));
      const again = await submitProof(db, payer, proofOf(choice(4), amountMinor), after(166));
      assert.deepEqual([again.amountMinor, again.reference], [amountMinor, reference]);
    });
  });

  test('leave what was paid for a plan what it was, when it is credited', async () => {
    const payer = await makeUser(db);
    await makePlan(db, payer, 3, NOW);
    await atPrices({ 3: 9000 }, () =>
      withEnv({ PROMO_PERCENT: 0 }, async () => {
        const info = await prepare(db, payer, choice(4, 'immediate'), NOW);
        assert.deepEqual([info.credit?.minor, info.amountMinor], [1950, 6900 - 1950]);
      }),
    );
  });
});

describe('where nothing is to be paid', () => {
  test('a plan that a credit pays whole begins as it is asked for, without an admin, a proof or a request for money', async () => {
    const payer = await makeUser(db);
    const old = await makePlan(db, payer, 4, NOW);
    await atPrices({ 5: 2000 }, async () => {
      const info = await prepare(db, payer, choice(5, 'immediate'), after(24));
      assert.deepEqual([info.amountMinor, info.upi, info.paypalEmail], [0, null, null]);
      // Looked at for a day: what was used meanwhile is not credited.
      const proof = { ...proofOf(choice(5, 'immediate'), 0), transactionId: 'WHATEVER1' };
      const payment = await submitProof(db, payer, proof, after(48));
      assert.deepEqual(
        [payment.status, payment.startsAt, payment.endsAt, payment.amountMinor],
        ['active', after(48), new Date('2026-04-03T10:00:00Z'), 0],
      );
      assert.equal(payment.transactionId, info.reference.replace('-', ''));
      // 29 of 31 days of $34.50 were left; $20 of them is what it costs, and the rest goes on.
      const rest = await db
        .selectFrom('payments')
        .select(['startsAt', 'endsAt', 'status'])
        .where('id', '=', old.id)
        .executeTakeFirstOrThrow();
      const left = Math.floor((29 * 24 * HOUR * (3450 * (29 / 31) - 2000)) / (3450 * (29 / 31)));
      assert.equal(rest.status, 'active');
      assert.ok(Math.abs(rest.endsAt!.getTime() - payment.endsAt!.getTime() - left) < 1000, `${left}`);
    });
    assert.equal((await findActivePlan(db, payer.userId, after(49)))?.postsPerDay, 5);
    assert.equal((await mailsTo(db, payer.email, 'proofReceived')).length, 1);
    const [mail] = await mailsTo(db, payer.email, 'paymentVerified');
    assert.equal(mail!.isFree, true);
    const { entries } = await getLedger(db, payer.userId);
    const verified = entries.filter(({ kind }) => kind === 'verified');
    assert.deepEqual(
      verified.map(({ amountMinor, by }) => [amountMinor, by === null]),
      [
        [3450, false],
        [0, true],
      ],
    );
  });

  test('a first month that the promotion gives begins at once, once', () =>
    withEnv({ PROMO_PERCENT: 100 }, async () => {
      const payer = await makeUser(db);
      await prepare(db, payer, choice(1), NOW);
      const all = await Promise.allSettled(
        [1, 2, 3].map(() => submitProof(db, payer, proofOf(choice(1), 0), NOW)),
      );
      assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await findActivePlan(db, payer.userId, after(1)))?.postsPerDay, 1);
      assert.equal((await prepare(db, payer, choice(1, 'next_billing'), after(1))).amountMinor, 600);
    }));

  test('and what is left pays for it no longer, that is said, and no money is asked back', async () => {
    const payer = await makeUser(db);
    await makePlan(db, payer, 4, NOW);
    await atPrices({ 5: 3400 }, async () => {
      await prepare(db, payer, choice(5, 'immediate'), after(1));
      await assert.rejects(submitProof(db, payer, proofOf(choice(5, 'immediate'), 0), after(240)), {
        code: 'request_expired',
        message: /pays for this one no longer\. The amount to pay is \$10\.\d\d USD now$/,
      });
    });
  });
});

describe('what is no longer taken and may have been paid', () => {
  test('is named where the same plan is paid, and in the refusal, also after 72 hours', async () => {
    const payer = await makeUser(db);
    const lost = await prepare(db, payer, choice(5), NOW);
    const first = await makePayment(db, payer, 1, NOW);
    await verifyPayment(db, admin, first.id, NOW);
    for (const at of [after(1), after(100)]) {
      const { info } = await tryPreparePayment(db, payer, choice(5, 'immediate'), true, at);
      const named = info!.lost.map(({ reference, amountMinor }) => `${reference} ${amountMinor}`);
      assert.ok(named.includes(`${lost.reference} 4950`), String(named));
      await assert.rejects(submitProof(db, payer, proofOf(choice(5), lost.amountMinor), at), {
        status: 409,
        message: new RegExp(`don’t pay again: write to \\S+ and name ${lost.reference}\\. We put it right`),
      });
    }
    // Long after, nobody is asked about it.
    const { info } = await tryPreparePayment(db, payer, choice(5, 'immediate'), true, after(24 * 20));
    assert.deepEqual(info!.lost, []);
  });

  test('is named when its amount became another one after 72 hours, as that of an upgrade does', async () => {
    const payer = await makeUser(db);
    await makePlan(db, payer, 2, NOW);
    const asked = await prepare(db, payer, choice(3, 'immediate'), after(1));
    const { reference, lost } = await prepare(db, payer, choice(3, 'immediate'), after(80));
    assert.notEqual(reference, asked.reference);
    assert.deepEqual(
      lost.map((one) => one.reference),
      [asked.reference],
    );
    await assert.rejects(
      submitProof(db, payer, proofOf(choice(3, 'immediate'), asked.amountMinor), after(81)),
      {
        code: 'request_expired',
        message: new RegExp(
          `was good until .*The amount to pay is \\$.* now\\. .*name ${asked.reference}\\.`,
        ),
      },
    );
  });

  test('does not stand in the way of who pays what it costs now', async () => {
    const payer = await makeUser(db);
    await prepare(db, payer, choice(2, null), NOW);
    await makePlan(db, payer, 1, NOW);
    // A year later, with the price of then and without asking first.
    await withEnv({ PROMO_PERCENT: 0 }, async () => {
      const paid = await submitProof(db, payer, proofOf(choice(2), 1900), after(24 * 365));
      assert.equal(paid.status, 'pending');
      await rejectPayment(db, admin, { paymentId: paid.id, reason: 'No' }, after(24 * 365));
    });
  });
});

test('the database itself gives no reference twice, and no choice two open requests', async () => {
  const [payer, other] = [await makeUser(db), await makeUser(db)];
  const { reference } = await prepare(db, payer, choice(2), NOW);
  const insert = (userId: string, reference: string) =>
    db
      .insertInto('paymentRequests')
      .values({
        ...choice(2),
        userId,
        reference,
        fullPriceMinor: 1900,
        amountMinor: 950,
        expiresAt: after(72),
      })
      .execute();
  await assert.rejects(insert(other.userId, reference), { constraint: 'payment_requests_reference_key' });
  await assert.rejects(insert(payer.userId, 'TP-AAAAA2'), { constraint: 'payment_requests_one_open_key' });
});

test('no two receipts have one number, whatever was rejected, paid again, or begins with the year', async () => {
  const payer = await makeUser(db);
  const numbers = new Set<string>();
  let at = new Date('2026-12-31T23:30:00Z');
  for (let month = 0; month < 4; month++) {
    const first = await makePayment(db, payer, 1, at);
    await rejectPayment(db, admin, { paymentId: first.id, reason: 'No' }, at);
    const { id } = await makePayment(db, payer, 1, at);
    const { verifiedAt, reference, endsAt } = await verifyPayment(
      db,
      admin,
      id,
      new Date(at.getTime() + HOUR),
    );
    assert.equal(reference, first.reference);
    numbers.add(receiptNumber({ reference, verifiedAt: verifiedAt! }));
    at = new Date(endsAt!.getTime() + HOUR);
  }
  assert.equal(numbers.size, 4);
});
