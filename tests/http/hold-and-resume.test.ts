import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Actor } from '#app/domain/actor.ts';
import { disconnect } from '#app/domain/linkedin/connection.ts';
import { publishPost } from '#app/domain/publishing/publish.ts';
import { findTestPost } from '#app/domain/publishing/test-post.ts';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import type { Browser } from '#tests/make/browser.ts';
import { connectLinkedIn } from '#tests/make/linkedin.ts';
import { startOutside } from '#tests/make/outside.ts';
import { makePublisher, makeScheduledPost } from '#tests/make/posts.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';

const outside = await startOutside();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const later = (ms: number) => new Date(Date.now() + ms);
const PAGES = ['/app/dashboard', '/app/topics', '/app/scheduled', '/app/posts', '/app/payments'];
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  const { LINKEDIN_API_URL = '', LINKEDIN_AUTH_URL = '' } = process.env;
  ({ url } = await startWeb({ databaseUrl: database.url, env: { LINKEDIN_API_URL, LINKEDIN_AUTH_URL } }));
});

const set = (actor: Actor, change: object) =>
  database.db.updateTable('linkedinConnections').set(change).where('userId', '=', actor.userId).execute();

async function everyPageSays(browser: Browser, words: RegExp) {
  for (const page of PAGES) assert.match(await browser.read(page), words, page);
}

test('every page says that the connection is lost, and then that posts were missed', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  assert.doesNotMatch(await browser.read('/app/dashboard'), /no longer connected|permission in/);
  await set(actor, { status: 'expired' });
  const contents = ['Elder words', 'Younger words'];
  for (const [index, content] of contents.entries()) {
    await makeScheduledPost(db, actor, { content, dueAt: later((index - 3) * 24 * HOUR) });
  }
  await everyPageSays(browser, /LinkedIn is no longer connected/);
  assert.doesNotMatch(await browser.read('/app/linkedin'), /name="choice"/);

  await connectLinkedIn(db, actor, outside.url);
  await everyPageSays(browser, /Posts were missed/);
  const page = await browser.read('/app/linkedin');
  assert.match(page, /2 posts missed their time/);
  assert.match(page, /“Younger words” is published at once/);
  const asked = /name="asked" value="([^"]+)"/.exec(page)![1]!;

  for (const fields of [
    { asked, choice: 'all' },
    { asked },
    { choice: 'slots' },
    { asked: 'x', choice: 'slots' },
  ]) {
    await browser.post('/app/linkedin/missed', fields as Record<string, string>);
    assert.match(await browser.read('/app/linkedin'), /Please choose|out of date/);
  }
  const chosen = await browser.post('/app/linkedin/missed', { asked, choice: 'discard' });
  assert.equal(chosen.headers.get('Location'), '/app/linkedin');
  const done = await browser.read('/app/linkedin');
  assert.match(done, /2 posts set aside/);
  assert.doesNotMatch(done, /name="choice"/);
  assert.match(await browser.read('/app/posts'), /You set this post aside/);
  await browser.post('/app/linkedin/missed', { asked, choice: 'slots' });
  assert.match(await browser.read('/app/linkedin'), /You have chosen already/);
  assert.doesNotMatch(await browser.read('/app/dashboard'), /Posts were missed/);
});

test('the latest of the missed posts is shown where it goes out, and one post is spoken of as one', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await set(actor, { status: 'expired' });
  const id = await makeScheduledPost(db, actor, { dueAt: later(-DAY) });
  await connectLinkedIn(db, actor, outside.url);
  const page = await browser.read('/app/linkedin');
  assert.match(
    page,
    /1 post missed its time[\s\S]*It does not go out before you choose[\s\S]*it takes your next free time/,
  );
  const asked = /name="asked" value="([^"]+)"/.exec(page)![1]!;
  const chosen = await browser.post('/app/linkedin/missed', { asked, choice: 'latest' });
  assert.equal(chosen.headers.get('Location'), `/app/scheduled?watch=${id}`);
  const queue = await browser.read(`/app/scheduled?watch=${id}`);
  assert.ok(queue.includes('Your post is being published') && queue.includes('Publishing…'));
});

test('every page counts the last ten days, and nobody else decides', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await set(actor, { expiresAt: later(10 * DAY + HOUR), refreshTokenSealed: null });
  assert.doesNotMatch(await browser.read('/app/topics'), /ends our permission/);
  await set(actor, { expiresAt: later(3 * DAY - HOUR) });
  await everyPageSays(browser, /LinkedIn ends our permission in 3 days/);
  assert.match(await browser.read('/app/linkedin'), />3</);
  await set(actor, { expiresAt: later(HOUR) });
  assert.match(await browser.read('/app/topics'), /within a day/);
  const stranger = await browserOf(db, await makeUser(db), url);
  await stranger.post('/app/linkedin/missed', { asked: new Date().toISOString(), choice: 'discard' });
  assert.match(await stranger.read('/app/linkedin'), /Please connect LinkedIn first/);
});

test('a test post is sent by a button, answered in place, and once a day', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  assert.doesNotMatch(await browser.read('/app/linkedin'), /test post/i);
  await connectLinkedIn(db, actor, outside.url);
  assert.match(await browser.read('/app/linkedin'), /Send a test post/);
  await browser.post('/app/linkedin/test');
  assert.match(await browser.read('/app/linkedin'), /Publishing…[\s\S]*http-equiv="refresh"/i);
  await publishPost(db, (await findTestPost(db, actor)).post!.id);
  const page = await browser.read('/app/linkedin');
  assert.match(page, /LinkedIn took it at \d\d:\d\d/);
  assert.match(page, /View on LinkedIn/);
  assert.match(page, /confirm-delete=/);
  assert.doesNotMatch(page, /Send a test post/);
  await browser.post('/app/linkedin/test');
  assert.match(
    await browser.read('/app/linkedin'),
    /You can send one test post a day, the next one from \w{3},? \d/,
  );
  await disconnect(db, actor);
  assert.doesNotMatch(await browser.read('/app/linkedin'), /test post"/);
});
