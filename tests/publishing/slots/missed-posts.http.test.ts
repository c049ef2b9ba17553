import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { findTestPost } from '#app/domain/publishing/manual/test-post.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { authorOf, connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { endPlanAt } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, wordsOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { goOnAfterEach } from '#tests/harness/reset-publishing.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const later = (ms: number) => new Date(Date.now() + ms);
const PAGES = ['/app/dashboard', '/app/topics', '/app/scheduled', '/app/posts', '/app/payments'];
let database: TestDatabase;
let url: string;

goOnAfterEach(() => database.db);
before(async () => {
  database = await testDatabase();
  const { LINKEDIN_API_URL = '', LINKEDIN_AUTH_URL = '' } = process.env;
  ({ url } = await startWeb({ databaseUrl: database.url, env: { LINKEDIN_API_URL, LINKEDIN_AUTH_URL } }));
});

const set = (actor: Actor, change: Parameters<typeof setConnection>[2]) =>
  setConnection(database.db, actor, change);

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
  assert.equal(chosen.headers.get('Location'), '/app/posts?status=set_aside');
  const done = await browser.read('/app/posts?status=set_aside');
  assert.match(done, /2 posts set aside/);
  assert.match(done, /You set this post aside[\s\S]*Publish now/);
  assert.doesNotMatch(wordsOf(done), /Retry/, 'it was never tried');
  assert.doesNotMatch(await browser.read('/app/linkedin'), /name="choice"/);
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
    /You can send one test post a day, the next one from \w{3}, \w{3} \d/,
  );
  await disconnect(db, actor);
  assert.doesNotMatch(await browser.read('/app/linkedin'), /Send a test post|the connection works/);
});

const timesOf = (text: string, words: RegExp) => text.match(new RegExp(words, 'g'))?.length ?? 0;

/** As the tick does with a post whose time comes while it may not go out. */
const hold = (actor: Actor) =>
  database.db
    .updateTable('postSchedules')
    .set({ heldAt: new Date() })
    .where('userId', '=', actor.userId)
    .execute();

test('a screen whose posts cannot go out calls once for what helps, and its cards say what is their own', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  for (const day of [-3, -2, -1]) await makeScheduledPost(db, actor, { dueAt: later(day * DAY) });
  await hold(actor);
  const read = async (page: string) => wordsOf(await browser.read(page));
  const SCREENS = ['/app/scheduled', '/app/posts'];

  await set(actor, { status: 'expired' });
  for (const page of SCREENS) {
    const words = await read(page);
    assert.equal(timesOf(words, /Connect LinkedIn|Connect again/), 1, page);
    assert.equal(timesOf(words, /LinkedIn is (?:no longer|not) connected/), 1, page);
    assert.equal(timesOf(words, /Held: its time passed/), 3, page);
  }
  await db.deleteFrom('linkedinConnections').where('userId', '=', actor.userId).execute();
  for (const page of SCREENS) assert.equal(timesOf(await read(page), /Connect LinkedIn/), 1, page);
  assert.match(await read('/app/scheduled'), /LinkedIn is not connected, so no post can go out/);

  await connectLinkedIn(db, actor, outside.url);
  await set(actor, { resumedAt: new Date() });
  for (const page of SCREENS) {
    const words = await read(page);
    assert.equal(timesOf(words, /Choose/), 1, page);
    assert.equal(timesOf(words, /Held: its time passed/), 3, page);
  }
});

test('without a plan the frame of the page calls for one, and nothing else does', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await makeScheduledPost(db, actor, { dueAt: later(-HOUR) });
  await hold(actor);
  await db.deleteFrom('payments').where('userId', '=', actor.userId).execute();
  const words = wordsOf(await browser.read('/app/scheduled'));
  assert.match(words, /No active plan\..*Subscribe/);
  assert.doesNotMatch(words, /Choose a plan/);
  assert.match(words, /Held: you have no active plan/);
});

test('one missed post is spoken of as one on every page, and more as several', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  for (const missed of [1, 2, 3]) {
    await set(actor, { status: 'expired' });
    await makeScheduledPost(db, actor, { dueAt: later(-missed * DAY) });
    await connectLinkedIn(db, actor, outside.url);
    await everyPageSays(browser, missed === 1 ? /A post was missed/ : /Posts were missed/);
    const words = wordsOf(await browser.read('/app/topics'));
    assert.equal(/Its time passed.*It waits.*becomes of it/.test(words), missed === 1);
  }
});

test('what may be on its way is called missed on no page before that is settled', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-HOUR) });
  const claim = (await claimPost(db, postId))!;
  const attempt = (await beginAttempt(db, claim, await authorOf(db, actor.userId), await readIdentity(db)))!;
  await set(actor, { resumedAt: later(HOUR), resumeChoice: null });
  const says = async () =>
    [/name="choice"/.test(await browser.read('/app/linkedin'))].concat(
      /A post was missed/.test(await browser.read('/app/topics')),
    );
  assert.deepEqual(await says(), [false, false]);
  await db
    .updateTable('publishAttempts')
    .set({ state: 'not_accepted', resolvedAt: new Date(), finishedAt: new Date() })
    .where('id', '=', attempt.id)
    .execute();
  assert.deepEqual(await says(), [true, true]);
});

test('the page that connects warns of the end itself, without a link to where one is', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await set(actor, { expiresAt: later(3 * DAY - HOUR), refreshTokenSealed: null });
  const html = await browser.read('/app/linkedin');
  assert.doesNotMatch(html, /class="trouble-banner"/);
  assert.match(wordsOf(html), /LinkedIn ends our permission in 3 days/);
  assert.match(html, /action="\/app\/linkedin\/connect"/);
  await set(actor, { expiresAt: later(-HOUR) });
  const over = wordsOf(await browser.read('/app/linkedin'));
  assert.match(over, /Days left None/);
  assert.doesNotMatch(over, /LinkedIn has ended it|no longer accepts/);
  await set(actor, { expiresAt: later(30 * DAY), status: 'expired' });
  const ended = wordsOf(await browser.read('/app/linkedin'));
  assert.match(ended, /Days left None, LinkedIn has ended it/);
  assert.doesNotMatch(ended, /Permission until|You Have Granted|lets us publish/);
  assert.match(ended, /What You Had Granted .*w_member_social/);
});

/** Somebody whose test LinkedIn answers as the fault says. */
async function testAnswered(fault: string) {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await browser.post('/app/linkedin/test');
  const { id, content } = (await findTestPost(db, actor)).post!;
  await outside.fault(fault, { match: content, times: 1 });
  await publishPost(db, id);
  const html = await browser.read('/app/linkedin');
  return { actor, browser, id, html, words: wordsOf(html) };
}

test('a test that LinkedIn puts off for the day says when it goes out, and nobody waits for it', async () => {
  const { id, browser } = await testAnswered('linkedin.429-day');
  // A day that ends in a minute would be waited for.
  await standAs(database.db, id, { notBefore: later(26 * HOUR) });
  const html = await browser.read('/app/linkedin');
  const words = wordsOf(html);
  assert.match(
    words,
    /LinkedIn takes no more posts from you for now\. It goes out at \w{3}, \w{3} \d+, \d\d:\d\d/,
  );
  assert.doesNotMatch(words, /shows here by itself/);
  assert.doesNotMatch(html, /http-equiv="refresh"/i);
});

test('a test of another day names its day', async () => {
  const { id, browser } = await testAnswered('linkedin.422');
  await standAs(database.db, id, { status: 'published', postedAt: later(-10 * DAY) });
  assert.match(
    wordsOf(await browser.read('/app/linkedin')),
    /LinkedIn took it at \w{3}, \w{3} \d+, \d\d:\d\d/,
  );
});

test('a test that went out on another account says nothing of the one that is connected now', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await browser.post('/app/linkedin/test');
  await publishPost(db, (await findTestPost(db, actor)).post!.id);
  assert.match(await browser.read('/app/linkedin'), /the connection works/);
  await set(actor, { memberId: `other-${actor.userId}` });
  const words = wordsOf(await browser.read('/app/linkedin'));
  assert.match(words, /LinkedIn took it at \d\d:\d\d on another account than the one that is connected now/);
  assert.doesNotMatch(words, /the connection works/);
});

test('a test that waits for the end of a pause says why, and is answered by itself when that ends', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  const admin = await makeUser(db, { isAdmin: true });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await browser.post('/app/linkedin/test');
  const html = await browser.read('/app/linkedin');
  assert.match(wordsOf(html), /Publishing is paused: We look at something\./);
  assert.match(html, /http-equiv="refresh" content="60"/i);
});

test('who connects LinkedIn for the first time is told of no connection before', async () => {
  const { db } = database;
  const actor = await makeUser(db, {});
  const browser = await browserOf(db, actor, url);
  await makeScheduledPost(db, actor, { dueAt: later(-DAY) });
  await db
    .updateTable('posts')
    .set({ createdAt: later(-2 * DAY) })
    .where('userId', '=', actor.userId)
    .execute();
  await connectLinkedIn(db, actor, outside.url);
  for (const page of ['/app/topics', '/app/linkedin', '/app/scheduled']) {
    const words = wordsOf(await browser.read(page));
    assert.match(words, /before LinkedIn was connected/, page);
    assert.doesNotMatch(words, /connected again/, page);
  }
});

test('a page that asks for a choice is left alone while a test waits for the end of a pause', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await set(actor, { status: 'expired' });
  await makeScheduledPost(db, actor, { dueAt: later(-DAY) });
  await connectLinkedIn(db, actor, outside.url);
  const admin = await makeUser(db, { isAdmin: true });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await browser.post('/app/linkedin/test');
  const html = await browser.read('/app/linkedin');
  assert.match(html, /name="choice"/);
  assert.doesNotMatch(html, /http-equiv="refresh"/i);
});

test('a test that was refused as often as it may be has no Retry, and says from when there is another', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await browser.post('/app/linkedin/test');
  const { id, content } = (await findTestPost(db, actor)).post!;
  const retry = `/app/posts/${id}/retry`;
  await outside.fault('linkedin.422', { match: content, times: 5 });
  for (let nth = 0; nth < 5; nth++) {
    await publishPost(db, id);
    const html = await browser.read('/app/linkedin');
    assert.equal(html.includes(`action="${retry}"`), nth < 4, `after ${nth + 1}`);
    if (nth < 4) await browser.post(retry, { from: '/app/linkedin#test-post' });
  }
  const words = wordsOf(await browser.read('/app/linkedin'));
  assert.match(words, /Test posts have failed 5 times\. You can send another one from /);
  assert.doesNotMatch(words, /Press Retry/);
  const history = await browser.read('/app/posts?status=failed');
  assert.equal(history.includes(`action="${retry}"`), false);
  assert.match(wordsOf(history), /Test posts have failed 5 times\. You can try again from /);
  assert.doesNotMatch(wordsOf(history), /Press Retry/);
});

test('a test that ended the connection stays on its page, and says that it goes out after connecting', async () => {
  const { html, words } = await testAnswered('linkedin.401-revoked');
  assert.match(words, /Try it with a test post .* It goes out as soon as LinkedIn is connected again\./);
  assert.doesNotMatch(words, /Send a test post|being asked/);
  assert.doesNotMatch(html, /http-equiv="refresh"/i);
  assert.equal(html.match(/action="\/app\/linkedin\/connect"/g)!.length, 1);
});

test('a test that LinkedIn refused is tried again on the page that sent it', async () => {
  const { db } = database;
  const { actor, browser, id, html, words } = await testAnswered('linkedin.422');
  assert.match(words, /A test goes out as it is\. Press Retry to send it again\. It is not on LinkedIn\./);
  const form = new RegExp(`<form[^>]*action="/app/posts/${id}/retry"[\\s\\S]*?</form>`).exec(html)![0];
  const from = /name="from" value="([^"]+)"/.exec(form)![1]!;
  const retried = await browser.post(`/app/posts/${id}/retry`, { from });
  assert.equal(retried.headers.get('Location'), '/app/linkedin#test-post');
  assert.match(await browser.read('/app/linkedin'), /Publishing…[\s\S]*http-equiv="refresh" content="3"/i);
  await browser.get('/app/linkedin?error=access_denied');
  assert.match(await browser.read('/app/linkedin'), /content="20"/, 'an error is left there to be read');
  await publishPost(db, id);
  assert.match(await browser.read('/app/linkedin'), /LinkedIn took it at/);
  await set(actor, { status: 'expired' });
  await browser.post(`/app/posts/${id}/retry`, { from });
  assert.match(
    await browser.read('/app/linkedin'),
    /<main[\s\S]*Only a failed post can be tried again[\s\S]*<\/main>/,
  );
});

test('a test that may not be sent again as it is offers what helps instead', async () => {
  const refused = await testAnswered('linkedin.403-scope');
  assert.match(refused.words, /Connect LinkedIn again and allow posting/);
  assert.doesNotMatch(refused.html, /\/retry"/);
  const double = await testAnswered('linkedin.422');
  const { db } = database;
  await standAs(db, double.id, {
    status: 'failed',
    failure: 'duplicate',
    reason: 'LinkedIn says that you already posted this text. Change it and try again',
  });
  const html = await double.browser.read('/app/linkedin');
  assert.match(html, /Delete it, and send another one\./);
  assert.doesNotMatch(html, /\/retry"/);
  assert.match(html, /confirm-delete=/);
});

test('a test is deleted on the page that sent it', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await browser.post('/app/linkedin/test');
  const { id } = (await findTestPost(db, actor)).post!;
  await publishPost(db, id);
  assert.ok((await browser.read('/app/linkedin')).includes(`href="/app/linkedin?confirm-delete=${id}"`));
  const asked = await browser.read(`/app/linkedin?confirm-delete=${id}`);
  assert.match(asked, /Delete this post\?[\s\S]*This will delete the post from LinkedIn too\./);
  assert.doesNotMatch(asked, /http-equiv="refresh"/i);
  const from = /name="from" value="([^"]+)"/.exec(asked)![1]!;
  const deleted = await browser.post(`/app/posts/${id}/delete`, { from });
  assert.equal(deleted.headers.get('Location'), '/app/linkedin#test-post');
  assert.match(await browser.read('/app/linkedin'), /deleted successfully from database and LinkedIn/);
});

test('the latest post is not said to be published while publishing is paused for everybody', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  await set(actor, { status: 'expired' });
  await makeScheduledPost(db, actor, { dueAt: later(-DAY) });
  await connectLinkedIn(db, actor, outside.url);
  const admin = await makeUser(db, { isAdmin: true });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  const page = await browser.read('/app/linkedin');
  assert.match(page, /It waits until publishing goes on\./);
  const asked = /name="asked" value="([^"]+)"/.exec(page)![1]!;
  const chosen = await browser.post('/app/linkedin/missed', { asked, choice: 'latest' });
  const queue = wordsOf(await browser.read(chosen.headers.get('Location')!));
  assert.match(queue, /Publishing is paused for now\. Your post goes out as soon as that ends/);
  assert.doesNotMatch(queue, /is being published/);
});

test('the latest post that LinkedIn has put off is promised for then, and not said to be published', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  const content = `Put off ${actor.userId}`;
  const id = await makeScheduledPost(db, actor, { content, dueAt: later(-1_000) });
  await outside.fault('linkedin.429-day', { match: content, times: 1 });
  await publishPost(db, id);
  await set(actor, { status: 'expired' });
  await makeScheduledPost(db, actor, { dueAt: later(-DAY) });
  await connectLinkedIn(db, actor, outside.url);
  const at = formatInstant((await findPost(db, actor, id)).notBefore!, actor.timeZone);
  const page = await browser.read('/app/linkedin');
  assert.ok(page.includes(`“${content}” goes out at ${at}. The others`), wordsOf(page));
  const asked = /name="asked" value="([^"]+)"/.exec(page)![1]!;
  const chosen = await browser.post('/app/linkedin/missed', { asked, choice: 'latest' });
  const queue = wordsOf(await browser.read(chosen.headers.get('Location')!));
  assert.ok(queue.includes(`Your post goes out at ${at}`), queue);
  assert.doesNotMatch(queue, /being published/);
});

test('the pages that show times say once whose clock they are of, and write every day alike', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  await endPlanAt(db, actor, new Date('2099-02-01T00:00:00Z'));
  await db.updateTable('users').set({ timeZone: 'Asia/Kolkata' }).where('id', '=', actor.userId).execute();
  const browser = await browserOf(db, actor, url);
  await makeScheduledPost(db, actor, { dueAt: new Date('2099-01-04T20:00:00Z') });
  await makeScheduledPost(db, actor, { dueAt: new Date('2099-01-05T20:00:00Z') });
  for (const page of ['/app/scheduled', '/app/posts', '/app/linkedin']) {
    const words = wordsOf(await browser.read(page));
    assert.equal(timesOf(words, /Times in Asia\/Kolkata/), 1, page);
    assert.doesNotMatch(
      words,
      /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|[a-z]{4,} \d{1,2}, \d{4}/,
    );
  }
  const queue = wordsOf(await browser.read('/app/scheduled'));
  assert.match(queue, /Mon, Jan 05, 2099 .*Publishes at Mon, Jan 05, 01:30/);
});
