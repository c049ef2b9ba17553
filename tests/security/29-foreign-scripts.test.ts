import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContext } from '@playwright/test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { windowOf } from '#tests/harness/e2e/window.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

let database: TestDatabase;
let web: Web;
let context: BrowserContext;

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url });
  context = await windowOf(database.db, await makeUser(database.db), web.url);
});

/** What somebody would write into a page of ours who had found a way to. */
const INJECTED = [
  '<script>window.ran = 1</script>',
  '<script nonce="">window.ran = 2</script>',
  '<script nonce="guessed">window.ran = 3</script>',
  '<script src="https://evil.example/a.js"></script>',
  '<script src="data:text/javascript,window.ran=4"></script>',
  '<img src="data:image/gif;base64,x" onerror="window.ran = 5">',
  '<svg onload="window.ran = 6"></svg>',
  '<iframe srcdoc="<script>parent.ran = 7</script>"></iframe>',
  '<object data="data:text/html,<script>window.ran=8</script>"></object>',
  '<base href="https://evil.example/">',
];

for (const path of ['/login', '/signup', '/app/dashboard']) {
  test(`29 what is written into ${path} by force runs nothing, and the page goes on`, async () => {
    // Signed in, the others lead to the dashboard; and who sends no cookie gets a shared page, whose policy has hashes.
    const visitor = path.startsWith('/app') ? context : await context.browser()!.newContext();
    const page = await visitor.newPage();
    const asked: string[] = [];
    await page.route('https://evil.example/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: 'window.ran = 9' });
    });
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('</body>', `${INJECTED.join('')}</body>`);
      await route.fulfill({ response, body });
    });
    await page.addInitScript(() => {
      const refused: string[] = [];
      Object.assign(window, { refused });
      document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
    });
    await page.goto(web.url + path, { waitUntil: 'load' });
    assert.equal(await page.evaluate(() => (window as { ran?: number }).ran), undefined);
    assert.equal(await page.evaluate(() => document.baseURI), web.url + path);
    assert.deepEqual(asked, []);
    // The scripts of the page itself do run: React has taken it over.
    await until('React is there', () =>
      page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith('__react'))),
    );
    const refused = await page.evaluate(() => (window as { refused?: string[] }).refused);
    for (const directive of ['script-src-elem', 'script-src-attr', 'object-src', 'base-uri'])
      assert.ok(refused?.includes(directive), `${directive} of ${refused}`);
    await page.close();
    if (visitor !== context) await visitor.close();
  });
}
