import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { addressOf, thingsIn } from '#tests/fixtures/existing-ids.ts';
import { fillAccount } from '#tests/fixtures/full-account.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { windowOf } from '#tests/harness/e2e/window.ts';
import { PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';
import { sources, textOf } from '#tests/project/architecture-imports.ts';

/** Says so in the window when any of it is more than text. */
const TYPED = '"><img src=x onerror=ran=1><svg onload=ran=1>';

let database: TestDatabase;
let url: string;
let owner: Actor;
let admin: Actor;
let things: Record<string, string>;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { REQUIRE_ADMIN_TWO_STEP: '0' } }));
  const { db, pool } = database;
  owner = await makeUser(db);
  admin = await makeUser(db, { isAdmin: true });
  await makePlan(db, owner, 1);
  await fillAccount(db, owner, TYPED);
  things = await thingsIn(pool);
});

const FILES = /\.\w+$|^\/(?:shown-pictures|payment-screenshots)\//;

/** The addresses of pages, with what opens on them. */
function addresses(isAdmin: boolean): string[] {
  const { posts, topics, support_tickets: ticket } = things;
  const own = [
    `/app/scheduled?edit=${posts}`,
    '/app/scheduled?view=month',
    '/app/scheduled?view=week',
    `/app/posts?open=${posts}`,
    `/app/topics?edit=${topics}`,
  ];
  const tabs = ['payments', 'email', 'visits', 'users'].map((tab) => `/app/admin?tab=${tab}`);
  const desk = '/app/admin/support-feedback';
  const theirs = [
    ...tabs,
    `${desk}?open=${ticket}`,
    `${desk}?tab=feedback`,
    `${desk}?tab=feedback&open=${things.feedback}`,
  ];
  const paths = PAGE_PATHS.filter((path) => !FILES.test(path) && path !== '/logout');
  const shown = paths.filter((path) => path.startsWith('/app/admin') === isAdmin);
  return [...shown.map((path) => addressOf(path, things)), ...(isAdmin ? theirs : own)];
}

/** Where a page leads, and what opens beside it without saying where it came from. */
async function linksOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a[href], form[action], [formaction], iframe[src], object[data]')]
      .map((each) => {
        const to = ['href', 'action', 'formaction', 'src', 'data']
          .map((name) => each.getAttribute(name))
          .find(Boolean);
        const isOpen =
          each.getAttribute('target') === '_blank' &&
          !/noopener|noreferrer/.test(each.getAttribute('rel') ?? '');
        return isOpen ? `opened by its page: ${to}` : to!;
      })
      .filter((to) => !/^(?:https?:|mailto:|upi:|\/|#|\?|$)/.test(to)),
  );
}

for (const isAdmin of [false, true]) {
  test(`46 47 no page runs or becomes what somebody typed, before ${isAdmin ? 'admins' : 'its owner'}, with no policy to stop it`, async () => {
    const context = await windowOf(database.db, isAdmin ? admin : owner, url, { bypassCSP: true });
    // Pictures of elsewhere are not what this is about.
    await context.route(
      (to) => !to.href.startsWith(url),
      (route) => route.abort(),
    );
    const page = await context.newPage();
    let shown = 0;
    for (const address of addresses(isAdmin)) {
      await page.goto(url + address, { waitUntil: 'load' });
      const [ran, text] = await page.evaluate(() => [
        (window as { ran?: number }).ran,
        document.body.innerText,
      ]);
      assert.equal(ran, undefined, address);
      assert.equal(await page.locator('img[src="x"], svg[onload], [onerror]').count(), 0, address);
      assert.deepEqual(await linksOf(page), [], address);
      if (String(text).includes('onerror=ran=1')) shown += 1;
    }
    assert.ok(shown >= 5, `what was typed stands on ${shown} pages`);
  });
}

test('46 dangerouslySetInnerHTML is used in one place, with a constant', () => {
  const makers = sources.filter(
    (file) => file.startsWith('app/') && textOf(file).includes('dangerouslySetInnerHTML'),
  );
  assert.deepEqual(makers, ['app/ui/layout/beacon.tsx']);
  const byHand = sources.filter(
    (file) =>
      /^app\//.test(file) &&
      /\.(?:innerHTML|outerHTML)\s*=|document\.write|insertAdjacentHTML/.test(textOf(file)),
  );
  assert.deepEqual(byHand, []);
});
