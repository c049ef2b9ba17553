import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { listRevenue } from '#app/domain/payments/ledger/revenue.ts';
import { findPaid, receiptNumber } from '#app/domain/payments/receipt.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const day = (date: string) => new Date(`${date}T10:00:00Z`);
const CURRENCIES = ['USD', 'EUR', 'GBP', 'INR', 'AED'];

/** Somebody who bought, was turned down, upgraded in another currency and renewed. */
async function customer(nth: number): Promise<Actor> {
  const actor = await makeUser(db, { name: `Customer ${nth}`, timeZone: nth % 2 ? 'Asia/Kolkata' : 'UTC' });
  const admin = await makeUser(db, { isAdmin: true });
  const [here, there] = [CURRENCIES[nth % 5]!, CURRENCIES[(nth + 1 + (nth % 2)) % 5]!];
  const turnedDown = await makePayment(db, actor, 2, day('2026-04-01'), { currencyCode: here });
  await rejectPayment(db, admin, { paymentId: turnedDown.id, reason: 'No' }, day('2026-04-02'));
  const again = await makePayment(db, actor, 2, day('2026-04-03'), { currencyCode: here });
  await verifyPayment(db, admin, again.id, day('2026-04-03'));
  await makePlan(db, actor, 4, day('2026-04-12'), { currencyCode: there, upgradeType: 'immediate' });
  await makePlan(db, actor, 4, day('2026-05-10'), { currencyCode: there, upgradeType: 'next_billing' });
  await makePayment(db, actor, 1, day('2026-05-11'), { currencyCode: here }).catch(() => {});
  return actor;
}

/** What each list says that was paid, by currency. */
const sum = (rows: { currencyCode: string; amountMinor: number | null }[]) => {
  const sums: Record<string, number> = {};
  for (const { currencyCode, amountMinor } of rows)
    sums[currencyCode] = (sums[currencyCode] ?? 0) + amountMinor!;
  return sums;
};
const sorted = (sums: Record<string, number>) => Object.entries(sums).sort();
const revenue = async () =>
  sorted(
    Object.fromEntries(
      (await listRevenue(db))
        .filter(({ count }) => count > 0)
        .map(({ currencyCode, totalMinor }) => [currencyCode, totalMinor]),
    ),
  );

test('ledgers, receipts and the revenue say the same in each currency, also when people are gone', async () => {
  const people: Actor[] = [];
  for (let nth = 0; nth < 6; nth++) people.push(await customer(nth));
  const entries = [];
  const receipts = [];
  for (const actor of people) {
    const ledger = (await getLedger(db, actor.userId)).entries;
    entries.push(...ledger);
    const ids = await db.selectFrom('payments').select('id').where('userId', '=', actor.userId).execute();
    for (const { id } of ids) {
      const paid = await findPaid(db, actor, id).catch(() => undefined);
      if (paid) receipts.push(paid);
    }
    // What it cost is what was paid, what was credited and what the promotion gave; nothing is paid back.
    const taken = await db
      .selectFrom('paymentRequests')
      .selectAll()
      .where('userId', '=', actor.userId)
      .where('status', '=', 'taken')
      .execute();
    for (const { fullPriceMinor, promoPercent, creditMinor, amountMinor, reference } of taken) {
      const most = Math.floor((fullPriceMinor * (100 - promoPercent)) / 100);
      assert.equal(amountMinor + creditMinor, most, reference);
      const of = ledger.filter((entry) => entry.reference === reference);
      const credited = of.find(({ kind }) => kind === 'credited')?.amountMinor ?? 0;
      assert.deepEqual(
        [credited, of.find(({ kind }) => kind === 'verified')?.amountMinor],
        [creditMinor, amountMinor],
      );
    }
  }
  const verified = entries.filter(({ kind }) => kind === 'verified');
  assert.equal(verified.length, 18);
  assert.deepEqual(sorted(sum(verified)), await revenue());
  assert.deepEqual(sorted(sum(receipts)), await revenue());
  const numbers = receipts.map(receiptNumber);
  assert.equal(new Set(numbers).size, 18);

  const before = await revenue();
  for (const { userId } of people) {
    await transact(db, async (trx) => {
      await lockUser(trx, userId);
      await deletePaymentData(trx, userId, day('2026-05-12'));
    });
  }
  assert.deepEqual(await revenue(), before);
  const kept = await db.selectFrom('payments').selectAll().where('verifiedAt', 'is not', null).execute();
  assert.deepEqual(
    kept.map(({ reference, verifiedAt }) => receiptNumber({ reference, verifiedAt: verifiedAt! })).sort(),
    numbers.sort(),
  );
  const said = JSON.stringify([kept, await db.selectFrom('paymentRequests').selectAll().execute()]);
  for (const { userId, email, name } of people) {
    for (const trace of [userId, email, name]) assert.ok(!said.includes(trace), trace);
  }
});
