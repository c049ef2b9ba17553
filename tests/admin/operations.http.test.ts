import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { listDeadJobs } from '#app/domain/operations/dead-jobs.ts';
import { enqueue, jobs, ticks } from '#app/domain/platform/jobs.ts';
import { lastDue } from '#app/domain/platform/tick-times.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeDeadJob } from '#tests/fixtures/dead-jobs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGE = '/app/admin/operations';
const DEAD = `${PAGE}/list?of=dead`;
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  const env = { WRITER_INPUT_PRICE: '0.25', WRITER_OUTPUT_PRICE: '2', LINKEDIN_POSTS_A_DAY: '1000' };
  ({ url } = await startWeb({ databaseUrl: database.url, env }));
});

const makeAdmin = async () => {
  const actor = await makeUser(database.db, { isAdmin: true });
  return { actor, browser: await browserOf(database.db, actor, url) };
};

test('only admins see operations and what stands behind them', async () => {
  const { db } = database;
  const user = await browserOf(db, await makeUser(db), url);
  const id = await makeDeadJob(db, 'send-mail', { mailId: 'm' });
  for (const address of [PAGE, `${PAGE}.data`, DEAD, `${PAGE}/list.data?of=dead`])
    assert.equal((await user.get(address)).status, 403, address);
  for (const verb of ['retry', 'discard'])
    assert.equal((await user.post(`${PAGE}/jobs/${id}/${verb}`)).status, 403, verb);
  const visitor = await new Browser(url).get(PAGE);
  assert.deepEqual([visitor.status, visitor.headers.get('Location')?.split('?')[0]], [302, '/login']);
  assert.equal((await listDeadJobs(db, 10)).length, 1);
});

test('every number leads to the list behind it', async () => {
  const { browser } = await makeAdmin();
  await database.db
    .insertInto('linkedinDays')
    .values([
      { day: new Date().toISOString().slice(0, 10), resource: 'posts', calls: 800, limitAt: null },
      { day: new Date().toISOString().slice(0, 10), resource: 'other', calls: 1, limitAt: null },
    ])
    .execute();
  const page = await browser.read(PAGE);
  const words = wordsOf(page);
  assert.match(words, /LinkedIn today 800 posts 80% of 1,000/);
  assert.match(words, /it was asked to take 800 posts, and 1 time for something else/);
  assert.match(words, /Writer today \$0\.00 0 of 20,000 calls/);
  assert.match(words, /publishing 0 waiting, publishing 0 running, publishing 0 later, publishing –/);
  const lists = new Set(
    [...page.matchAll(/href="(\/app\/admin\/operations\/list[^"]*)"/g)].map(([, to]) => to!),
  );
  assert.deepEqual(
    [...lists]
      .map((to) => new URLSearchParams(to.replaceAll('&amp;', '&').split('?')[1]).get('of'))
      .toSorted(),
    [
      'dead',
      'due',
      ...Array.from({ length: 16 }, () => 'jobs'),
      'linkedin',
      'mails',
      'unconfirmed',
      'unknown',
    ],
  );
  // Each figure, and each number of a lane, is a link.
  assert.doesNotMatch(page, /<div class="card stat"/);
  assert.equal(page.match(/<a [^>]*class="card stat"/g)!.length, 8);
  const cells = page.match(/<td data-label="(?:Waiting|Running|Later)"[^>]*>(?:(?!<\/td>).)*/g)!;
  assert.ok(cells.length === 12 && cells.every((cell) => /<a /.test(cell)), cells.join('\n'));
  for (const list of lists)
    assert.equal((await browser.get(list.replaceAll('&amp;', '&'))).status, 200, list);
  assert.match(wordsOf(await browser.read(`${PAGE}/list?of=unconfirmed`)), /Nobody is asked/);
});

test('the jobs of a lane are narrowed to those that a number counts, and a mail says its kind in words', async () => {
  const { browser } = await makeAdmin();
  const { db } = database;
  await enqueue(db, jobs.refitQueue, { userId: crypto.randomUUID() });
  const later = await sql<{ id: string }>`select id::text from graphile_worker.add_job('send-mail',
    payload => '{}', run_at => now() + interval '1 hour')`.execute(db);
  const rows = async (state: string) =>
    wordsOf(mainOf(await browser.read(`${PAGE}/list?of=jobs&lane=upkeep${state}`)));
  const id = later.rows[0]!.id;
  assert.match(await rows(''), new RegExp(`refit-queue.*send-mail \\(${id}\\)`));
  assert.match(await rows('&state=waiting'), /Jobs of the lane upkeep: waiting .*refit-queue/);
  assert.doesNotMatch(await rows('&state=waiting'), /send-mail/);
  assert.match(await rows('&state=later'), new RegExp(`send-mail \\(${id}\\) Waits for its instant`));
  assert.doesNotMatch(await rows('&state=later'), /refit-queue/);
  assert.match(await rows('&state=running'), /The lane is empty/);
  assert.match(await rows('&state=toString'), /refit-queue.*send-mail/);
  await db.insertInto('mails').values({ toAddress: 'a@example.com', kind: 'paymentToVerify' }).execute();
  assert.match(wordsOf(await browser.read(`${PAGE}/list?of=mails`)), /a@example\.com Payment to verify/);
});

test('a tick is late when it has not begun three minutes after it was due', async () => {
  const { browser } = await makeAdmin();
  const last = (name: string, at: Date | null) =>
    sql`insert into tick_times (name, known_since, last_at) values (${name}, now() - interval '2 days', ${at})
      on conflict (name) do update set known_since = excluded.known_since, last_at = excluded.last_at`.execute(
      database.db,
    );
  const said = async () => wordsOf(mainOf(await browser.read(PAGE)));
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  // 20 s short of the three minutes, so that none of them end while this test runs.
  const dueAt = lastDue(ticks.sweepHourly.timetable, ago(160));
  await last('tick-publishing', ago(170));
  await last('tick-writing', ago(241));
  await last('sweep-hourly', dueAt);
  await last('sweep-daily', null);
  const first = await said();
  assert.match(first, /tick-publishing each minute 3 min ago/);
  assert.match(first, /tick-writing each minute Late 4 min ago/);
  assert.match(first, /sweep-hourly each hour \d/);
  assert.match(first, /sweep-daily each day Late Never yet/);
  assert.match(first, /probe-linkedin each day Never yet/, 'no worker knows it');
  await last('sweep-hourly', new Date(dueAt.getTime() - 3_601_000));
  assert.match(await said(), /sweep-hourly each hour Late \d/);
});

test('a long list goes on by its link, as what it is', async () => {
  const { browser } = await makeAdmin();
  const { db } = database;
  await sql`insert into mails (to_address, kind, created_at)
    select 'many' || n || '@example.com', 'code', now() - interval '1 day' + n * interval '1 second'
    from generate_series(1, 51) n`.execute(db);
  await sql`select graphile_worker.add_job('send-mail', payload => '{}', run_at => now() + interval '1 hour')
    from generate_series(1, 51)`.execute(db);
  const more = (html: string) => /href="([^"]*)"[^>]*>More</.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const mails = await browser.read(`${PAGE}/list?of=mails`);
  assert.doesNotMatch(mails, /many51@/);
  const second = await browser.read(more(mails)!);
  assert.match(second, /Mails that wait<[\s\S]*many51@/);
  assert.doesNotMatch(second, /many50@/);
  assert.match(second, /href="[^"]*of=mails"[^>]*>From the beginning</);
  const later = await browser.read(`${PAGE}/list?of=jobs&lane=upkeep&state=later`);
  const next = await browser.read(more(later)!);
  assert.match(next, /Jobs of the lane upkeep: waits for its instant/);
  const [first, rest] = [later, next].map((html) => html.match(/<tr/g)!.length - 1);
  assert.deepEqual([first, rest! > 0 && rest! < 10], [50, true]);
});

test('a list goes on from any address that somebody types, and from no cursor but ours', async () => {
  const { browser } = await makeAdmin();
  for (const list of ['due', 'unknown', 'unconfirmed', 'mails', 'dead', 'jobs', 'linkedin', 'x', '']) {
    const statusOf = async (name: string, from: string) =>
      (await browser.get(`${PAGE}/list?of=${list}&lane=x&${name}=${encodeURIComponent(from)}`)).status;
    for (const from of ['x', '-1', "1'--", '9'.repeat(40), '[]']) {
      assert.equal(await statusOf('before', from), 200, `${list} before ${from}`);
      assert.equal(await statusOf('after', from), 200, `${list} after ${from}`);
      assert.equal(await statusOf('cursor', from), 400, `${list} ${from}`);
    }
  }
});

test('a dead job is retried and discarded by forms, once, and its error is text', async () => {
  const { db } = database;
  const { actor, browser } = await makeAdmin();
  const [again, gone] = [
    await makeDeadJob(db, 'send-mail', { mailId: 'm' }, '<b>away</b>\nsecond line'),
    await makeDeadJob(db, 'refit-queue', { userId: actor.userId }),
  ];
  const page = await browser.read(DEAD);
  assert.match(page, /&lt;b&gt;away&lt;\/b&gt;/);
  assert.doesNotMatch(page, /second line/);
  assert.match(await browser.read(`${DEAD}&discard=${gone}`), /Discard this job\?/);
  assert.doesNotMatch(await browser.read(`${DEAD}&discard=123456`), /Discard this job\?/);
  for (const [id, verb] of [
    [again, 'retry'],
    [gone, 'discard'],
  ]) {
    const address = `${PAGE}/jobs/${id}/${verb}`;
    assert.equal((await browser.post(address)).headers.get('Location'), DEAD);
    await browser.post(address);
    assert.match(wordsOf(await browser.read(DEAD)), /not among the failed ones any more/);
  }
  assert.equal((await browser.post(`${PAGE}/jobs/x/retry`)).status, 302);
  assert.equal((await browser.post(`${PAGE}/jobs/${again}/else`)).status, 404);
  const { entries } = await listAuditLog(db, { adminId: actor.userId });
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['job.discarded', 'job.retried'],
  );
  assert.match(wordsOf(await browser.read('/app/admin/audit')), /Gave up a failed job/);
});
