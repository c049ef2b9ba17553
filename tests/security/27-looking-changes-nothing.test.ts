import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { addressOf, thingsIn } from '#tests/fixtures/existing-ids.ts';
import { fillAccount } from '#tests/fixtures/full-account.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { API_PATHS, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { changesSince, everyRow } from '#tests/harness/row-changes.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let readers: { browser: Browser; token?: string }[];
let things: Record<string, string>;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { REQUIRE_ADMIN_TWO_STEP: '0' } }));
  const { db, pool } = database;
  readers = [{ browser: new Browser(url) }];
  for (const isAdmin of [false, true]) {
    const actor = await makeUser(db, { isAdmin });
    await makePlan(db, actor, 1);
    await fillAccount(db, actor, `Marlow${readers.length}`);
    readers.push({ browser: await browserOf(db, actor, url), token: await tokenOf(db, actor) });
  }
  things = await thingsIn(pool);
});

/** The calls by which a browser begins a journey: what they keep is what its way back is held against. */
const BEGINS = ['/auth/google', '/auth/linkedin', '/linkedin/connect'];

test('27 to look at any page changes nothing, whoever looks and however', async () => {
  const before = await everyRow(database.pool);
  for (const { browser } of readers) {
    for (const path of PAGE_PATHS) {
      const at = addressOf(path, things);
      const asData = /\.\w+$/.test(path) || at === '/' ? [] : [`${at}.data`];
      for (const address of [at, ...asData]) await (await browser.get(address)).arrayBuffer();
      await browser.head(at);
    }
  }
  assert.deepEqual(await changesSince(before, database.pool), []);
});

test('27 no call that reads changes anything', async () => {
  const before = await everyRow(database.pool);
  for (const { token } of readers) {
    for (const path of API_PATHS.filter((each) => !BEGINS.includes(each))) {
      const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
      for (const method of ['GET', 'HEAD', 'OPTIONS'])
        await (await fetch(`${url}/api/v1${addressOf(path, things)}`, { method, headers })).arrayBuffer();
    }
  }
  assert.deepEqual(await changesSince(before, database.pool), []);
});
