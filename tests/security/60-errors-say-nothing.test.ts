import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import type { Browser } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { startWorker } from '#tests/harness/worker/process.ts';

/** What must stay on the server: statements, tables, drivers, frames and paths. */
const INNER =
  /relation \\?"|\bselect\b.+\bfrom\b|topics_away|post_schedules_away|42P01|kysely|node_modules|postgres|\bat .*:\d+:\d+|\.[jt]sx?:\d+/i;

let database: TestDatabase;
let web: Web;
let browser: Browser;
let token: string;
const ends: (() => Promise<void>)[] = [];
const atEnd = (end: () => Promise<void>) => void ends.push(end);
after(() => Promise.all(ends.map((end) => end())));

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { LOG_LEVEL: 'error' } });
  const actor = await makeUser(database.db);
  browser = await browserOf(database.db, actor, web.url);
  token = await tokenOf(database.db, actor);
});

/** The page without what only scripts and the browser read: names of files of the build. */
const seen = (text: string) => text.replaceAll(/<script.*?<\/script>|<link[^>]*>/gs, '');

/** What is answered to somebody with a failure behind it, by page, by data of a page, by form and by call. */
async function failures(): Promise<{ asked: string; id: string | null; text: string }[]> {
  const answers: [string, Response][] = [];
  for (const path of PAGE_PATHS.filter(
    (each) => each.startsWith('/app/') && !each.startsWith('/app/admin'),
  )) {
    const at = filled(path);
    answers.push([`GET ${at}`, await browser.get(at)], [`GET ${at}.data`, await browser.get(`${at}.data`)]);
    answers.push([
      `POST ${at}`,
      await browser.post(at, { name: 'Hiring', tone: 'professional', content: 'x' }),
    ]);
  }
  for (const path of API_PATHS.filter((each) => !each.startsWith('/auth/') && !each.startsWith('/admin'))) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const body = method === 'GET' ? undefined : JSON.stringify({ name: 'Hiring', content: 'x' });
      const init = { method, headers, ...(body && { body }) };
      answers.push([`${method} /api/v1${path}`, await fetch(`${web.url}/api/v1${filled(path)}`, init)]);
    }
  }
  const failed = answers.filter(([, { status }]) => status >= 500);
  return Promise.all(
    failed.map(async ([asked, answer]) => ({
      asked,
      id: answer.headers.get('X-Request-Id'),
      text: await answer.text(),
    })),
  );
}

test('60 what fails in a page, its data, a form or a call says nothing of how, and names the request', async () => {
  const { schema } = database.db;
  await schema.alterTable('topics').renameTo('topics_away').execute();
  await schema.alterTable('post_schedules').renameTo('post_schedules_away').execute();
  try {
    const failed = await failures();
    assert.ok(failed.length > 15, String(failed.length));
    for (const way of ['GET /app/', 'POST /app/', '.data', '/api/v1/'])
      assert.ok(
        failed.some(({ asked }) => asked.includes(way)),
        way,
      );
    for (const { asked, id, text } of failed) {
      assert.ok(id, asked);
      assert.doesNotMatch(seen(text), INNER, asked);
      if (asked.includes('/api/v1/')) assert.equal(JSON.parse(text).requestId, id, asked);
    }
    assert.match(web.said(), /42P01/, 'the log says what it was');
  } finally {
    await schema.alterTable('topics_away').renameTo('topics').execute();
    await schema.alterTable('post_schedules_away').renameTo('post_schedules').execute();
  }
  assert.equal((await browser.get('/app/topics')).status, 200, 'the process goes on');
});

/** What makes a process fail at something that nobody waits for, as soon as it gets SIGUSR2. Frames of the log have its text. */
const FAULTY = `process.on('SIGUSR2', () => Promise.reject(new Error('code ' + 481_516 + ' of ada@example.com')))`;
const OPTIONS = `--import=data:text/javascript,${encodeURIComponent(FAULTY)}`;

test('60 a promise that nobody waits for and that fails ends the process, with one line of its log', async () => {
  const faulty = await startWeb({ databaseUrl: database.url, env: { NODE_OPTIONS: OPTIONS } });
  const worker = await startWorker(atEnd, database, { NODE_OPTIONS: OPTIONS });
  process.kill(worker.pid, 'SIGUSR2');
  const codes = await Promise.all([faulty.end('SIGUSR2'), worker.ended]);
  assert.deepEqual(codes, [1, 1]);
  for (const said of [faulty.said(), worker.output()]) {
    const [line, ...more] = said.split('\n').filter((each) => each.includes('"level":60'));
    assert.match(line ?? said, /ended by a fault that nobody waited for/);
    assert.deepEqual(more, []);
    assert.doesNotMatch(said, /481516|ada@example\.com/);
  }
});
