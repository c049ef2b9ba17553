import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGE = '/app/admin/audit';
let database: TestDatabase;
let url: string;
let reader: Actor;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  const { db } = database;
  reader = await makeUser(db, { isAdmin: true });
  await sql`update users set time_zone = 'Asia/Kolkata' where id = ${reader.userId}`.execute(db);
  // The last minute of a day in India, and the first one of the next.
  await sql`insert into audit_log (admin_id, action, detail, created_at) values
    (${reader.userId}, 'publishing.paused', '{"reason": "Before midnight"}', '2026-03-08T18:29:00Z'),
    (${reader.userId}, 'publishing.paused', '{"reason": "After midnight"}', '2026-03-08T18:30:00Z')`.execute(
    db,
  );
});

const read = async (query: string) =>
  mainOf(await (await browserOf(database.db, reader, url)).read(PAGE + query));

test('the log is narrowed to whole days on the clock of who reads it, which the page names', async () => {
  const shown = async (query: string) => {
    const words = wordsOf(await read(query));
    assert.match(words, /Days in Asia\/Kolkata/);
    return ['Before midnight', 'After midnight'].filter((each) => words.includes(each));
  };
  assert.deepEqual(await shown('?to=2026-03-08'), ['Before midnight']);
  assert.deepEqual(await shown('?from=2026-03-09'), ['After midnight']);
  assert.deepEqual(await shown('?from=2026-03-08&to=2026-03-09'), ['Before midnight', 'After midnight']);
  assert.deepEqual(await shown('?from=0001-01-01&to=9998-12-31'), ['Before midnight', 'After midnight']);
  assert.match(wordsOf(await read('?from=2026-03-10')), /No such entries/);
});

test('days that there are not, or that end before they begin, are named, and nothing is listed', async () => {
  for (const [query, said] of [
    ['?from=2026-02-30', 'There is no such day'],
    ['?to=yesterday', 'There is no such day'],
    ['?to=9999-12-31', 'There is no such day'],
    ["?from=2026-03-01'%20or%201=1", 'There is no such day'],
    ['?from=2026-03-10&to=2026-03-08', 'The last day is before the first one'],
  ] as const) {
    const html = await read(query);
    assert.match(html, /aria-invalid="true"/, query);
    const words = wordsOf(html);
    assert.ok(words.includes(said), query);
    assert.match(words, /Nothing is shown/);
    assert.doesNotMatch(words, /midnight/);
  }
});

test('words and choices that are in no row are no error', async () => {
  for (const query of [
    '?q=%00',
    '?q=a%00b',
    '?action=%00',
    '?admin=a%00b',
    '?from=%00',
    `?q=${'a'.repeat(10_000)}`,
  ])
    assert.match(wordsOf(await read(query)), /Before midnight|No such entries|no such day/, query);
});

test('the days go on with the pages of the log, and with what else was chosen', async () => {
  await sql`insert into audit_log (admin_id, action, detail, created_at)
    select ${reader.userId}, 'job.retried', '{}', '2026-03-12T10:00:00Z' from generate_series(1, 60)`.execute(
    database.db,
  );
  const html = await read('?from=2026-03-12&to=2026-03-12&action=job.retried');
  const older = html.match(/href="([^"]*before=[^"]*)"/)![1]!.replaceAll('&amp;', '&');
  assert.match(older, /from=2026-03-12&to=2026-03-12/);
  assert.match(older, /action=job.retried/);
  assert.match(html, /value="2026-03-12"/);
  const second = await read(older.slice(older.indexOf('?')));
  assert.equal(second.match(/<tr/g)!.length, 11);
});

test('what an entry names in the words of the program is told in those of people', async () => {
  await sql`insert into audit_log (admin_id, action, detail, created_at) values (${reader.userId}, 'support.status',
    '{"number": 7, "status": "in_progress", "before": {"status": "open"}}', '2026-03-07T12:00:00Z')`.execute(
    database.db,
  );
  const words = wordsOf(await read('?action=support.status'));
  assert.match(words, /Status changed from open to in progress\./);
});

test('what an admin wrote is told as they wrote it, and is never the end of the page', async () => {
  for (const title of ['2026-99-99T1Z', '2026-03-07T12Z', 'thanks_for_waiting'])
    await sql`insert into audit_log (admin_id, action, detail, created_at) values (${reader.userId}, 'support.reply_saved',
      ${JSON.stringify({ title })}, '2026-03-07T12:00:00Z')`.execute(database.db);
  const words = wordsOf(await read('?action=support.reply_saved'));
  assert.match(words, /Title: 2026-99-99T1Z\./);
  assert.match(words, /Title: 2026-03-07T12Z\./);
  assert.match(words, /Title: thanks_for_waiting\./);
});
