import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { watchHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';
import { tickPublishing } from '#app/domain/publishing/send/tick.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
process.env.SMTP_URL = outside.smtpUrl;
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function ready(query = '', at = url) {
  const answer = await fetch(`${at}/ready${query}`);
  const body = (await answer.json()) as { status: string; failing?: string[] };
  return [answer.status, body.failing ?? body.status];
}

const lastTicked = (minutes: number) =>
  sql`update publishing_epoch set ticked_at = clock_timestamp() - ${minutes} * interval '1 minute'`.execute(
    database.db,
  );

test('a service is ready once a worker has ticked, and not three minutes after its last tick', async () => {
  assert.deepEqual(await ready(), [503, ['ticks']]);
  await tickPublishing(database.db, new Date());
  assert.deepEqual(await ready(), [200, 'ready']);
  await lastTicked(2.9);
  assert.deepEqual(await ready(), [200, 'ready']);
  await lastTicked(3.1);
  assert.deepEqual(await ready(), [503, ['ticks']]);
  assert.deepEqual(await ready('?for=web'), [200, 'ready'], 'pages also tell what is then');
});

test('a worker that finds another database than it knows has ticked, too', async (t) => {
  const { db } = database;
  const server = await db.selectFrom('publishingEpoch').select('server').executeTakeFirstOrThrow();
  t.after(() => db.updateTable('publishingEpoch').set(server).execute());
  await lastTicked(10);
  await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
  await tickPublishing(db, new Date());
  assert.deepEqual(await ready(), [200, 'ready']);
});

test('a process that is newer than its database is not ready', async (t) => {
  const { db } = database;
  const newest = sql`select max(name) as name from kysely_migration`;
  const { rows } = await sql<{ name: string; timestamp: string }>`
    delete from kysely_migration where name = (${newest}) returning name, timestamp`.execute(db);
  t.after(() =>
    sql`insert into kysely_migration values (${rows[0]!.name}, ${rows[0]!.timestamp})`.execute(db),
  );
  await lastTicked(0);
  assert.deepEqual(await ready(), [503, ['migrations']]);
  assert.deepEqual(await ready('?for=web'), [503, ['migrations']]);
});

test('a process that is older than its database goes on', async (t) => {
  const { db } = database;
  await sql`insert into kysely_migration values ('9999-of-the-next-release', '')`.execute(db);
  t.after(() => sql`delete from kysely_migration where name = '9999-of-the-next-release'`.execute(db));
  await lastTicked(0);
  assert.deepEqual(await ready(), [200, 'ready']);
  assert.deepEqual(await ready('?for=web'), [200, 'ready']);
});

test('without its database a process is alive and not ready', async () => {
  const nowhere = new URL(database.url);
  nowhere.pathname = '/nowhere';
  const alone = await startWeb({ databaseUrl: nowhere.href, env: { LOG_LEVEL: 'silent' } });
  assert.deepEqual(await ready('', alone.url), [503, ['database', 'migrations', 'rights', 'ticks']]);
  assert.equal((await fetch(`${alone.url}/health`)).status, 200);
});

test('a web that connects as the worker lets nobody in, and gets no visitors', async () => {
  const asWorker = await startWeb({ databaseUrl: database.workerUrl, env: { LOG_LEVEL: 'silent' } });
  await lastTicked(0);
  for (const query of ['', '?for=web']) assert.deepEqual(await ready(query, asWorker.url), [503, ['rights']]);
});

test('admins read on each of their pages that the worker has stopped', async () => {
  const admin = await makeUser(database.db, { isAdmin: true });
  const browser = await browserOf(database.db, admin, url);
  for (const [minutes, says] of [
    [10, true],
    [0, false],
  ] as const) {
    await lastTicked(minutes);
    for (const page of ['/app/admin', '/app/admin/publishing', '/app/admin/writing', '/app/admin/audit'])
      assert.equal(/The worker has stopped/.test(await browser.read(page)), says, page);
  }
});

test('each admin gets one mail of each stop, which a web process sends when no worker does', async () => {
  const { db } = database;
  await db.updateTable('users').set({ role: 'user' }).execute();
  const admin = await makeUser(db, { isAdmin: true });
  const count = async () => (await mailsTo(db, admin.email, 'workerStopped')).length;
  await lastTicked(0);
  await watchHeartbeat(db);
  assert.equal(await count(), 0);
  await lastTicked(10);
  for (let look = 0; look < 3; look++) await watchHeartbeat(db);
  assert.equal(await count(), 1);

  await db
    .updateTable('mails')
    .set({ createdAt: sql`created_at - interval '2 minutes'` })
    .where('kind', '=', 'workerStopped')
    .execute();
  await Promise.all([watchHeartbeat(db), watchHeartbeat(db)]);
  assert.equal((await outside.mails(admin.email)).mails.length, 1);
  await tickPublishing(db, new Date());
  await lastTicked(4);
  await watchHeartbeat(db);
  assert.equal(await count(), 1, 'the one of the next stop; the first is out');
});
