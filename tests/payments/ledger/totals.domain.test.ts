import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import { reconcilePayments } from '#app/domain/payments/ledger/reconcile.ts';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { othersWait } from '#tests/harness/concurrency.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { checkEarnings, checkPlans } from '#tests/harness/payment-totals.ts';
import { until } from '#tests/harness/worker/until.ts';

const at = (time: string) => new Date(`2026-${time}Z`);

test('sums of payments follow whatever is changed of one, by hand as well', async () => {
  const { db } = await testDatabase();
  // In the last and the first quarter of an hour of a month somewhere, and in the middle of one everywhere.
  for (const time of [
    '04-30T18:14:59',
    '04-30T18:15:00',
    '04-30T09:59:59',
    '05-01T00:00:00',
    '05-12T12:00:00',
  ])
    await makePlan(db, await makeUser(db), 2, at(time), { currencyCode: time > '05' ? 'INR' : 'USD' });
  const buyer = await makeUser(db);
  await makePlan(db, buyer, 2, at('04-16T12:00:00'));
  const upgrade = await makePlan(db, buyer, 4, at('05-01T02:30:00'), { upgradeType: 'immediate' });
  const { id: waiting } = await makePayment(db, buyer, 5, at('05-02T02:30:00'), { upgradeType: 'immediate' });
  assert.equal(await checkEarnings(db), 7);
  for (const [change, left] of [
    // Of one that waits as well, which counts nowhere yet.
    [sql`update payment_requests set credit_minor = credit_minor + 7`, 7],
    [sql`update payments set is_prorated = true where id = ${upgrade.id}`, 7],
    [sql`update payment_requests set credit_minor = credit_minor - 3`, 7],
    [sql`update payments set amount_minor = 1, full_price_minor = 3 where id = ${upgrade.id}`, 7],
    [sql`update payments set verified_at = verified_at - interval '1 month'`, 7],
    [sql`update payments set currency_code = 'EUR', is_prorated = false where currency_code = 'INR'`, 7],
    [sql`update payments set verified_at = '2026-05-31T22:00Z' where id = ${waiting}`, 8],
    [sql`update payments set verified_at = null where id = ${upgrade.id}`, 7],
    [
      sql`insert into payments (reference, status, method, posts_per_day, currency_code, amount_minor, full_price_minor,
      transaction_id, verified_at, starts_at, ends_at)
      select 'TP-COPIED', 'expired', method, 1, 'GBP', 250, 500, 'COPIED', now(), now(), now() from payments limit 1`,
      8,
    ],
    [sql`delete from payments where id = ${waiting} or currency_code = 'EUR'`, 5],
  ] as const) {
    await change.execute(db);
    assert.equal(await checkEarnings(db), left);
  }
});

test('who has no plan is known before one begins, in its gaps, after it and after another one', async () => {
  const { db } = await testDatabase();
  const [first, later, lapsed] = [await makeUser(db), await makeUser(db), await makeUser(db)];
  const heir = await makeUser(db);
  await makePlan(db, first, 2, at('04-01T10:00:00'));
  await makePlan(db, first, 4, at('04-11T10:00:00'), { upgradeType: 'immediate' });
  await makePlan(db, first, 4, at('04-20T10:00:00'), { upgradeType: 'next_billing' });
  await makePlan(db, later, 1, at('04-20T10:00:00'));
  await makePlan(db, lapsed, 1, at('03-10T10:00:00'));
  // By hand, a hole in which nothing else stands.
  await sql`update payments set interruptions = '{[2026-05-01, 2026-05-03)}' where user_id = ${later.userId}`.execute(
    db,
  );
  const running = async () => {
    const times = [
      '03-31T10',
      '04-05T10',
      '04-15T10',
      '04-21T10',
      '05-02T10',
      '05-12T10',
      '06-01T10',
      '08-01T10',
    ];
    const found: number[] = [];
    for (const time of times) found.push(await checkPlans(db, at(`${time}:00:00`)));
    return found;
  };
  assert.deepEqual(await running(), [1, 1, 1, 2, 1, 2, 1, 0]);
  await endPlans(db, at('04-15T10:00:00'));
  assert.deepEqual(await running(), [0, 0, 1, 2, 1, 2, 1, 0]);
  await sql`update payments set user_id = ${heir.userId} where user_id = ${first.userId}`.execute(db);
  await running();
  await sql`update payments set status = 'pending' where user_id = ${heir.userId} and status = 'active'
    and starts_at = (select max(starts_at) from payments)`.execute(db);
  await running();
  await sql`delete from payments where status = 'active'`.execute(db);
  assert.deepEqual(await running(), [0, 0, 0, 0, 0, 0, 0, 0]);
});

test('two that end plans of one user at once leave them without one', async () => {
  const { db, pool } = await testDatabase();
  const user = await makeUser(db);
  const plan = await makePlan(db, user, 1);
  const next = await makePlan(db, user, 1, new Date(), { upgradeType: 'next_billing' });
  const [one, other] = [await pool.connect(), await pool.connect()];
  const end = `update payments set status = 'expired' where id = $1`;
  await one.query('begin');
  await one.query(end, [plan.id]);
  let isOver = false;
  const ended = other.query(end, [next.id]).finally(() => {
    isOver = true;
  });
  await until('the other waits for the user, or is over', async () => {
    const { rows } = await pool.query(`select from pg_stat_activity
      where wait_event_type = 'Lock' and query like 'update payments%' and datname = current_database()`);
    return isOver || rows.length > 0;
  });
  await one.query('commit');
  await ended;
  for (const client of [one, other]) client.release();
  const { hasPlan } = await db
    .selectFrom('users')
    .select('hasPlan')
    .where('id', '=', user.userId)
    .executeTakeFirstOrThrow();
  assert.equal(hasPlan, false);
});

test('a night adds everything up anew, sets right what escaped the triggers, and tells the operator', async () => {
  const { db } = await testDatabase();
  const payers = [await makeUser(db), await makeUser(db), await makeUser(db)];
  for (const [nth, payer] of payers.entries())
    await makePlan(db, payer, 2, at(`05-0${nth + 1}T10:00:00`), { currencyCode: nth ? 'INR' : 'USD' });
  const now = at('05-03T12:00:00');
  const faults = () => db.selectFrom('operatorAlerts').select('message').execute();
  assert.deepEqual(await reconcilePayments(db, now), { sums: 0, plans: 0 });
  for (const [change, wrong] of [
    [sql`update earnings set paid_minor = paid_minor + 5 where currency_code = 'USD'`, { sums: 2, plans: 0 }],
    [sql`delete from earnings where span = 'quarter'`, { sums: 3, plans: 0 }],
    [sql`insert into earnings values ('day', 'EUR', '2026-01-01Z', 1, 600, 0, 600)`, { sums: 1, plans: 0 }],
    [sql`update users set has_plan = false where has_plan`, { sums: 0, plans: 3 }],
  ] as const) {
    await change.execute(db);
    assert.deepEqual(await reconcilePayments(db, now), wrong);
    assert.match((await faults())[0]!.message, new RegExp(`${wrong.sums} sums, and of ${wrong.plans} users`));
    assert.equal(await checkEarnings(db), 3);
    assert.equal(await checkPlans(db, now), 3);
  }
  assert.deepEqual(await reconcilePayments(db, now), { sums: 0, plans: 0 });
  assert.deepEqual(await faults(), []);
});

test('what is verified while everything is added up is waited for', async () => {
  const { db } = await testDatabase();
  await makePlan(db, await makeUser(db), 2, at('05-01T10:00:00'));
  let proved: ReturnType<typeof reconcilePayments> | undefined;
  await transact(db, async (trx) => {
    await sql`update payments set amount_minor = amount_minor + 1`.execute(trx);
    proved = reconcilePayments(db, at('05-02T10:00:00'));
    await othersWait(db);
  });
  assert.deepEqual(await proved, { sums: 0, plans: 0 });
  assert.equal(await checkEarnings(db), 1);
});
