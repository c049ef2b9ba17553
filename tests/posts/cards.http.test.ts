import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { slotsAfter } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { FAILURES } from '#app/domain/posts/failures.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { publishNow, undoPublishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { findTestPost, sendTestPost } from '#app/domain/publishing/manual/test-post.ts';
import { resumePublishing, stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost, makeTopic, standAs, takeOut } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call, wordsOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { goOnAfterEach } from '#tests/harness/reset-publishing.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
const HOUR = 3_600_000;
const later = (ms: number) => new Date(Date.now() + ms);
const QUEUE = '/app/scheduled';
let database: TestDatabase;
let url: string;

goOnAfterEach(() => database.db);
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function somebody() {
  const actor = await makePublisher(database.db, outside.url);
  const browser = await browserOf(database.db, actor, url);
  const read = async (page: string) => wordsOf(await browser.read(page));
  return { actor, browser, read };
}

/** A post with a slot ahead that was sent by hand and that LinkedIn answers as the fault says. */
async function sentByHand(actor: Actor, fault: string, status: 'generated' | 'pending' = 'generated') {
  const { db } = database;
  const content = `Sent by hand ${actor.userId}`;
  const id = await makeScheduledPost(db, actor, { content, dueAt: later(240 * HOUR) });
  await outside.fault(fault, { match: content, times: 1 });
  await standAs(db, id, { status });
  await publishNow(db, actor, id);
  await publishPost(db, id);
  return id;
}

test('a post that LinkedIn puts off for the day says why and when it goes out, can be changed and is not polled', async () => {
  const { actor, browser, read } = await somebody();
  const id = await sentByHand(actor, 'linkedin.429-day');
  assert.ok((await findPost(database.db, actor, id)).notBefore! > new Date());
  // A day that ends in a minute would be waited for.
  const notBefore = later(26 * HOUR);
  await standAs(database.db, id, { notBefore });
  for (const page of [`${QUEUE}?watch=${id}`, `/app/posts?watch=${id}`]) {
    const html = await browser.read(page);
    const words = wordsOf(html);
    assert.match(
      words,
      /LinkedIn takes no more posts from you for now\. Goes out at \w{3}, \w{3} \d+, \d\d:\d\d\./,
    );
    assert.ok(html.includes(`dateTime="${notBefore.toISOString()}"`), page);
    assert.doesNotMatch(words, /Publishing…|being given|Publish now|Publishes at/);
    assert.ok(html.includes(`edit=${id}`) && html.includes(`confirm-delete=${id}`), page);
    assert.doesNotMatch(html, /http-equiv="refresh"/i, page);
  }
  assert.match(await read('/app/dashboard'), /Not before \w{3}, \w{3} \d+, \d\d:\d\d/);
});

test('what was put off is promised for no time while it cannot go out', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const id = await sentByHand(actor, 'linkedin.429-day');
  const admin = await makeUser(db, { isAdmin: true });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await browser.post(`/app/posts/${id}/publish`, { from: QUEUE });
  const stopped = await read(QUEUE);
  assert.match(stopped, /goes out as soon as that ends\. Not before \w{3}, \w{3} \d+, \d\d:\d\d\./);
  assert.match(stopped, /Waits until publishing goes on\. Not before \w{3}, \w{3} \d+/);
  await resumePublishing(db, admin);

  const { server } = await db.selectFrom('publishingEpoch').select('server').executeTakeFirstOrThrow();
  await db.updateTable('publishingEpoch').set({ server: '' }).execute();
  assert.match(await read(QUEUE), /Waits until publishing goes on\. Not before/);
  assert.doesNotMatch(await read('/app/dashboard'), /Goes out/);
  await db.updateTable('publishingEpoch').set({ server }).execute();

  await setConnection(db, actor, { status: 'expired' });
  const lost = await read(QUEUE);
  assert.match(
    lost,
    /Not sent: LinkedIn no longer accepts our permission\. Connect it again, and it goes out\./,
  );
  assert.doesNotMatch(lost, /Goes out/);
});

test('what was sent by hand and put off to another day still goes out on that day', async () => {
  const { db } = database;
  const { actor } = await somebody();
  const id = await sentByHand(actor, 'linkedin.429-day');
  const { notBefore, dueAt } = await findPost(db, actor, id);
  assert.deepEqual(dueAt, notBefore);
});

test('a post that LinkedIn did not confirm is nowhere said to have failed', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const id = await makeScheduledPost(db, actor, { dueAt: later(HOUR) });
  const reason = FAILURES.unconfirmed.reason;
  const unconfirmed = { status: 'failed' as const, isUnconfirmed: true, reason };
  await standAs(db, id, unconfirmed);
  const dashboard = await read('/app/dashboard');
  assert.match(dashboard, /Not confirmed/);
  assert.match(dashboard, /May be on LinkedIn\. Decide/);
  assert.doesNotMatch(dashboard, /Failed|Not published/);
  assert.ok((await browser.read('/app/dashboard')).includes(`/app/posts?status=failed#post-${id}`));
  assert.match(await read('/app/posts'), /Not confirmed/);
  const csv = await browser.read('/app/posts.csv');
  assert.ok(csv.includes(',Not confirmed,') && !csv.includes(',Failed,'));
});

test('no card promises a time while the whole queue is kept from going out', async () => {
  const { db } = database;
  const { actor, read } = await somebody();
  await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  const says = async (page: string) => {
    const words = await read(page);
    return [/Publishes at/, /Planned for/].map((label) => label.test(words));
  };
  const pages = [QUEUE, '/app/posts'];
  for (const page of pages) assert.deepEqual(await says(page), [true, false], page);
  await saveSettings(db, actor, { enabled: false });
  for (const page of pages) assert.deepEqual(await says(page), [false, true], `${page}, paused`);
  await saveSettings(db, actor, { enabled: true });
  await setConnection(db, actor, { status: 'expired' });
  for (const page of pages) assert.deepEqual(await says(page), [false, true], `${page}, lost`);
});

test('what was sent by hand when the connection ended says so, and was not due at a time to come', async () => {
  const { actor, read } = await somebody();
  await sentByHand(actor, 'linkedin.401-revoked');
  for (const page of [QUEUE, '/app/posts']) {
    const words = await read(page);
    assert.match(words, /Not sent: LinkedIn no longer accepts our permission\./, page);
    assert.doesNotMatch(words, /Was due at|Publishes at/, page);
  }
  assert.match(await read('/app/dashboard'), /Not sent: LinkedIn is not connected/);
});

test('a refused test is tried again, as nobody can change it', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  await sendTestPost(db, actor);
  const { id } = (await findTestPost(db, actor)).post!;
  await outside.fault('linkedin.422', { match: 'trying out Tidepost', times: 1 });
  await publishPost(db, id);
  const words = await read('/app/posts');
  assert.match(words, /A test goes out as it is\. Press Retry to send it again\./);
  assert.doesNotMatch(words, /Edit the post/);
  const html = await browser.read('/app/posts');
  assert.ok(html.includes(`/app/posts/${id}/retry`) && !html.includes(`edit=${id}`));
});

test('the switch of automation is led to where it stands, and to the topics where it is not shown', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  await saveSettings(db, actor, { enabled: false });
  const without = await browser.read(QUEUE);
  assert.match(without, /<a[^>]*href="\/app\/topics"[^>]*><span>[^/]*<\/span><span[^>]*>Add topics</);
  assert.doesNotMatch(without, /Turn automation on/);
  await makeTopic(db, actor);
  assert.match(
    await browser.read(QUEUE),
    /<a[^>]*href="\/app\/dashboard#automation"[^>]*><span>[^/]*<\/span><span[^>]*>Turn automation on</,
  );
  assert.match(await browser.read('/app/dashboard'), /id="automation"[\s\S]*role="switch"/);
});

test('a test that is on its way is called one, and stands under no missing slot', async () => {
  const { db } = database;
  const { actor, read } = await somebody();
  await makeTopic(db, actor);
  await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  await sendTestPost(db, actor);
  const admin = await makeUser(db, { isAdmin: true });
  for (const isPaused of [false, true]) {
    if (isPaused) await stopPublishing(db, admin, { reason: 'We look at something' });
    const dashboard = await read('/app/dashboard');
    assert.match(dashboard, /Test, for your connections only/);
    assert.doesNotMatch(dashboard, /No slot yet/);
    assert.doesNotMatch(await read(QUEUE), /No slot yet/);
  }
});

test('Publish now during a pause is watched, and is taken back by a button', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const admin = await makeUser(db, { isAdmin: true });
  const [, slot] = slotsAfter(new Date(), await readTimetable(db, actor.userId, new Date()));
  const id = await makeScheduledPost(db, actor, { dueAt: slot!.at });
  const before = await findPost(db, actor, id);
  await stopPublishing(db, admin, { reason: 'We look at something' });
  const sent = await browser.post(`/app/posts/${id}/publish`, { from: QUEUE });
  const watched = sent.headers.get('Location')!;
  const page = await browser.read(watched);
  assert.match(page, /http-equiv="refresh"/i);
  assert.ok(page.includes(`/app/posts/${id}/back`) && !page.includes(`confirm-publish=${id}`));
  await browser.post(`/app/posts/${id}/back`, { from: QUEUE });
  assert.match(await read(QUEUE), /The post is planned for \w{3}, \w{3} \d+, \d\d:\d\d\./);
  const after = await findPost(db, actor, id);
  assert.deepEqual([after.isManual, after.dueAt], [false, before.dueAt]);
  assert.deepEqual(after.publishAt, before.publishAt);
});

test('Publish now of a post that is put off past its own time has no way back', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  const id = await sentByHand(actor, 'linkedin.429-day');
  const isOffered = async () => (await browser.read(QUEUE)).includes(`/app/posts/${id}/back`);
  assert.equal(await isOffered(), true);
  await standAs(db, id, { notBefore: later(241 * HOUR) });
  assert.equal(await isOffered(), false);
});

test('Publish now of a post that was never approved is taken back also when it is put off past its own time', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const id = await sentByHand(actor, 'linkedin.429-day', 'pending');
  await standAs(db, id, { notBefore: later(250 * HOUR) });
  const words = await read(QUEUE);
  assert.match(words, /Back to waiting for approval/);
  assert.doesNotMatch(words, /Back to its time/);
  await browser.post(`/app/posts/${id}/back`, { from: QUEUE });
  const after = await read(QUEUE);
  assert.match(after, /The post waits for your approval again/);
  assert.match(after, /Not before \w{3}, \w{3} \d+, \d\d:\d\d\./);
  assert.doesNotMatch(after, /Goes out at|next free time after/);
  assert.equal((await findPost(db, actor, id)).status, 'pending');
});

test('Publish now taken back tells the time that the post has by the settings of now', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const admin = await makeUser(db, { isAdmin: true });
  const [, slot] = slotsAfter(new Date(), await readTimetable(db, actor.userId, new Date()));
  const id = await makeScheduledPost(db, actor, { dueAt: slot!.at });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await browser.post(`/app/posts/${id}/publish`, { from: QUEUE });
  const publishTimes = [new Date(slot!.at.getTime() + 2 * HOUR).toISOString().slice(11, 16)];
  await saveSettings(db, actor, { timeZone: 'UTC', publishTimes, enabled: false }, new Date());
  const before = formatInstant((await findPost(db, actor, id)).publishAt!, 'UTC');
  assert.doesNotMatch(await read(QUEUE), new RegExp(`Back to its time, ${before}`));
  await browser.post(`/app/posts/${id}/back`, { from: QUEUE });
  const words = await read(QUEUE);
  const { publishAt } = await findPost(db, actor, id);
  assert.notEqual(formatInstant(publishAt!, 'UTC'), before);
  assert.match(words, new RegExp(`The post is planned for ${formatInstant(publishAt!, actor.timeZone)}\\.`));
  assert.doesNotMatch(words, /goes out at its/);
});

test('who approves a post while automation is paused reads what is planned, and no promise', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const id = await makeScheduledPost(db, actor, { dueAt: later(48 * HOUR) });
  await standAs(db, id, { status: 'pending' });
  await saveSettings(db, actor, { enabled: false }, new Date());
  await browser.post(`/app/posts/${id}/approve`, { from: QUEUE });
  const words = await read(QUEUE);
  assert.match(words, /Post approved\. It is planned for \w{3}, \w{3} \d+, \d\d:\d\d\./);
  assert.match(words, /Automation is paused/);
  assert.doesNotMatch(words, /goes out at its/);
});

/** What the form of an action says about its post. */
const revisionIn = (html: string, action: string) =>
  new RegExp(`action="${action}".*?name="revision" value="(\\d+)"`).exec(html)![1]!;

test('an old page approves no text that it does not show, and then shows that', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const postId = await makeScheduledPost(db, actor, { content: 'As it was read.', dueAt: later(24 * HOUR) });
  await standAs(db, postId, { status: 'pending' });
  const act = `/app/posts/${postId}/approve`;
  for (const page of [QUEUE, '/app/dashboard']) {
    const revision = revisionIn(await browser.read(page), act);
    await editPost(db, actor, { postId, content: `Written again for ${page}.` });
    const answer = await browser.post(act, { from: page, revision });
    const words = await read(answer.headers.get('Location')!);
    assert.match(words, /This post was changed after you opened this page. Read it again, then approve it/);
    assert.match(words, new RegExp(`Written again for ${page}`));
    assert.equal((await findPost(db, actor, postId)).status, 'pending');
  }
  const opened = await browser.post(act, { from: `${QUEUE}?watch=${postId}`, revision: '0' });
  assert.equal(opened.headers.get('Location'), `${QUEUE}?watch=${postId}&open=${postId}#post-${postId}`);
  await browser.post(act, { from: QUEUE, revision: 'x' });
  assert.match(await read(QUEUE), /This page is out of date. Please open it again/);
  assert.equal((await findPost(db, actor, postId)).status, 'pending');
  await browser.post(act, { from: QUEUE, revision: revisionIn(await browser.read(QUEUE), act) });
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
});

test('Publish now, asked about on a page that shows an older text, sends nothing', async () => {
  const { db } = database;
  for (const page of [QUEUE, '/app/dashboard']) {
    const { actor, browser, read } = await somebody();
    const postId = await makeScheduledPost(db, actor, { content: 'As read.', dueAt: later(24 * HOUR) });
    const act = `/app/posts/${postId}/publish`;
    const html = await browser.read(page);
    const asked = /href="[^"]*(\?[^"]*confirm-publish=[^"#]*)/.exec(html)![1]!.replaceAll('&amp;', '&');
    await editPost(db, actor, { postId, content: 'Read by nobody yet.' });
    const revision = revisionIn(await browser.read(page + asked), act);
    const answer = await browser.post(act, { from: page, revision });
    const words = await read(answer.headers.get('Location')!);
    assert.match(words, /This post was changed after you opened this page. Read it again, then publish it/);
    assert.match(words, /Read by nobody yet/);
    assert.equal((await findPost(db, actor, postId)).isManual, false);
    const now = revisionIn(await browser.read(`${page}?confirm-publish=${postId}`), act);
    await browser.post(act, { from: page, revision: now });
    assert.equal((await findPost(db, actor, postId)).isManual, true);
  }
});

test('who sends a post that LinkedIn has put off reads when it goes out', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const content = `Put off ${actor.userId}`;
  const id = await makeScheduledPost(db, actor, { content, dueAt: later(-1_000) });
  await outside.fault('linkedin.429-day', { match: content, times: 1 });
  await publishPost(db, id);
  const { notBefore } = await findPost(db, actor, id);
  const said = `Your post goes out at ${formatInstant(notBefore!, actor.timeZone)}`;
  const called = await call(
    url,
    'POST',
    `/automation/posts/${id}/publish`,
    undefined,
    await tokenOf(db, actor),
  );
  assert.deepEqual([called.status, called.body.message], [202, said]);
  await browser.post(`/app/posts/${id}/publish`, { from: QUEUE });
  const words = await read(QUEUE);
  assert.ok(words.includes(said), words);
  assert.doesNotMatch(words, /being published/);
});

test('Publish now taken back leaves a post that was not approved waiting for approval', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const admin = await makeUser(db, { isAdmin: true });
  const id = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  await standAs(db, id, { status: 'pending' });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await browser.post(`/app/posts/${id}/publish`, { from: QUEUE });
  await browser.post(`/app/posts/${id}/back`, { from: QUEUE });
  assert.match(await read(QUEUE), /The post waits for your approval again/);
  assert.equal((await findPost(db, actor, id)).status, 'pending');
  await browser.post(`/app/posts/${id}/approve`, { from: QUEUE });
  await browser.post(`/app/posts/${id}/publish`, { from: QUEUE });
  await browser.post(`/app/posts/${id}/back`, { from: QUEUE });
  assert.equal((await findPost(db, actor, id)).status, 'generated', 'it was approved');
});

test('what is on its way, or whose time has passed, cannot go back to its time', async () => {
  const { db } = database;
  const { actor } = await somebody();
  const admin = await makeUser(db, { isAdmin: true });
  const [going, late] = [
    await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) }),
    await makeScheduledPost(db, actor, { dueAt: later(-HOUR) }),
  ];
  const refused = { code: 'not_waiting' };
  await assert.rejects(undoPublishNow(db, actor, going), refused);
  await publishNow(db, actor, going);
  await assert.rejects(undoPublishNow(db, actor, going), refused);
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await publishNow(db, actor, late);
  await assert.rejects(undoPublishNow(db, actor, late), refused);
});

test('without scripts every form of a list opens, is refused and closes at its post', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  const waiting = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  const posted = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  const published = { status: 'published' as const, postedAt: new Date() };
  await standAs(db, posted, published);
  for (const [page, name, id] of [
    [QUEUE, 'edit', waiting],
    ['/app/posts', 'numbers', posted],
  ] as const) {
    const anchor = `#post-${id}`;
    assert.ok((await browser.read(page)).includes(`?${name}=${id}${anchor}"`), `${name} opens`);
    const form = await browser.read(`${page}?${name}=${id}`);
    assert.ok(form.includes(`action="${page}?${name}=${id}${anchor}"`), `${name} is sent`);
    assert.ok(form.includes(`href="${page}${anchor}"`), `${name} is left`);
  }
});

test('numbers are read as LinkedIn writes them', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const id = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  const published = { status: 'published' as const, postedAt: new Date() };
  await standAs(db, id, published);
  const page = `/app/posts?numbers=${id}`;
  const typed = { likes: '1,204', comments: '1 031', impressions: '1,20,400' };
  assert.equal((await browser.post(page, typed)).status, 302);
  assert.match(await read('/app/posts'), /1,204 likes · 1,031 comments · 120,400 impressions/);
  for (const likes of ['1,2', '1.204', ',', '1,,204', '-1,204']) {
    assert.equal((await browser.post(page, { likes })).status, 422, likes);
  }
});

test('without LinkedIn the question before publishing quotes the post and leads straight to consent', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  const id = await makeScheduledPost(db, actor, { content: 'Words of its own.', dueAt: later(24 * HOUR) });
  const page = await browser.read(`${QUEUE}?confirm-publish=${id}`);
  const dialog = /<dialog[^>]*class="dialog"[\s\S]*?<\/dialog>/.exec(page)![0];
  assert.match(wordsOf(dialog), /“Words of its own\.”/);
  assert.match(wordsOf(dialog), /It keeps its place in the queue/);
  assert.match(dialog, /<form[^>]*action="\/app\/linkedin\/connect"/);
});

test('a card of the history says when its post was made, goes out or went out, and leads to LinkedIn', async () => {
  const { db } = database;
  const { actor, browser, read } = await somebody();
  const id = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  assert.match(
    await read('/app/posts'),
    /Created \w{3} \d\d, \d{4} .*Publishes at \w{3}, \w{3} \d+, \d\d:\d\d/,
  );
  const published = { status: 'published' as const, postedAt: new Date() };
  await standAs(db, id, published);
  await takeOut(db, id);
  assert.match(await read('/app/posts'), /Published \w{3} \d\d, \d{4}, \d\d:\d\d/);
  assert.match(await browser.read('/app/posts'), /recent-activity\/all\/"[\s\S]{0,700}Look at your profile/);
});

test('a post that waits for approval is promised for no time', async () => {
  const { db } = database;
  const { actor, read } = await somebody();
  const id = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  await standAs(db, id, { status: 'pending' });
  for (const page of [QUEUE, '/app/posts']) {
    const words = await read(page);
    const said = page === '/app/posts' ? '' : ' once you approve it';
    assert.match(words, new RegExp(`Planned for \\w{3}, \\w{3} \\d+, \\d\\d:\\d\\d${said}`), page);
    assert.doesNotMatch(words, /Publishes at/, page);
  }
  const dashboard = await read('/app/dashboard');
  assert.match(dashboard, /Needs your approval by tomorrow \d\d:\d\d, else it moves to your next free time/);
  assert.doesNotMatch(dashboard, /Publishes at/);
  assert.match(await read(QUEUE), /Needs your approval by .*\d\d:\d\d, else it moves to .*\d\d:\d\d/);
  await saveSettings(db, actor, { enabled: false });
  assert.doesNotMatch(await read(QUEUE), /Needs your approval by/, 'nothing is set aside while nothing goes');
});

test('of posts that are late the first goes out shortly, and the next says when its turn comes', async () => {
  const { actor, read } = await somebody();
  for (const minutes of [20, 10]) {
    await makeScheduledPost(database.db, actor, { dueAt: later((-minutes / 60) * HOUR) });
  }
  const words = await read(QUEUE);
  assert.match(words, /Goes out shortly, planned for \w{3}, .*Waits its turn.*: goes out about /);
  assert.doesNotMatch(words, /Was due at|Publishing…|Publishes at/);
  assert.match(await read('/app/dashboard'), /Waits its turn: goes out about/);
});

test('the dashboard promises no time for what was sent by hand during a stop', async () => {
  const { db } = database;
  const { actor, read } = await somebody();
  await publishNow(db, actor, await makeScheduledPost(db, actor, { dueAt: later(3 * HOUR) }));
  await db.updateTable('publishingEpoch').set({ server: '' }).execute();
  const words = await read('/app/dashboard');
  assert.match(words, /Waits until publishing goes on\./);
  assert.doesNotMatch(words, /Goes out/);
});

/** How often the zone is named before the settings, which name theirs. */
const timesNamed = (html: string) => html.split('Automation Settings')[0]!.match(/Times in/g)!.length;

test('the dashboard says of its latest posts what their cards say, in a zone that it names', async () => {
  const { db } = database;
  const { actor, read } = await somebody();
  await makeTopic(db, actor);
  const posted = await makeScheduledPost(db, actor, { dueAt: later(-120 * HOUR) });
  const published = { status: 'published' as const, postedAt: later(-120 * HOUR) };
  await standAs(db, posted, published);
  await takeOut(db, posted);
  assert.match(await read('/app/dashboard'), /Likes, comments and shares: not available/);
  const typed = { likes: 1, comments: 1_204, enteredAt: new Date() };
  await db
    .insertInto('engagements')
    .values({ postId: posted, userId: actor.userId, ...typed })
    .execute();
  // The first of them stands above, as what goes out next.
  for (const days of [3, 4]) await makeScheduledPost(db, actor, { dueAt: later(days * 24 * HOUR) });
  const missed = await makeScheduledPost(db, actor, { dueAt: later(-48 * HOUR) });
  await standAs(db, missed, { heldAt: new Date() });
  const well = await read('/app/dashboard');
  assert.match(well, /1 like · 1,204 comments/);
  assert.doesNotMatch(well, /not available/);
  assert.match(well, /Publishes at \w{3}, .*Was due at|Was due at \w{3}, .*Publishes at/);
  assert.equal(timesNamed(well), 1);

  await setConnection(db, actor, { status: 'expired' });
  const lost = await read('/app/dashboard');
  assert.match(lost, /Planned for/);
  assert.match(lost, /Was due at/);
  assert.doesNotMatch(lost, /Publishes at/);
  assert.equal(timesNamed(lost), 1);
});

test('the history says why the posts that wait are planned only, and nothing where none waits', async () => {
  const { db } = database;
  const { actor, read } = await somebody();
  const id = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  const admin = await makeUser(db, { isAdmin: true });
  await stopPublishing(db, admin, { reason: 'We look at something' });
  const paused = await read('/app/posts');
  const published = { status: 'published' as const, postedAt: new Date() };
  await standAs(db, id, published);
  await takeOut(db, id);
  const without = await read('/app/posts');
  assert.match(paused, /Publishing is paused: We look at something\. .*Planned for/);
  assert.doesNotMatch(without, /Publishing is paused/);
});

test('a post that LinkedIn did not allow is mended by connecting again, and by nothing else', async () => {
  const { actor, read } = await somebody();
  await sentByHand(actor, 'linkedin.403-scope');
  const words = await read('/app/posts');
  assert.match(words, /Connect LinkedIn again and allow posting\. It is not on LinkedIn\. Connect again/);
  assert.doesNotMatch(words, /Connect LinkedIn “|Retry “/);
});
