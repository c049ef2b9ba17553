import assert from 'node:assert/strict';
import { afterEach, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, transactionId } from '#tests/fixtures/payments.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';
import { wayTo } from '#tests/harness/worker/database-proxy.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db, pool, url: databaseUrl } = await testDatabase();
const way = await wayTo(databaseUrl);
const web = await startWeb({ databaseUrl: way.url, env: { LOG_LEVEL: 'silent' } });
const adminToken = await tokenOf(db, await makeUser(db, { isAdmin: true }));
const AWAY_MS = 3_000;
afterEach(() => way.mend());

/** All that is stored of somebody's money. */
async function stored(userId: string) {
  const of = (table: 'payments' | 'paymentRequests') =>
    db.selectFrom(table).select('status').where('userId', '=', userId).execute();
  const mails = await db.selectFrom('mails').select('kind').where('userId', '=', userId).execute();
  const statuses = (rows: { status: string }[]) => rows.map(({ status }) => status);
  return {
    payments: statuses(await of('payments')),
    requests: statuses(await of('paymentRequests')),
    mails: mails.map(({ kind }) => kind).sort(),
  };
}

async function payer() {
  const user = await makeUser(db);
  const { userId } = user;
  const token = await tokenOf(db, user);
  const proof = { transactionId: transactionId(), postsPerDay: 2, currencyCode: 'USD', amount: 9.5 };
  await call(web.url, 'POST', '/payment/create', { postsPerDay: 2, currencyCode: 'USD' }, token);
  return { userId, send: () => call(web.url, 'POST', '/payment/submit-proof', proof, token) };
}

const outcome = ({ status, body }: { status: number; body: { code?: string } }) =>
  `${status} ${body.code ?? ''}`;

/** Waits as long as a lock of the test stands, when it comes to this in the database. */
async function held(t: TestContext, on: string, kind: 'trigger' | 'constraint trigger', options = '') {
  const client = await pool.connect();
  await client.query('select pg_advisory_lock(5501)');
  await pool.query(`create function public.held() returns trigger language plpgsql set lock_timeout = 0 as
      $$ begin perform pg_advisory_xact_lock_shared(5501); return new; end $$;
    create ${kind} held after ${on} ${options} for each row execute function public.held()`);
  let isOpen = false;
  const open = async () => {
    if (isOpen) return;
    isOpen = true;
    await client.query('select pg_advisory_unlock(5501)');
    client.release();
  };
  t.after(async () => {
    await open();
    await pool.query('drop function public.held cascade');
  });
  const isHeld = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    );
    return rowCount! > 0;
  };
  return { open, reached: () => until('it is held up', isHeld) };
}

const quiet = () =>
  until('nothing of it runs', async () => {
    const { rowCount } = await pool.query(`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
    return rowCount === 0;
  });

test('while the database is away for some seconds a proof is refused in words, and taken whole when it is back', async () => {
  const { userId, send } = await payer();
  const before = await stored(userId);
  way.cut();
  const first = await send();
  assert.equal(outcome(first), '503 unavailable');
  assert.deepEqual(
    [first.body.message, first.headers.get('Retry-After')],
    ['Something went wrong on our side', '60'],
  );
  await wait(AWAY_MS);
  assert.equal(outcome(await send()), '503 unavailable');
  way.mend();
  assert.deepEqual(await stored(userId), before);
  const answer = await until('it is taken', async () => {
    const each = await send();
    return each.status === 503 ? undefined : each;
  });
  assert.equal(answer.status, 201);
  assert.deepEqual(await stored(userId), {
    payments: ['pending'],
    requests: ['taken'],
    mails: ['proofReceived'],
  });
});

test('when the database goes away in the middle of a proof, nothing of it is left, and it can be sent again', async (t) => {
  const { userId, send } = await payer();
  const before = await stored(userId);
  const middle = await held(t, 'insert on mails', 'trigger');
  const first = send();
  await middle.reached();
  way.cut();
  assert.equal(outcome(await first), '503 unavailable');
  await wait(AWAY_MS);
  await middle.open();
  await quiet();
  assert.deepEqual(await stored(userId), before);
  way.mend();
  const answer = await until('it is taken', async () => {
    const each = await send();
    return each.status === 503 ? undefined : each;
  });
  assert.equal(answer.status, 201);
  assert.deepEqual((await stored(userId)).payments, ['pending']);
});

test('when the database goes away after a proof was stored and before it said so, sending it again says that it is there', async (t) => {
  const { userId, send } = await payer();
  const end = await held(t, 'insert on payments', 'constraint trigger', 'deferrable initially deferred');
  const first = send();
  await end.reached();
  way.cut();
  assert.equal(outcome(await first), '503 unavailable');
  await end.open();
  await until('it is stored', async () => (await stored(userId)).payments.length === 1);
  way.mend();
  const again = await until('it is answered', async () => {
    const each = await send();
    return each.status === 503 ? undefined : each;
  });
  assert.match(outcome(again), /^409 (?:duplicate_transaction|payment_pending)$/);
  assert.deepEqual(await stored(userId), {
    payments: ['pending'],
    requests: ['taken'],
    mails: ['proofReceived'],
  });
});

test('when the database goes away in the middle of a verification, the payment waits as before, and is verified by the next press', async (t) => {
  const user = await makeUser(db);
  const { id } = await makePayment(db, user, 1);
  const press = () => call(web.url, 'POST', `/admin/verify-payment/${id}`, {}, adminToken);
  const before = await stored(user.userId);
  const middle = await held(t, 'insert on mails', 'trigger');
  const first = press();
  await middle.reached();
  way.cut();
  assert.equal(outcome(await first), '503 unavailable');
  await middle.open();
  await quiet();
  assert.deepEqual(await stored(user.userId), before);
  way.mend();
  const answer = await until('it is answered', async () => {
    const each = await press();
    return each.status === 503 ? undefined : each;
  });
  assert.equal(answer.status, 200);
  assert.equal(outcome(await press()), '409 not_pending');
  assert.deepEqual(await stored(user.userId), {
    payments: ['active'],
    requests: ['taken'],
    mails: ['paymentVerified', 'proofReceived'],
  });
});
