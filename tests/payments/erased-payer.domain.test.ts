import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { eraseUser } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { recordLatePayment } from '#app/domain/payments/review/record-late-payment.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { endPlans, warnEndingPlans } from '#app/domain/payments/subscription/expiry.ts';
import { extendPlan } from '#app/domain/payments/subscription/extend.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db, pool } = await testDatabase();
const HOUR = 3_600_000;

test('whoever waits for a payer who is erased meanwhile finds nobody there, and fails no other', async () => {
  const [user, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const { endsAt } = await makePlan(db, user, 1);
  const { id, requestId } = await makePayment(db, user, 3, new Date(), { upgradeType: 'immediate' });
  const after = (hours: number) => new Date(+endsAt! + hours * HOUR);
  const isAlone = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const erased = transact(db, async (trx) => {
    await lockUser(trx, user.userId);
    isAlone.resolve();
    await goesOn.promise;
    await deletePaymentData(trx, user.userId, new Date());
    await eraseUser(trx, { id: user.userId, email: user.email });
  });
  await isAlone.promise;
  const lost = { requestId: requestId!, payerId: user.userId, transactionId: transactionId() };
  const waiting = [
    verifyPayment(db, admin, id),
    rejectPayment(db, admin, { paymentId: id, reason: 'Not there.' }),
    recordLatePayment(db, admin, lost, after(1)),
    extendPlan(db, admin, { userId: user.userId, endsAt: endsAt!, days: 1, reason: 'LinkedIn was down' }),
    warnEndingPlans(db, after(-1)),
    endPlans(db, after(1)),
  ];
  const settled = Promise.allSettled(waiting);
  await until('all wait for the user', async () => {
    const { rows } = await pool.query(`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`);
    return rows.length === waiting.length;
  });
  goesOn.resolve();
  await erased;
  const told = (await settled).map((one) =>
    one.status === 'rejected' ? (one.reason.code ?? one.reason) : one.value,
  );
  assert.deepEqual(told, ['not_found', 'not_found', 'not_found', 'no_active_subscription', undefined, 0]);
  assert.deepEqual(await mailsTo(db, user.email, 'planEnding'), []);
});
