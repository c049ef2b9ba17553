import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from '@playwright/test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { windowOf } from '#tests/harness/e2e/window.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let context: BrowserContext;
let elsewhere: string;
const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  const actor = await makeUser(database.db);
  await makeScheduledPost(database.db, actor, { content: 'Quokka7351' });
  context = await windowOf(database.db, actor, url);
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://x');
    response
      .setHeader('Content-Type', 'text/html')
      .end(`<iframe id="frame" src="${searchParams.get('of')}" width="800" height="600"></iframe>`);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((ready) => server.once('listening', ready));
  // The same host, so that a browser sends the cookies along, as it would to a host of our own site.
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

async function framed(page: Page, path: string): Promise<string> {
  await page.goto(`${elsewhere}/?of=${encodeURIComponent(url + path)}`, { waitUntil: 'load' });
  const frame = await (await page.waitForSelector('#frame')).contentFrame();
  return (await frame!.content().catch(() => '')) ?? '';
}

const PAGES = ['/', '/login', '/app/linkedin', '/app/scheduled', '/app/payments', '/app/account/security'];

test('71 the pages on which something is connected, approved or published are there, and in no frame', async () => {
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (line) => refused.push(line.text()));
  for (const path of PAGES) {
    await page.goto(url + path);
    assert.match(await page.content(), /Tidepost/, path);
    const shown = await framed(page, path);
    assert.doesNotMatch(shown, /Tidepost|Quokka7351/, path);
  }
  assert.ok(refused.filter((line) => line.includes('frame-ancestors')).length >= PAGES.length);
});
