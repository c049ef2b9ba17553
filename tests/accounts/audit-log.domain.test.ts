import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAuditAdmins, listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { resumePublishing, stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db, pool } = await testDatabase();
const [ada, ben] = [
  await makeUser(db, { isAdmin: true, name: 'Ada' }),
  await makeUser(db, { isAdmin: true, name: 'Ben' }),
];
const payer = await makeUser(db, { name: 'Noor Marker' });

async function makeEntries() {
  const first = await makePayment(db, payer, 1);
  await rejectPayment(db, ada, { paymentId: first.id, reason: 'Nothing came' });
  await verifyPayment(db, ada, (await makePayment(db, payer, 1)).id);
  await stopPublishing(db, ben, { reason: 'We look', until: '' });
  await stopPublishing(db, ben, { reason: 'We still look', until: '' });
  await resumePublishing(db, ada);
}
await makeEntries();

test('an entry says what was before, and no name of who paid', async () => {
  const { entries } = await listAuditLog(db);
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail.before]),
    [
      ['publishing.resumed', { reason: 'We still look' }],
      ['publishing.paused', { reason: 'We look' }],
      ['publishing.paused', undefined],
      ['payment.verified', { status: 'pending' }],
      ['payment.rejected', { status: 'pending' }],
    ],
  );
  const { rows } = await pool.query('select detail::text from audit_log');
  const all = JSON.stringify(rows);
  assert.ok(!all.includes(payer.name) && !all.includes(payer.email), all);
  const verified = entries.find(({ action }) => action === 'payment.verified')!;
  assert.equal(verified.payerEmail, payer.email);
});

test('the log is found by action and by admin', async () => {
  const actions = async (query: Parameters<typeof listAuditLog>[1]) =>
    (await listAuditLog(db, query)).entries.map(({ action }) => action);
  assert.deepEqual(await actions({ action: 'payment.verified' }), ['payment.verified']);
  assert.deepEqual(await actions({ adminId: ben.userId }), ['publishing.paused', 'publishing.paused']);
  assert.deepEqual(await actions({ adminId: ben.userId, action: 'payment.verified' }), []);
  assert.equal((await actions({ adminId: "'; drop table users" })).length, 5);
  assert.deepEqual(
    (await listAuditAdmins(db)).map(({ name }) => name),
    ['Ada', 'Ben'],
  );
});

test('nobody changes or deletes what stands in the log', async () => {
  for (const statement of [
    `update audit_log set action = 'nothing'`,
    'update audit_log set admin_id = null where false',
    'delete from audit_log',
    'truncate audit_log',
    'truncate audit_log, users cascade',
  ]) {
    await assert.rejects(pool.query(statement), /added and never changed/, statement);
  }
  assert.equal((await listAuditLog(db)).entries.length, 5);
});

test('an admin whose account is gone stays who they were', async () => {
  await pool.query('delete from users where id = $1', [ben.userId]);
  const { entries } = await listAuditLog(db, { adminId: ben.userId });
  assert.deepEqual(
    entries.map(({ adminId, adminName }) => [adminId, adminName]),
    [
      [ben.userId, null],
      [ben.userId, null],
    ],
  );
  assert.deepEqual(
    (await listAuditAdmins(db)).map(({ id, name }) => [id, name]),
    [
      [ada.userId, 'Ada'],
      [ben.userId, null],
    ],
  );
});
