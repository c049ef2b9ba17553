import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { passTurn, takeTurn } from '#app/domain/topics/turns.ts';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { startOutside } from '#tests/make/outside.ts';
import { makePublisher, makeScheduledPost, makeTopic, readPost } from '#tests/make/posts.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';

const outside = await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

test('without scripts the form of a topic says whether its posts wait, and covers those that do', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const { id, name } = await makeTopic(db, actor);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
  await db.updateTable('posts').set({ topicId: id }).where('id', '=', postId).execute();
  const browser = await browserOf(db, actor, url);
  const form = `/app/topics?edit=${id}`;
  const chosen = async () => {
    const page = await browser.read(form);
    return [...page.matchAll(/<option[^>]* selected=""[^>]*>([^<]*)/g)].at(-1)![1];
  };
  assert.equal(await chosen(), 'As in my settings');
  const bad = await browser.post(form, { name, approval: 'never' });
  assert.match(await bad.text(), /Please choose from the list whether its posts wait for you/);
  assert.equal((await readPost(db, postId)).status, 'generated');
  assert.equal((await browser.post(form, { name, approval: 'approve' })).status, 302);
  assert.equal((await readPost(db, postId)).status, 'pending');
  assert.equal(await chosen(), 'Ask me before each post');
  assert.match(await browser.read('/app/topics'), /Ask me before each post/);
});

test('a topic says when it had its last turn, on the day of its owner', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  await db.updateTable('users').set({ timeZone: 'Asia/Tokyo' }).where('id', '=', actor.userId).execute();
  const { id } = await makeTopic(db, actor);
  const browser = await browserOf(db, actor, url);
  assert.match(await browser.read('/app/topics'), /Not written yet/);
  await transact(db, (trx) => takeTurn(trx, id, new Date('2026-03-09T20:00:00Z')));
  assert.match(await browser.read('/app/topics'), /Last written Mar 10, 2026/);
});

test('a topic that failed says why, and one that is paused has its turns again after one press', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const { id } = await makeTopic(db, actor, 'Quiet launches');
  const browser = await browserOf(db, actor, url);
  const fail = () =>
    transact(db, (trx) => passTurn(trx, id, 'the writer declined to write about it', new Date()));
  await fail();
  const once = await browser.read('/app/topics');
  assert.match(once, /Not written the last time: (<!-- -->)?the writer declined to write about it/);
  assert.doesNotMatch(once, /Resume/);
  await fail();
  await fail();
  const page = await browser.read('/app/topics');
  assert.match(page, /It could not be written 3 times in a row\. The last time: the writer declined/);
  assert.match(page, />Paused</);
  const dashboard = await browser.read('/app/dashboard');
  assert.match(dashboard, /Every active topic is paused/);
  assert.match(dashboard, /<a[^>]*href="\/app\/topics"[^>]*>Open Topics</);
  assert.doesNotMatch(dashboard, /Topics take turns/);
  assert.equal((await browser.post(`/app/topics/${id}/resume`, {})).status, 302);
  assert.match(await browser.read('/app/topics'), /“Quiet launches” has its turns again/);
  assert.doesNotMatch(await browser.read('/app/topics'), />Resume/);
  const after = await browser.read('/app/dashboard');
  assert.doesNotMatch(after, /Every active topic is paused/);
  assert.match(after, /Topics take turns/);
});

test('nobody resumes the topic of somebody else', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const other = await makePublisher(db, outside.url);
  const { id } = await makeTopic(db, actor);
  for (let nth = 0; nth < 3; nth++) await transact(db, (trx) => passTurn(trx, id, 'no', new Date()));
  await (await browserOf(db, other, url)).post(`/app/topics/${id}/resume`, {});
  assert.equal((await findTopic(db, actor, id)).isPaused, true);
});

test('more topics than a page has are on the next ones, and each is edited where it stands', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  for (let at = 1; at <= 62; at += 1) await makeTopic(db, actor, `Topic number ${at}.`);
  const browser = await browserOf(db, actor, url);
  const first = await browser.read('/app/topics');
  assert.match(first, /Topic number 62\./);
  assert.doesNotMatch(first, />Topic number 2\./);
  const [address] = /\?cursor=[\w%-]+/.exec(first)!;
  const second = await browser.read(`/app/topics${address}`);
  assert.match(second, /Topic number 2\./);
  assert.match(second, /Newest topics/);
  assert.match(second, /\?cursor=[^"&]+&(?:amp;)?edit=/, 'its dialogs stay on the page');
  assert.match(await browser.read('/app/topics?cursor=nonsense'), /This list cannot go on from there/);
});

test('a post about a topic is written at once from its card', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const { id } = await makeTopic(db, actor, 'Quiet launches');
  const browser = await browserOf(db, actor, url);
  assert.match(await browser.read('/app/topics'), /Write one now/);
  assert.equal((await browser.post('/app/generate', { topicId: id, count: '1' })).status, 302);
  const run = await db
    .selectFrom('runs')
    .selectAll()
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  assert.deepEqual([run.topicId, run.requested], [id, 1]);
});
