import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { fillAccount } from '#tests/fixtures/full-account.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import type { Browser } from '#tests/harness/http/browser.ts';
import { filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

/** Stands in what its owner sees. */
const MARKER = 'Quokka7357';

let database: TestDatabase;
let url: string;
let browser: Browser;
let token: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  const actor = await makeUser(database.db);
  await makePlan(database.db, actor, 1);
  await fillAccount(database.db, actor, MARKER);
  browser = await browserOf(database.db, actor, url);
  token = await tokenOf(database.db, actor);
});

/** A cache that goes by the end of an address takes each of these for a file that is everybody's. */
const AS_FILES = [
  '/x.css',
  '.css',
  '/x.js',
  '.js',
  '%2fx.css',
  ';x.css',
  '%00.css',
  '%0a.css',
  '%3f.css',
  '%23.css',
  '/..%2fx.css',
];

const mayBeKept = (headers: Headers) => !/no-store|private/.test(headers.get('Cache-Control') ?? '');

test('70 the address of a page with the end of a file shows nothing of its reader that a cache may keep', async () => {
  let shown = 0;
  for (const path of PAGE_PATHS.filter((each) => /^\/app(?:\/|$)/.test(each))) {
    for (const end of ['', ...AS_FILES]) {
      const answer = await browser.get(filled(path) + end);
      const isTheirs = (await answer.text()).includes(MARKER);
      if (isTheirs && !end) shown += 1;
      assert.ok(!isTheirs || !mayBeKept(answer.headers), `${path}${end}`);
    }
  }
  assert.ok(shown > 5, String(shown));
});

test('70 no call with a token may be kept, whatever its address ends with', async () => {
  for (const path of ['/auth/me', '/topics', '/automation/posts']) {
    for (const end of ['', ...AS_FILES]) {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/api/v1${path}${end}`, { headers });
      await answer.arrayBuffer();
      assert.ok(!mayBeKept(answer.headers), `${path}${end}`);
    }
  }
});

test('70 what may be kept for everybody says nothing of who asks, and sets no cookie', async () => {
  let kept = 0;
  for (const path of PAGE_PATHS) {
    const answer = await browser.get(filled(path));
    if (!/public/.test(answer.headers.get('Cache-Control') ?? '')) continue;
    kept += 1;
    assert.deepEqual(answer.headers.getSetCookie(), [], path);
    assert.ok(!(await answer.text()).includes(MARKER), path);
  }
  assert.ok(kept >= 2, String(kept));
});
