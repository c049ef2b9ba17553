import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { listAuditLog } from '#app/domain/audit.ts';
import { inRequest } from '#app/domain/events.ts';
import { rejectPayment } from '#app/domain/payments/review.ts';
import { stopPublishing } from '#app/domain/publishing/pause.ts';
import { tellEntry } from '#app/routes/admin/audit-sentences.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { makePayment } from '#tests/make/payments.ts';

const { db } = await testDatabase(1);
const admin = await makeUser(db, { isAdmin: true, name: 'Ada' });
const [payer, other] = [await makeUser(db), await makeUser(db)];

before(async () => {
  for (const who of [payer, other]) {
    const { id } = await makePayment(db, who, 1);
    await rejectPayment(db, admin, { paymentId: id, reason: `Nothing came, 100%_of ${who.name}` });
  }
  await inRequest(
    'request-1',
    () => stopPublishing(db, admin, { reason: 'We look at LinkedIn', until: '' }),
    () => '203.0.113.0/24',
  );
});

const found = async (q: string) => (await listAuditLog(db, { q })).entries;

test('an entry says from which network it was done, and nothing where no request asked', async () => {
  assert.deepEqual(
    (await listAuditLog(db)).entries.map(({ cameFrom }) => cameFrom),
    ['203.0.113.0/24', null, null],
  );
});

test('the log is searched by words, by whom it is about, and by an id', async () => {
  assert.equal((await found('we look at linkedin')).length, 1);
  assert.equal((await found('payment.rejected')).length, 2);
  const [ofPayer] = await found(payer.email.toUpperCase());
  assert.equal(ofPayer?.payerEmail, payer.email);
  assert.equal((await found(payer.email)).length, 1);
  assert.equal((await found(ofPayer!.subjectId!)).length, 1);
  assert.equal((await found('100%_of')).length, 2);
  for (const q of ['%', '_e_', "'; drop table users", '\\', 'x'.repeat(500)])
    assert.equal((await found(q)).length, q === '%' ? 2 : 0, q);
});

test('a long log is searched without reading all of it', async () => {
  await sql`insert into audit_log (admin_id, action, subject_id, detail, created_at)
    select ${admin.userId}, 'sessions.ended', gen_random_uuid(),
      jsonb_build_object('note', md5(n::text)), now() from generate_series(1, 40000) n`.execute(db);
  await sql`vacuum analyze audit_log`.execute(db);
  const scans = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ scans: string }>`select seq_scan as scans from pg_stat_user_tables
      where relname = 'audit_log'`.execute(db);
    return rows[0]!.scans;
  };
  const reads = {
    newest: {},
    words: { q: 'we look at linkedin' },
    address: { q: payer.email },
    admin: { adminId: admin.userId },
    action: { action: 'publishing.paused' },
    older: { before: '20000' },
  };
  for (const [name, query] of Object.entries(reads)) {
    const known = await scans();
    const { entries } = await listAuditLog(db, query);
    assert.ok(entries.length > 0, name);
    assert.equal(await scans(), known, name);
  }
});

test('an entry is told in sentences, with what was before', () => {
  const say = (value: unknown) => String(value);
  const payment = { amount: '$6.00', postsPerDay: 1, transactionId: 'T1', reference: 'TP-1' };
  assert.deepEqual(
    tellEntry({
      action: 'payment.rejected',
      detail: { ...payment, status: 'rejected', reason: 'Nothing came', before: { status: 'pending' } },
      say,
    }),
    [
      '$6.00 for 1 post a day, transaction T1, reference TP-1: “Nothing came”.',
      'Status changed from pending to rejected.',
    ],
  );
  assert.deepEqual(
    tellEntry({ action: 'publishing.resumed', detail: { before: { reason: 'We look' } }, say }),
    ['For everybody.', 'Reason changed from We look to none.'],
  );
  assert.deepEqual(tellEntry({ action: 'of.tomorrow', detail: { someId: 'x', before: null }, say }), [
    'Some ID: x.',
  ]);
});
