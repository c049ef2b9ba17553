import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** A download is not there as data. */
const isFile = (path: string) => /\.\w+$/.test(path);

test('4 signing out kills the session on the server: its cookie opens nothing any more', async () => {
  const { db } = database;
  const browser = await browserOf(db, await makeUser(db), url);
  const saved = browser.cookies.get('tidepost')!;
  const answer = await browser.post('/logout');
  assert.equal(answer.headers.get('Location'), '/login');
  assert.equal(browser.cookies.get('tidepost'), undefined);
  const replayed = new Browser(url);
  replayed.cookies.set('tidepost', saved);
  const app = PAGE_PATHS.filter((path) => path.startsWith('/app/'));
  assert.ok(app.length > 20);
  for (const path of app) {
    assert.equal((await replayed.get(filled(path))).headers.get('Location'), '/login', path);
    if (isFile(path)) continue;
    const data = await replayed.get(`${filled(path)}.data`);
    const said = await data.text();
    assert.ok(data.status === 202 && said.includes('/login'), `${path} ${data.status}`);
  }
});

test('4 no page of somebody who is signed in is kept by the browser, so that Back shows nothing', async () => {
  const { db } = database;
  for (const isAdmin of [false, true]) {
    const browser = await browserOf(db, await makeUser(db, { isAdmin }), url);
    for (const path of PAGE_PATHS.filter((each) => each.startsWith('/app/') || each === '/app')) {
      for (const address of isFile(path) ? [path] : [filled(path), `${filled(path)}.data`]) {
        const { headers } = await browser.get(address);
        assert.match(headers.get('Cache-Control') ?? '', /no-store/, address);
      }
    }
  }
});

test('4 a program that signs out has a dead token', async () => {
  const token = await tokenOf(database.db, await makeUser(database.db));
  assert.equal((await call(url, 'POST', '/auth/logout', {}, token)).status, 200);
  for (const path of ['/auth/me', '/topics', '/account/tokens', '/automation/posts', '/payment/history']) {
    assert.equal((await call(url, 'GET', path, undefined, token)).status, 401, path);
  }
});
