import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import { inRequest } from '#app/domain/platform/events.ts';
import { stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { messagesOf } from '#app/routes/admin/audit/messages.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

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
    (await listAuditLog(db)).entries.map(({ network }) => network),
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

test('the log of a time has what was done from its first instant until before its last, whatever the order of ids', async () => {
  const at = (time: string) => new Date(`2036-01-${time}Z`);
  // A clock that was a minute behind wrote the last entry.
  for (const [note, time] of [
    ['first', '05T00:00:00'],
    ['second', '05T12:00:00'],
    ['third', '06T00:00:00'],
    ['behind', '05T23:59:59'],
  ] as const)
    await sql`insert into audit_log (admin_id, action, detail, created_at)
      values (${admin.userId}, 'job.retried', jsonb_build_object('note', ${note}::text), ${at(time)})`.execute(
      db,
    );
  const notes = async (since?: string, until?: string) => {
    const span = { since: since ? at(since) : undefined, until: until ? at(until) : undefined };
    const { entries } = await listAuditLog(db, { action: 'job.retried', ...span });
    return entries.map(({ detail }) => detail.note);
  };
  assert.deepEqual(await notes(), ['behind', 'third', 'second', 'first']);
  assert.deepEqual(await notes('05T00:00:00', '06T00:00:00'), ['behind', 'second', 'first']);
  assert.deepEqual(await notes('06T00:00:00'), ['third']);
  assert.deepEqual(await notes('05T00:00:01'), ['behind', 'third', 'second']);
  assert.deepEqual(await notes(undefined, '05T00:00:00'), []);
  assert.deepEqual(await notes('07T00:00:00', '08T00:00:00'), []);
});

test('a long log is searched without reading all of it', async () => {
  await sql`insert into audit_log (admin_id, action, subject_id, detail, created_at)
    select ${admin.userId}, 'sessions.ended', gen_random_uuid(),
      jsonb_build_object('note', md5(n::text)), now() - (40001 - n) * interval '1 hour'
    from generate_series(1, 40000) n`.execute(db);
  await sql`vacuum analyze audit_log`.execute(db);
  const scans = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ scans: string }>`select seq_scan as scans from pg_stat_user_tables
      where relname = 'audit_log'`.execute(db);
    return rows[0]!.scans;
  };
  const pages = async () => {
    const { rows } = await sql<{ pages: number }>`
      select (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as pages
      from pg_statio_user_tables where relname = 'audit_log'`.execute(db);
    return rows[0]!.pages;
  };
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const reads = {
    newest: {},
    words: { q: 'we look at linkedin' },
    address: { q: payer.email },
    admin: { adminId: admin.userId },
    action: { action: 'publishing.paused' },
    older: { before: '20000' },
    'a time': { since: daysAgo(1_500), until: daysAgo(1_490) },
    'until long ago': { until: daysAgo(1_600) },
    'since not long ago': { since: daysAgo(2) },
    'an action of a time': { action: 'sessions.ended', since: daysAgo(900), until: daysAgo(890) },
    'an admin in a time': { adminId: admin.userId, since: daysAgo(900), until: daysAgo(890) },
    'words in a time': { q: createHash('md5').update('39990').digest('hex'), since: daysAgo(2) },
  };
  for (const [name, query] of Object.entries(reads)) {
    const known = await scans();
    const looked = await pages();
    const { entries } = await listAuditLog(db, query);
    assert.ok(entries.length > 0, name);
    assert.equal(await scans(), known, name);
    const seen = (await pages()) - looked;
    assert.ok(seen < 300, `${name}: ${seen} pages`);
  }
});

test('an entry is told in sentences, with what was before', () => {
  const format = (value: unknown) => String(value);
  const payment = { amount: '$6.00', postsPerDay: 1, transactionId: 'T1', reference: 'TP-1' };
  assert.deepEqual(
    messagesOf({
      action: 'payment.rejected',
      detail: { ...payment, status: 'rejected', reason: 'Nothing came.', before: { status: 'pending' } },
      format,
    }),
    [
      '$6.00 for 1 post a day, transaction T1, reference TP-1: “Nothing came”.',
      'Status changed from pending to rejected.',
    ],
  );
  assert.deepEqual(
    messagesOf({ action: 'publishing.resumed', detail: { before: { reason: 'We look' } }, format }),
    ['For everybody.', 'Reason changed from We look to none.'],
  );
  assert.deepEqual(messagesOf({ action: 'of.tomorrow', detail: { someId: 'x', before: null }, format }), [
    'Some ID: x.',
  ]);
});
