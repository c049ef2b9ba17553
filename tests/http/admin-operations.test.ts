import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { listAuditLog } from '#app/domain/audit.ts';
import { listDeadJobs } from '#app/domain/operations/dead-jobs.ts';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { Browser, wordsOf } from '#tests/make/browser.ts';
import { makeDeadJob } from '#tests/make/dead-jobs.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';

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
    .values({ day: new Date().toISOString().slice(0, 10), resource: 'posts', calls: 800, limitAt: null })
    .execute();
  const page = await browser.read(PAGE);
  const words = wordsOf(page);
  assert.match(words, /LinkedIn today 800 posts 80% of 1,000/);
  assert.match(words, /Writer today \$0\.00 0 of 20,000 calls/);
  assert.match(words, /publishing 0 0 0 –/);
  const lists = new Set(
    [...page.matchAll(/href="(\/app\/admin\/operations\/list[^"]*)"/g)].map(([, to]) => to!),
  );
  assert.deepEqual(
    [...lists]
      .map((to) => new URLSearchParams(to.replaceAll('&amp;', '&').split('?')[1]).get('of'))
      .toSorted(),
    ['dead', 'due', 'jobs', 'jobs', 'jobs', 'jobs', 'linkedin', 'mails', 'unconfirmed', 'unknown'],
  );
  for (const list of lists)
    assert.equal((await browser.get(list.replaceAll('&amp;', '&'))).status, 200, list);
  assert.match(wordsOf(await browser.read(`${PAGE}/list?of=unconfirmed`)), /Nobody is asked/);
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
