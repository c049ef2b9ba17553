import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { addressOf, thingsIn } from '#tests/fixtures/existing-ids.ts';
import { fillAccount } from '#tests/fixtures/full-account.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

/** Stands in what its owner and admins see. */
const MARKER = 'Quokka7353';

type Page = { path: string; isAdmins: boolean; ids: string[] };

/** The addresses of the app, each with the routes that answer it, by the names that a browser may ask for. */
function pagesBelow(entries: RouteConfigEntry[], above: string, ids: string[], isAdmins: boolean): Page[] {
  return entries.flatMap(({ path, id, children }) => {
    const here = path ? `${above}/${path}` : above;
    const all = [...ids, id!];
    const isTheirs = isAdmins || id === 'admin-only';
    if (children) return pagesBelow(children, here, all, isTheirs);
    // A file is not there as data, for nobody.
    return /^\/app\//.test(here) && !/\.\w+$/.test(here)
      ? [{ path: here, isAdmins: isTheirs, ids: all }]
      : [];
  });
}
const PAGES = pagesBelow(routes, '', ['root'], false);

let database: TestDatabase;
let url: string;
let things: Record<string, string>;
let visitor: Browser;
let stranger: Browser;
let owner: Browser;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { REQUIRE_ADMIN_TWO_STEP: '0' } }));
  const { db, pool } = database;
  const actor = await makeUser(db);
  await makePlan(db, actor, 1);
  await fillAccount(db, actor, MARKER);
  things = await thingsIn(pool);
  // What is on the board is for everybody.
  await db.deleteFrom('feedback').execute();
  visitor = new Browser(url);
  stranger = await browserOf(db, await makeUser(db), url);
  owner = await browserOf(db, actor, url);
});

/** Every way to ask for some of the loaders of a page: each alone, all but the guards, and all. */
function ways({ ids }: Page): string[] {
  const alone = ids.map((id) => `?_routes=${encodeURIComponent(id)}`);
  return [
    ...alone,
    `?_routes=${ids.slice(-2).map(encodeURIComponent).join(',')}`,
    '?_routes=',
    '?_routes=root',
    '',
  ];
}

async function ask(browser: Browser, page: Page) {
  const address = addressOf(page.path, things);
  const answers = [];
  for (const way of ways(page)) {
    const answer = await browser.get(`${address}.data${way}`);
    answers.push({ asked: `${address}.data${way}`, status: answer.status, text: await answer.text() });
  }
  return answers;
}

test('31 a loader that is asked for by itself shows its page to its owner: the names are right', async () => {
  let shown = 0;
  for (const page of PAGES.filter(({ isAdmins }) => !isAdmins))
    for (const { text } of await ask(owner, page)) if (text.includes(MARKER)) shown += 1;
  assert.ok(shown > 20, String(shown));
});

test('31 whichever loader a visitor asks for, the answer leads to the sign-in and holds nothing', async () => {
  assert.ok(PAGES.length > 60);
  for (const page of PAGES) {
    for (const { asked, status, text } of await ask(visitor, page)) {
      assert.equal(status, 202, asked);
      assert.ok(text.includes('/login') && !text.includes(MARKER), asked);
    }
  }
});

test('31 whichever loader somebody asks for, nothing of others comes, and nothing of admins', async () => {
  for (const page of PAGES) {
    for (const { asked, status, text } of await ask(stranger, page)) {
      assert.ok(!text.includes(MARKER), asked);
      if (page.isAdmins) assert.equal(status, 403, asked);
    }
  }
});
