import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Trx, transact } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { getScreenshot, readScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { findPaid, seller } from '#app/domain/payments/receipt.ts';
import { listPendingPayments } from '#app/domain/payments/review/list-pending.ts';
import { previewPayments } from '#app/domain/payments/review/preview-payments.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { ProofInput } from '#app/domain/payments/schema.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { offerRenewal } from '#app/domain/payments/subscription/renewal.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { testDatabase } from '#tests/database.ts';
import { mailsTo, makeUser } from '#tests/make/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/make/payments.ts';
import { pictureOf, screenshotOf } from '#tests/make/screenshots.ts';
import { withEnv } from '#tests/make/set-env.ts';

const { db } = await testDatabase();
const admin = await makeUser(db, { isAdmin: true });
const DAY = 86_400_000;
const day = (date: string) => new Date(`${date}T10:00:00Z`);

const proof = (postsPerDay: number, amount: number, more: Partial<ProofInput> = {}): ProofInput => ({
  postsPerDay,
  amount,
  currencyCode: 'USD',
  transactionId: transactionId(),
  upgradeType: null,
  startImmediately: null,
  ...more,
});

const choice = (postsPerDay: number, currencyCode = 'USD', upgradeType: UpgradeType | null = null) => ({
  postsPerDay,
  currencyCode,
  upgradeType,
});

describe('a proof', () => {
  test('with the id of a transfer by another method is another one', async () => {
    const id = transactionId();
    const [one, other] = [await makeUser(db), await makeUser(db)];
    await submitProof(db, one, proof(1, 3, { transactionId: id }));
    const inr = proof(1, 249.5, { transactionId: id, currencyCode: 'INR' });
    assert.equal((await submitProof(db, other, inr)).status, 'pending');
  });

  test('for another request is refused while one waits, and says that one does', async () => {
    const payer = await makeUser(db);
    for (const posts of [1, 2]) await prepare(db, payer, choice(posts), new Date());
    await submitProof(db, payer, proof(1, 3));
    await assert.rejects(submitProof(db, payer, proof(2, 9.5)), { status: 409, code: 'payment_pending' });
  });

  test('brings its screenshot along', async () => {
    const picture = await screenshotOf(await pictureOf('png'));
    const { id } = await submitProof(db, await makeUser(db), { ...proof(1, 3), picture });
    assert.deepEqual((await getScreenshot(db, id)).bytes, picture.bytes);
  });

  test('that leaves open when it starts is for the upgrade that was asked for', async () => {
    const payer = await makeUser(db);
    await makePlan(db, payer, 1, day('2026-04-01'));
    const now = day('2026-04-11');
    const { reference, amountMinor } = await prepare(db, payer, choice(3, 'USD', 'immediate'), now);
    await assert.rejects(submitProof(db, payer, proof(3, 1), now), { code: 'amount_mismatch' });
    const paid = await submitProof(db, payer, proof(3, amountMinor / 100), now);
    assert.deepEqual([paid.reference, paid.upgradeType], [reference, 'immediate']);
  });

  test('is taken for what its request says, also when its method is offered no longer', async () => {
    const payer = await makeUser(db);
    const { reference } = await prepare(db, payer, choice(1, 'INR'), new Date());
    const paid = await withEnv({ UPI_ID: undefined }, () =>
      submitProof(db, payer, proof(1, 249.5, { currencyCode: 'INR' })),
    );
    assert.equal(paid.reference, reference);
  });

  test('does not mean what was closed of another plan, though the figure is the same', async () => {
    const payer = await makeUser(db);
    await makePlan(db, payer, 1, day('2026-01-01'));
    const asked = await prepare(db, payer, choice(2, 'AED'), day('2026-02-05'));
    await makePlan(db, payer, 1, day('2026-02-06'));
    assert.equal(asked.amountMinor, 6900);
    const paid = await submitProof(db, payer, proof(4, 69), day('2026-06-01'));
    assert.deepEqual([paid.currencyCode, paid.postsPerDay], ['USD', 4]);
  });
});

describe('a request', () => {
  const HOUR = 3_600_000;
  const opened = new Date();
  const hours = (count: number) => new Date(opened.getTime() + count * HOUR);

  test('that is open is not shown again while a payment waits', async () => {
    const payer = await makeUser(db);
    for (const posts of [1, 2]) await prepare(db, payer, choice(posts), opened);
    await submitProof(db, payer, proof(1, 3));
    await assert.rejects(prepare(db, payer, choice(2), opened), { status: 409, code: 'payment_pending' });
  });

  test('stands when the plan that it was reduced by has ended meanwhile', async () => {
    const payer = await makeUser(db);
    const { endsAt } = await makePlan(db, payer, 1, day('2026-04-01'));
    const upgrade = choice(3, 'USD', 'immediate');
    const before = await prepare(db, payer, upgrade, new Date(endsAt!.getTime() - HOUR));
    const after = await prepare(db, payer, upgrade, new Date(endsAt!.getTime() + HOUR));
    assert.deepEqual([after.reference, after.amountMinor], [before.reference, before.amountMinor]);
  });

  test('that is over and costs the same is good for 72 hours more, and no other one is', async () => {
    const [payer, other] = [await makeUser(db), await makeUser(db)];
    const [first, beside] = [
      await prepare(db, payer, choice(1), opened),
      await prepare(db, other, choice(1), opened),
    ];
    const again = await prepare(db, payer, choice(1), hours(80));
    assert.deepEqual([again.reference, again.expiresAt], [first.reference, hours(152)]);
    const kept = db
      .selectFrom('paymentRequests')
      .select('expiresAt')
      .where('reference', '=', beside.reference);
    assert.deepEqual(await kept.executeTakeFirst(), { expiresAt: hours(72) });
  });
});

test('a verification has the queue fitted to the plan, and the first of two stands in the audit log', async () => {
  const payer = await makeUser(db);
  const { id } = await makePayment(db, payer, 5);
  const jobs = sql`delete from graphile_worker._private_jobs where payload->>'userId' = ${payer.userId}`;
  await jobs.execute(db);
  await withEnv({ PAYMENT_FOUR_EYES: new Map([['USD', 0]]) }, async () => {
    await verifyPayment(db, admin, id);
    const entries = (await listAuditLog(db)).entries.filter(({ subjectId }) => subjectId === id);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['payment.verified_first'],
    );
    assert.equal((await jobs.execute(db)).numAffectedRows, 0n);
    await verifyPayment(db, await makeUser(db, { isAdmin: true }), id);
  });
  assert.equal((await jobs.execute(db)).numAffectedRows, 1n);
});

test('a large payment that was rejected is verified by nobody, not even by the first of two', async () => {
  const payer = await makeUser(db);
  const { id } = await makePayment(db, payer, 5);
  await rejectPayment(db, admin, { paymentId: id, reason: 'No' });
  await withEnv({ PAYMENT_FOUR_EYES: new Map([['USD', 0]]) }, () =>
    assert.rejects(verifyPayment(db, admin, id), { status: 409, code: 'not_pending' }),
  );
});

test('what the used credit leaves nothing of is not verified', async () => {
  const payer = await makeUser(db);
  await makePlan(db, payer, 1, day('2026-04-01'));
  const { id, requestId } = await makePayment(db, payer, 3, day('2026-04-11'), { upgradeType: 'immediate' });
  await db.updateTable('payments').set({ amountMinor: 0 }).where('id', '=', id).execute();
  const credit = { amountMinor: 0, creditMinor: 3900 };
  await db.updateTable('paymentRequests').set(credit).where('id', '=', requestId).execute();
  const late = day('2026-05-11');
  await assert.rejects(verifyPayment(db, admin, id, late), { status: 409, code: 'nothing_left' });
  assert.equal((await mailsTo(db, payer.email, 'paymentVerified')).length, 1, 'of the plan before');
});

test('a screenshot that was not read is refused, and there is none of any other payment', async () => {
  await assert.rejects(readScreenshot('too large'), { message: /over 4 MB/ });
  await assert.rejects(readScreenshot('busy'), { status: 503 });
  const { id } = await makePayment(db, await makeUser(db), 1);
  for (const wrong of [id, 'x']) await assert.rejects(getScreenshot(db, wrong), { status: 404 });
});

test('a receipt is of a payment that was verified, and says who sold it line by line', async () => {
  const payer = await makeUser(db);
  const { id } = await makePayment(db, payer, 1);
  for (const wrong of [id, 'x']) await assert.rejects(findPaid(db, payer, wrong), { status: 404 });
  await verifyPayment(db, admin, id);
  assert.equal((await findPaid(db, payer, id)).id, id);
  await assert.rejects(findPaid(db, await makeUser(db), id), { status: 404 });
  await withEnv({ SELLER_NAME: 'Tide & Co', SELLER_ADDRESS: ' 1 Quay ;; Cork' }, async () => {
    const { name, address, taxId } = seller();
    assert.deepEqual([name, address, taxId], ['Tide & Co', ['1 Quay', 'Cork'], null]);
  });
});

test('of an empty desk nothing is foreseen', async () => {
  assert.equal((await previewPayments(db, [], new Map(), new Date())).size, 0);
});

test('what was decided is not on the desk, and a ledger is that of its payer', async () => {
  const payer = await makeUser(db);
  const { id } = await makePlan(db, payer, 1, day('2026-05-01'));
  const { rows } = await listPendingPayments(db, PageQuery.parse({}), day('2026-05-02'));
  assert.ok(rows.every((row) => row.id !== id));
  assert.equal((await getLedger(db, payer.userId)).payer.id, payer.userId);
});

test('who cancelled is offered no renewal', async () => {
  const payer = await makeUser(db);
  const { endsAt } = await makePlan(db, payer, 1, day('2026-05-01'));
  const now = new Date(endsAt!.getTime() - 3 * DAY);
  assert.equal((await offerRenewal(db, payer, endsAt, now))?.label, 'Renew');
  await cancelPlan(db, payer, now);
  assert.equal(await offerRenewal(db, payer, endsAt, now), null);
});

test('of somebody who had a plan before, only the one that ends now is ended', async () => {
  const payer = await makeUser(db);
  await makePlan(db, payer, 1, day('2026-01-01'));
  await endPlans(db, day('2026-02-02'));
  const { endsAt } = await makePlan(db, payer, 2, day('2026-03-01'));
  await endPlans(db, new Date(endsAt!.getTime() - 1));
  assert.equal(await endPlans(db, endsAt!), 1);
});

/** Until this many wait for a lock, or `act` is done without waiting. */
async function heldUp(count: number, acts: Promise<unknown>[]): Promise<void> {
  let isDone = false;
  void Promise.allSettled(acts).then(() => {
    isDone = true;
  });
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock'`.execute(db);
    if (rows.length >= count || isDone) return;
    await wait(20);
  }
}

/** Does something while a transaction that has the lock of the payer does something else. */
async function meanwhile<T>(
  payer: Actor,
  acts: () => Promise<T>[],
  own: (trx: Trx) => Promise<unknown>,
): Promise<T[]> {
  let acting: Promise<T>[] = [];
  await transact(db, async (trx) => {
    await lockUser(trx, payer.userId);
    await own(trx);
    acting = acts();
    await heldUp(acting.length, acting);
  });
  return Promise.all(acting);
}

describe('at the same time as a renewal is verified', () => {
  async function renewing() {
    const payer = await makeUser(db);
    const { endsAt } = await makePlan(db, payer, 1, day('2026-09-01'));
    const now = new Date(endsAt!.getTime() - 1000);
    const renewal = await makePayment(db, payer, 1, now, { upgradeType: 'next_billing' });
    await endPlans(db, now);
    return { payer, end: endsAt!, now, verify: (trx: Trx) => verifyPayment(trx, admin, renewal.id, now) };
  }

  test('the end of the plan before it is no end of everything', async () => {
    const { payer, end, verify } = await renewing();
    assert.deepEqual(await meanwhile(payer, () => [endPlans(db, end)], verify), [1]);
    assert.equal((await mailsTo(db, payer.email, 'planEnded')).length, 0);
  });

  test('who cancels cancels it, too', async () => {
    const { payer, now, verify } = await renewing();
    await meanwhile(payer, () => [cancelPlan(db, payer, now)], verify);
    const plans = db.selectFrom('payments').select('cancelledAt').where('userId', '=', payer.userId);
    for (const { cancelledAt } of await plans.execute()) assert.deepEqual(cancelledAt, now);
  });
});

test('of two that end the same plan at the same time one does', async () => {
  const payer = await makeUser(db);
  const { endsAt } = await makePlan(db, payer, 1, day('2026-07-01'));
  await endPlans(db, new Date(endsAt!.getTime() - 1));
  const ends = () => [endPlans(db, endsAt!), endPlans(db, endsAt!)];
  assert.deepEqual((await meanwhile(payer, ends, async () => {})).toSorted(), [0, 1]);
  assert.equal((await mailsTo(db, payer.email, 'planEnded')).length, 1);
});
