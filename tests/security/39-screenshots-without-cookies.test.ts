import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContext } from '@playwright/test';
import { transact } from '#app/db/client.ts';
import { storeScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { pictureOf, screenshotOf } from '#tests/fixtures/screenshots.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { windowOf } from '#tests/harness/e2e/window.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let context: BrowserContext;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  context = await windowOf(database.db, await makeUser(database.db, { isAdmin: true }), url);
});

async function makeScreenshot(bytes?: Buffer): Promise<string> {
  const { db } = database;
  const { id } = await makePayment(db, await makeUser(db), 1);
  const picture = await screenshotOf(await pictureOf('png'));
  await transact(db, (trx) => storeScreenshot(trx, id, { ...picture, ...(bytes && { bytes }) }));
  return `${url}/payment-screenshots/${id}`;
}

/** What a document reaches of the place that it came from. */
async function reachOf(address: string) {
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const answer = await page.goto(address, { waitUntil: 'load' });
  const reach = await page.evaluate(async () => {
    const of = async (read: () => unknown) =>
      Promise.resolve()
        .then(read)
        .then(
          () => 'reached',
          (error: Error) => error.name,
        );
    return {
      origin: self.origin,
      cookies: await of(() => document.cookie),
      storage: await of(() => localStorage.length),
      databases: await of(() => indexedDB.databases()),
      calls: await of(() => fetch('/app/admin')),
      ran: (window as { ran?: number }).ran,
      shown: document.querySelector('img')?.naturalWidth,
    };
  });
  await page.close();
  return { ...reach, status: answer!.status(), asked: asked.filter((each) => each !== address) };
}

const NOTHING = {
  origin: 'null',
  cookies: 'SecurityError',
  storage: 'SecurityError',
  databases: 'SecurityError',
  calls: 'TypeError',
  ran: undefined,
};

test('39 a screenshot is shown in an origin of its own, without cookies, storage or calls', async () => {
  const { asked: _icon, ...reach } = await reachOf(await makeScreenshot());
  assert.deepEqual(reach, { ...NOTHING, status: 200, shown: 60 });
  // The same browser is signed in.
  const page = await context.newPage();
  await page.goto(`${url}/app/admin`);
  assert.match(await page.title(), /Admin/);
  assert.notEqual(await page.evaluate(() => self.origin), 'null');
});

test('39 what is no picture runs nothing there either, had it ever come to be kept', async () => {
  const script = `<script>window.ran = 1; new Image().src = '/stolen?' + document.cookie</script>`;
  const address = await makeScreenshot(Buffer.from(`<!doctype html><body onload="window.ran = 2">${script}`));
  await database.pool.query(
    'alter table payment_screenshots drop constraint payment_screenshots_content_type_is_known',
  );
  for (const contentType of ['image/webp', 'text/html', 'image/svg+xml']) {
    await database.db
      .updateTable('paymentScreenshots')
      .set({ contentType })
      .where('paymentId', '=', address.split('/').at(-1)!)
      .execute();
    const { shown: _nothing, asked, ...reach } = await reachOf(address);
    assert.deepEqual(reach, { ...NOTHING, status: 200 }, contentType);
    assert.ok(!asked.some((each) => each.includes('stolen')), asked.join());
  }
});
