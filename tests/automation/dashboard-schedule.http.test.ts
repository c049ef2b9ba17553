import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { listPosts } from '#app/domain/posts/lists/list.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection, setConnection } from '#tests/fixtures/linkedin.ts';
import { endPlanAt, makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, standAs, takeOut } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

const tomorrow = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
const at = (time: string) => new Date(`${tomorrow}T${time}:00Z`);

/** Somebody in UTC with slots at 09:00, 14:00 and 18:00. No call is made. */
async function owner(): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, actor, 3);
  await makeTopic(db, actor);
  await saveSettings(db, actor, { publishTimes: ['09:00', '14:00', '18:00'] });
  await makeConnection(db, actor);
  return actor;
}

/** What stands before each other in the page. */
const order = (html: string, ...words: string[]) => {
  const places = words.map((word) => html.indexOf(word));
  assert.ok(!places.includes(-1), `${words[places.indexOf(-1)]} is not there`);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    words.join(', '),
  );
};

/** Tomorrow's post stands in its second slot, and the first and the third are open. */
async function withPost(content: string) {
  const actor = await owner();
  const id = await makeScheduledPost(db, actor, { content, dueAt: at('14:00') });
  await db.updateTable('posts').set({ slotNumber: 2 }).where('id', '=', id).execute();
  return { actor, id, browser: await browserOf(db, actor, origin) };
}

test('open slots stand between the posts of the queue, each with its own "Fill it"', async () => {
  const { browser } = await withPost('Two hours on Friday.');
  const html = await browser.read('/app/scheduled');
  order(html, `value="${tomorrow} 1"`, 'Two hours on Friday.', `value="${tomorrow} 3"`);
  assert.ok(!html.includes(`value="${tomorrow} 2"`));
});

test('the dashboard opens with what goes out next, and shows tomorrow by its slots', async () => {
  const { browser, id } = await withPost('Two hours on Friday.');
  const html = await browser.read('/app/dashboard');
  order(
    html,
    'Next out',
    `?confirm-publish=${id}`,
    `/app/posts/${id}/skip`,
    'Today&#x27;s Schedule',
    '>Tomorrow</h2>',
  );
  order(html, `value="${tomorrow} 1"`, `slot-${id}`, `value="${tomorrow} 3"`);
  order(await browser.read(`/app/dashboard?confirm-publish=${id}`), 'Publish this post now?');
});

test('a row of the day approves no text that was changed since, and why stands on the page', async () => {
  const { browser, actor } = await withPost('Two hours on Friday.');
  const slot = { slotDate: tomorrow, slotNumber: 3 };
  const postId = await makeScheduledPost(db, actor, { content: 'The later one.', dueAt: at('18:00'), slot });
  await standAs(db, postId, { status: 'pending' });
  const html = mainOf(await browser.read('/app/dashboard'));
  assert.match(html, new RegExp(`action="/app/posts/${postId}/approve".*?name="revision" value="0"`));
  await editPost(db, actor, { postId, content: 'Read by nobody yet.' });
  await browser.post(`/app/posts/${postId}/approve`, { from: '/app/dashboard', revision: '0' });
  const after = mainOf(await browser.read('/app/dashboard'));
  order(after, 'This post was changed after you opened this page', 'Read by nobody yet.');
});

test('who has lost LinkedIn keeps the day and the settings, without a promise', async () => {
  const { browser, actor } = await withPost('Two hours on Friday.');
  await setConnection(db, actor, { status: 'expired' });
  const html = await browser.read('/app/dashboard');
  order(
    html,
    'LinkedIn is no longer connected',
    'Held until LinkedIn is connected: 3 posts a day',
    'Next in line',
    'Waits until LinkedIn is connected again.',
    'Today&#x27;s Schedule',
    'Change settings',
  );
  assert.ok(!html.includes('Quick Setup') && !html.includes('Publishes at'));
});

test('who has a plan and posts but never connected LinkedIn reads why they are held', async () => {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, actor, 3);
  await makeTopic(db, actor);
  await makeScheduledPost(db, actor, { content: 'Two hours on Friday.', dueAt: at('14:00') });
  const html = await (await browserOf(db, actor, origin)).read('/app/dashboard');
  order(html, 'Held until LinkedIn is connected: 3 posts a day', 'Two hours on Friday.');
});

test('"Skip" on the dashboard opens the slot, and says where the post is', async () => {
  const { browser, actor, id } = await withPost('Two hours on Friday.');
  await browser.post(`/app/posts/${id}/skip`, { from: '/app/dashboard' });
  const html = await browser.read('/app/dashboard');
  assert.ok(html.includes('You skipped the post'), 'no notice');
  order(html, `value="${tomorrow} 1"`, `value="${tomorrow} 2"`, `value="${tomorrow} 3"`);
  assert.equal((await listPosts(db, actor, PageQuery.parse({}))).rows[0]!.failure, 'skipped');
});

test('posts that are being written for the next free slots have the soonest, which nobody fills meanwhile', async () => {
  const { browser, actor } = await withPost('Two hours on Friday.');
  const fills = (html: string) => html.match(/value="\d{4}-\d\d-\d\d \d"/g) ?? [];
  const comes = (html: string) => html.match(/A post for this time is being written/g)?.length ?? 0;
  const pages = ['/app/dashboard', '/app/scheduled'];
  const before = await Promise.all(pages.map(async (page) => fills(mainOf(await browser.read(page)))));
  const run = {
    userId: actor.userId,
    status: 'running' as const,
    requested: 3,
    done: 1,
    createdAt: new Date(),
  };
  const { id } = await db.insertInto('generationRuns').values(run).returning('id').executeTakeFirstOrThrow();
  for (const [nth, page] of pages.entries()) {
    const html = mainOf(await browser.read(page));
    assert.deepEqual([comes(html), fills(html)], [2, before[nth]!.slice(2)], page);
  }
  await db.updateTable('generationRuns').set({ scheduledFor: new Date() }).where('id', '=', id).execute();
  for (const page of pages)
    assert.equal(comes(mainOf(await browser.read(page))), 0, 'it has slots of its own');
});

test('what went out today stands in the day, with its link', async () => {
  const { browser, actor } = await withPost('Two hours on Friday.');
  const posted = new Date(Date.now() - 1_000);
  const out = await makeScheduledPost(db, actor, { content: 'It is out.', dueAt: posted });
  await takeOut(db, out);
  await standAs(db, out, { status: 'published', postedAt: posted, networkUrn: 'urn:li:share:7001' });
  const html = await browser.read('/app/dashboard');
  order(html, `slot-${out}`, 'It is out.', 'feed/update/urn:li:share:7001');
});

/** What stands below a heading of the dashboard, until the next heading. */
const below = (html: string, heading: string) => html.split(`>${heading}</h2>`)[1]!.split('</h2>')[0]!;

test('the latest posts are those that stand nowhere above, also behind many of today and tomorrow', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const later = await makeScheduledPost(db, actor, { content: 'A post of next week.', dueAt: inDays(6) });
  const out = await makeScheduledPost(db, actor, { content: 'A post of last week.', dueAt: inDays(-6) });
  await takeOut(db, out);
  await standAs(db, out, { status: 'published', postedAt: inDays(-6), networkUrn: 'urn:li:share:7002' });
  await db
    .updateTable('posts')
    .set({ createdAt: inDays(-7) })
    .where('id', 'in', [later, out])
    .execute();
  for (const time of ['09:00', '14:00', '18:00']) await makeScheduledPost(db, actor, { dueAt: at(time) });
  const recent = below(await browser.read('/app/dashboard'), 'Recent Posts');
  assert.ok(recent.includes('A post of next week.') && recent.includes('A post of last week.'));
  assert.ok(recent.includes('feed/update/urn:li:share:7002'));
  assert.ok(!recent.includes('A plan that fits on a postcard'));
  assert.equal(recent.match(/not available/g)?.length, 1);
});

test('who has no posts of other days is told where they stand', async () => {
  const { browser } = await withPost('Two hours on Friday.');
  const recent = below(await browser.read('/app/dashboard'), 'Recent Posts');
  assert.match(recent, /Your posts stand above\. Those of other days follow here\./);
});

test('how it works is open for newcomers, and closed once there are posts', async () => {
  const howOf = (html: string) => /<details[^>]*>(?=<summary[^>]*><h2[^>]*>How It Works)/.exec(html)![0];
  const newcomer = await browserOf(db, await makeUser(db), origin);
  assert.match(howOf(await newcomer.read('/app/dashboard')), / open=""/);
  const { browser } = await withPost('Two hours on Friday.');
  assert.doesNotMatch(howOf(await browser.read('/app/dashboard')), / open/);
});

test('no page promises a post or a time after the plan, unless it is renewed', async () => {
  const { browser, actor, id } = await withPost('Two hours on Friday.');
  await endPlanAt(db, actor, at('12:00'));
  const queue = mainOf(await browser.read('/app/scheduled'));
  order(queue, `value="${tomorrow} 1"`, 'After your plan ends', 'Planned for');
  assert.ok(!queue.includes('Publishes at') && !queue.includes(`value="${tomorrow} 3"`));
  const open = wordsOf(mainOf(await browser.read(`/app/scheduled?open=${id}`)));
  assert.ok(open.includes('renew it before then, and the post can go out at its time.'), open);
  const day = mainOf(await browser.read('/app/dashboard'));
  order(day, 'Next in line', 'Your plan ends before its time.', `value="${tomorrow} 1"`);
  order(day, `slot-${id}`, 'After your plan ends: renew it', 'Your plan ends before this time.');
  assert.ok(!day.includes('Next out') && !day.includes(`value="${tomorrow} 3"`));
  const moved = await browser.read(`/app/scheduled?move=${id}`);
  assert.ok(moved.includes(`value="${tomorrow} 1"`) && !moved.includes(`value="${tomorrow} 3"`));
  await makePlan(db, actor, 4, new Date(), { upgradeType: 'next_billing' });
  order(await browser.read('/app/dashboard'), 'Next out', `value="${tomorrow} 3"`);
  order(await browser.read('/app/scheduled'), 'Publishes at', `value="${tomorrow} 3"`);
});

test('a post that waits for approval is not said to move or lapse after the plan', async () => {
  const { browser, actor, id } = await withPost('Two hours on Friday.');
  await standAs(db, id, { status: 'pending', needsApproval: true });
  assert.ok(wordsOf(await browser.read('/app/scheduled')).includes('Needs your approval by'));
  await endPlanAt(db, actor, at('12:00'));
  const words = wordsOf(await browser.read('/app/scheduled'));
  assert.ok(!words.includes('Needs your approval by') && words.includes('After your plan ends'), words);
  assert.match(words, /it waits for you\. Renew your plan before then and approve the post/);
});
