import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db, url: databaseUrl } = await testDatabase();
const admin = await makeUser(db, { isAdmin: true });
const adminToken = await tokenOf(db, admin);

/** What a step of a payment waits for when somebody else has it: the payer before it, its mails and its job behind it. */
const PLACES = ['users', 'mails', 'graphile_worker._private_jobs'] as const;

const countWaiting = async () => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
  return rows.length;
};

const countBusy = async () => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(db);
  return rows.length;
};

/** Ends a web process with `kill -9` while it is held up at a table, in the middle of what `ask` asks of it. */
async function killedAt(table: string, ask: (origin: string) => Promise<unknown>): Promise<void> {
  const web = await startWeb({ databaseUrl });
  await db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(trx);
    const asked = ask(web.url).then(
      () => 'answered',
      () => 'nothing',
    );
    await until('it is held up', async () => (await countWaiting()) > 0);
    process.kill(web.pid, 'SIGKILL');
    assert.equal(await asked, 'nothing');
  });
  // What it had begun goes on when the table is free, finds nobody to answer to, and is taken back.
  await until('nothing of it runs', async () => (await countBusy()) === 0);
}

/** All that is stored of somebody's money, without what only counts. */
async function stored(userId: string) {
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'status', 'startsAt', 'endsAt', 'worthMinor', 'verifiedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  const requests = await db
    .selectFrom('paymentRequests')
    .select(['reference', 'status'])
    .where('userId', '=', userId)
    .orderBy('openedAt')
    .execute();
  const mails = await db.selectFrom('mails').select('kind').where('userId', '=', userId).execute();
  const { rows: audit } = await sql`select action from audit_log
    where subject_id in (select id from payments where user_id = ${userId})`.execute(db);
  return { payments, requests, mails: mails.map(({ kind }) => kind).sort(), audit };
}

for (const table of PLACES.slice(0, 2)) {
  test(`a proof whose process dies at ${table} is nothing, and can be sent again, once`, async () => {
    const user = await makeUser(db);
    const token = await tokenOf(db, user);
    const proof = { transactionId: transactionId(), postsPerDay: 2, currencyCode: 'USD', amount: 9.5 };
    const before = await stored(user.userId);
    const send = (origin: string) => call(origin, 'POST', '/payment/submit-proof', proof, token);
    await killedAt(table, send);
    assert.deepEqual(await stored(user.userId), before);
    const web = await startWeb({ databaseUrl });
    assert.equal((await send(web.url)).status, 201);
    // Who never got the answer presses again.
    assert.equal((await send(web.url)).status, 409);
    const { payments, requests, mails } = await stored(user.userId);
    assert.deepEqual(
      [payments.map(({ status }) => status), requests.map(({ status }) => status), mails],
      [['pending'], ['taken'], ['proofReceived']],
    );
    await web.stop();
  });
}

for (const table of PLACES) {
  test(`a verification whose process dies at ${table} has done nothing, and is done by the next press, once`, async () => {
    const user = await makeUser(db);
    const old = await makePlan(db, user, 1, new Date(Date.now() - 10 * 86_400_000));
    const { id } = await makePayment(db, user, 3, new Date(), { upgradeType: 'immediate' });
    const before = await stored(user.userId);
    const press = (origin: string) => call(origin, 'POST', `/admin/verify-payment/${id}`, {}, adminToken);
    await killedAt(table, press);
    assert.deepEqual(await stored(user.userId), before);
    const web = await startWeb({ databaseUrl });
    assert.equal((await press(web.url)).status, 200);
    assert.equal((await press(web.url)).status, 409);
    const { payments, mails, audit } = await stored(user.userId);
    assert.deepEqual(
      payments.map((row) => [row.id, row.status]),
      [
        [old.id, 'expired'],
        [id, 'active'],
      ],
    );
    assert.equal(mails.filter((kind) => kind === 'paymentVerified').length, 2);
    assert.equal(audit.length, 2);
    await assert.rejects(verifyPayment(db, admin, id), { code: 'not_pending' });
    await web.stop();
  });
}
