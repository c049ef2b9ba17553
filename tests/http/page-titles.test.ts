import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { Browser } from '#tests/make/browser.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';
import { filled, PAGE_PATHS } from './routes-list.ts';

let database: TestDatabase;
let url: string;
let browsers: Browser[];

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { REQUIRE_ADMIN_TWO_STEP: '0' } }));
  const { db } = database;
  browsers = [
    new Browser(url),
    await browserOf(db, await makeUser(db), url),
    await browserOf(db, await makeUser(db, { isAdmin: true }), url),
  ];
});

test('each page of the product that answers has a title that no other has', async () => {
  const pages = new Map<string, Set<string>>();
  for (const path of PAGE_PATHS.filter((each) => each !== '/logout')) {
    for (const browser of browsers) {
      const answer = await browser.get(filled(path));
      const text = await answer.text();
      if (answer.status !== 200 || !answer.headers.get('Content-Type')?.startsWith('text/html')) continue;
      const titles = [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title!);
      assert.equal(titles.length, text.includes('<svg') ? titles.length : 1, path);
      const title = titles[0] ?? '';
      assert.match(title, path === '/' ? /^Tidepost: ./ : /^.{3,} – Tidepost$/, path);
      pages.set(title, (pages.get(title) ?? new Set()).add(path));
    }
  }
  assert.ok(pages.size > 25, `${pages.size} pages`);
  const shared = [...pages].filter(([, paths]) => paths.size > 1).map(([title, paths]) => [title, ...paths]);
  assert.deepEqual(shared, []);
});

test('any other path leads to the start page, by GET and HEAD, and below /api to nothing', async () => {
  const [visitor] = browsers;
  for (const path of [
    '/nothing',
    '/app/nothing',
    '/nothing/at/all.html',
    '/pricing?plan=1',
    '/%F0%9F%8C%8A',
  ]) {
    for (const ask of ['get', 'head'] as const) {
      const answer = await visitor![ask](path);
      assert.deepEqual([path, answer.status, answer.headers.get('Location')], [path, 302, '/']);
    }
  }
  for (const path of ['/api/v1/nothing', '/api/v1/public/nothing', '/api/v1']) {
    for (const ask of ['get', 'head'] as const) {
      const answer = await visitor![ask](path);
      assert.deepEqual([path, answer.status, answer.headers.get('Location')], [path, 404, null]);
    }
  }
  assert.equal((await visitor!.get('/assets/nothing.js')).status, 404);
});
