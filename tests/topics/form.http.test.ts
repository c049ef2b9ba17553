import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { recordFailedTurn, recordTurn } from '#app/domain/topics/turns.ts';
import { failureSentence } from '#app/domain/writing/generate/bad-outputs.ts';
import { findNextTurns } from '#app/domain/writing/runs/upcoming-topics.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import {
  failTopic,
  makePublisher,
  makeScheduledPost,
  makeTopic,
  readPost,
  standAs,
  takeOut,
} from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { mainOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

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

test('a form of a topic that is sent twice makes one, another topic is another', async () => {
  const actor = await makeUser(database.db);
  const browser = await browserOf(database.db, actor, url);
  const page = await browser.read('/app/topics?dialog=topic');
  const key = /name="key" value="([^"]+)"/.exec(page)![1]!;
  const typed = {
    name: 'Tides',
    description: 'd',
    keywords: 'a, b',
    tone: 'casual',
    approval: 'publish',
    key,
  };
  const send = (more = {}) => browser.post('/app/topics?dialog=topic', { ...typed, ...more });
  const places = await Promise.all(Array.from({ length: 12 }, () => send()));
  const [to, ...others] = new Set(places.map(({ headers }) => headers.get('Location')));
  assert.match(to!, /#topic-/);
  assert.deepEqual(others, []);
  for (const more of [
    { key: crypto.randomUUID() },
    { description: '' },
    { keywords: 'a' },
    { tone: 'humorous' },
    { approval: 'approve' },
  ]) {
    assert.notEqual((await send(more)).headers.get('Location'), to);
  }
});

test('a topic says when it had its last turn, on the day of its owner', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  await db.updateTable('users').set({ timeZone: 'Asia/Tokyo' }).where('id', '=', actor.userId).execute();
  const { id } = await makeTopic(db, actor);
  const browser = await browserOf(db, actor, url);
  assert.match(await browser.read('/app/topics'), /Not written yet/);
  await transact(db, (trx) =>
    recordTurn(trx, { id, userId: actor.userId }, new Date('2026-03-09T20:00:00Z')),
  );
  assert.match(await browser.read('/app/topics'), /Last written Mar 10, 2026/);
});

test('a topic that failed says why, and one that is paused has its turns again after one press', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const { id } = await makeTopic(db, actor, 'Quiet launches');
  const browser = await browserOf(db, actor, url);
  const fail = () =>
    transact(db, (trx) => recordFailedTurn(trx, id, 'the writer declined to write about it', new Date()));
  await fail();
  const once = await browser.read('/app/topics');
  assert.match(once, /Not written the last time: (<!-- -->)?the writer declined to write about it/);
  assert.doesNotMatch(once, /Resume/);
  await fail();
  await fail();
  const page = await browser.read('/app/topics');
  assert.match(page, /It could not be written 3 times in a row\. The last time: the writer declined/);
  assert.match(page, />Paused</);
  const over = { status: 'complete', requested: 1, failed: 1, finishedAt: new Date() } as const;
  const run = { userId: actor.userId, topicId: id, isForTopic: true, ...over };
  const said = async (error: string) => {
    const { id: runId } = await db
      .insertInto('generationRuns')
      .values({ ...run, error })
      .returning('id')
      .executeTakeFirstOrThrow();
    const times = mainOf(await browser.read('/app/topics')).match(/the writer declined/g)!.length;
    await db.deleteFrom('generationRuns').where('id', '=', runId).execute();
    return times;
  };
  const because = { problem: 'the writer declined to write about it', cause: 'subject' } as const;
  assert.equal(
    await said(failureSentence('Quiet launches', because)),
    await said('The writer was not available'),
  );
  const form = (await browser.read(`/app/topics?edit=${id}`)).replaceAll('<!-- -->', '');
  assert.match(
    form,
    /It is paused\. The last time: the writer declined.*Save what you change here, then press Resume/s,
  );
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
  await failTopic(db, id);
  await (await browserOf(db, other, url)).post(`/app/topics/${id}/resume`, {});
  assert.equal((await findTopic(db, actor, id)).isPaused, true);
});

test('without scripts a topic is paused until a day, says so, and is resumed', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  await db
    .updateTable('users')
    .set({ timeZone: 'Pacific/Auckland' })
    .where('id', '=', actor.userId)
    .execute();
  const { id } = await makeTopic(db, actor, 'Quiet launches');
  const browser = await browserOf(db, actor, url);
  const form = `/app/topics?pause=${id}`;
  const today = Temporal.Now.plainDateISO('Pacific/Auckland');
  const page = await browser.read(form);
  assert.ok(
    page.includes(`min="${today.add({ days: 1 })}"`) && page.includes(`max="${today.add({ months: 12 })}"`),
  );
  for (const [until, sentence] of [
    ['', /Please give a date as YYYY-MM-DD/],
    ['30.11.2026', /Please give a date as YYYY-MM-DD/],
    [today.toString(), /Please choose a day from tomorrow on/],
    [today.add({ months: 13 }).toString(), /Please choose a day within the next (<!-- -->)?12/],
  ] as const) {
    const bad = await browser.post(form, { until });
    assert.match(await bad.text(), sentence);
    assert.equal((await findTopic(db, actor, id)).isPaused, false);
  }
  const day = today.add({ days: 9 });
  const good = await browser.post(form, { until: day.toString() });
  assert.equal(good.headers.get('Location'), `/app/topics#topic-${id}`);
  const paused = await browser.read('/app/topics');
  const shown = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: '2-digit' });
  const words = shown.format(new Date(`${day}T12:00:00Z`));
  assert.match(paused, new RegExp(`Paused until <time[^>]*>${words}(?:, \\d{4})?</time>`));
  assert.match(paused, /Next turn/);
  const from = `/app/topics#topic-${id}`;
  const resumed = await browser.post(`/app/topics/${id}/resume`, { from });
  assert.equal(resumed.headers.get('Location'), from);
  assert.doesNotMatch(await browser.read('/app/topics'), /Paused until <time/);
});

test('a card says when its topic is written about next, or the page why nothing is', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const { id } = await makeTopic(db, actor, 'Quiet launches');
  const browser = await browserOf(db, actor, url);
  const slot = (await findNextTurns(db, actor)).slots.get(id)!;
  const next = new RegExp(`Next turn <time dateTime="${slot.at.toISOString()}"`);
  assert.match(await browser.read('/app/topics'), next);
  await saveSettings(db, actor, { enabled: false });
  const off = await browser.read('/app/topics');
  assert.match(off, /No topic has a turn by itself until automation is on again/);
  assert.doesNotMatch(off, /Next turn/);
  const free = await makeUser(db, {});
  await makeTopic(db, free);
  const page = await (await browserOf(db, free, url)).read('/app/topics');
  const words = page.replaceAll('<!-- -->', '');
  assert.match(words, /Without a plan no topic has a turn by itself\. “Write one now” uses up a free post/);
});

test('who deactivates or deletes a topic is told what becomes of its posts that wait', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const { id } = await makeTopic(db, actor, 'Quiet launches');
  const browser = await browserOf(db, actor, url);
  const ask = async (what: string) =>
    (await browser.read(`/app/topics?${what}=${id}`)).replaceAll('<!-- -->', '');
  assert.match(await ask('confirm-deactivate'), /No post about it is waiting/);
  const ids: string[] = [];
  for (const days of [1, 2, 3, 4]) {
    const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + days * 86_400_000) });
    await db.updateTable('posts').set({ topicId: id }).where('id', '=', postId).execute();
    ids.push(postId);
  }
  await standAs(db, ids[0]!, { status: 'published', postedAt: new Date() });
  await takeOut(db, ids[0]!);
  await standAs(db, ids[1]!, { status: 'pending' });
  const asked = await ask('confirm-deactivate');
  assert.match(
    asked,
    /3 posts about it are written and waiting, 1 of them for your approval\. They keep their times/,
  );
  const before = await Promise.all(ids.map((postId) => readPost(db, postId)));
  await browser.post(`/app/topics/${id}/toggle`, {});
  assert.deepEqual(await Promise.all(ids.map((postId) => readPost(db, postId))), before, 'and so it is');
  await db.updateTable('topics').set({ approval: 'publish' }).where('id', '=', id).execute();
  assert.match(await ask('confirm-delete'), /Whether posts wait for you is then up to your settings/);
});

test('a topic further back keeps its page with all that is done to it, and a link from a mail finds it', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const values = Array.from({ length: 63 }, (_, nth) => ({
    userId: actor.userId,
    name: `Topic number ${nth + 1}.`,
    keywords: [],
    createdAt: new Date(Date.now() - (63 - nth) * 60_000),
  }));
  const rows = await db.insertInto('topics').values(values).returning(['id', 'name']).execute();
  const [last, middle, third] = [1, 2, 3].map(
    (number) => rows.find(({ name }) => name === `Topic number ${number}.`)!.id,
  ) as [string, string, string];
  const browser = await browserOf(db, actor, url);
  const found = await browser.get(`/app/topics?edit=${third}`);
  const address = found.headers.get('Location')!;
  assert.match(address, /^\/app\/topics\?cursor=[\w-]+&edit=/);
  assert.match(await browser.read(address), /Edit topic/);
  const [cursor] = /cursor=[\w-]+/.exec(address)!;
  const second = `/app/topics?${cursor}`;
  const at = `${second}#topic-${third}`;
  const saved = await browser.post(address, { name: 'Said otherwise' });
  assert.equal(saved.headers.get('Location'), at);
  const page = await browser.read(second);
  assert.match(page, /Said otherwise/);
  const asks = new RegExp(
    `name="cursor" value="${cursor.slice('cursor='.length)}"[^>]*/><button[^>]*value="${third}"`,
  );
  assert.match(page, asks, 'the switch asks on this page');
  assert.ok(page.includes(`name="from" value="${at}"`), 'writing one leads back to it');
  const acts = [
    `/app/topics?${cursor}&pause=${third}`,
    `/app/topics/${third}/resume`,
    `/app/topics/${third}/toggle`,
  ];
  const bodies: Record<string, string>[] = [
    { until: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10) },
    { from: at },
    { from: at },
  ];
  for (const [nth, act] of acts.entries()) {
    assert.equal((await browser.post(act, bodies[nth]!)).headers.get('Location'), at, act);
  }
  for (const gone of [third, middle, last]) {
    const answer = await browser.post(`/app/topics/${gone}/delete`, { from: second });
    assert.equal(answer.headers.get('Location'), second);
  }
  assert.equal((await browser.get(second)).headers.get('Location'), '/app/topics', 'an empty page is none');
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

test('a post about a topic is written at once from its card, which says what becomes of it', async () => {
  const { db } = database;
  const actor = await makeUser(db, {});
  const { id } = await makeTopic(db, actor, 'Quiet launches');
  const browser = await browserOf(db, actor, url);
  const from = `/app/topics#topic-${id}`;
  const write = () => browser.post('/app/generate', { topicId: id, count: '1', from });
  const read = async () => (await browser.read('/app/topics')).replaceAll('<!-- -->', '');
  assert.match(await read(), /Write one now/);
  assert.equal((await write()).headers.get('Location'), from);
  const writing = await read();
  assert.match(writing, /A post about it is being written/);
  assert.match(writing, new RegExp(`<meta http-equiv="refresh" content="3; url=\\?turn=1#topic-${id}"`, 'i'));
  assert.doesNotMatch(writing, /Write one now<span/);
  assert.doesNotMatch(
    await browser.read(`/app/topics?edit=${id}`),
    /http-equiv="refresh"/i,
    'nobody who types is disturbed',
  );
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  assert.deepEqual([run.topicId, run.requested], [id, 1]);
  await writeWhole(db, run.id);
  const post = await db
    .selectFrom('posts')
    .select('id')
    .where('runId', '=', run.id)
    .executeTakeFirstOrThrow();
  const written = await read();
  assert.match(written, /A post about it is written\./);
  assert.ok(written.includes(`href="/app/posts/${post.id}"`));
  assert.match(written, /uses up a free post/);
  await db
    .updateTable('generationRuns')
    .set({ error: 'A post about "Quiet launches" was not good enough: it says nothing' })
    .execute();
  await db.updateTable('posts').set({ deletedAt: new Date() }).where('id', '=', post.id).execute();
  assert.match(await read(), /was not good enough: it says nothing\./);
  await db
    .updateTable('generationRuns')
    .set({ finishedAt: new Date(Date.now() - 16 * 60_000) })
    .execute();
  assert.doesNotMatch(await read(), /was not good enough/);
  await db.insertInto('generationRuns').values({ userId: actor.userId, requested: 3 }).execute();
  const used = await read();
  assert.doesNotMatch(used, /uses up a free post/);
  assert.doesNotMatch(used, /Write one now<span/, 'it would be refused');
  assert.equal((await write()).headers.get('Location'), from);
  const refused = await read();
  const card = refused.slice(refused.indexOf(`id="topic-${id}"`));
  assert.match(card, /banner-danger.*Without a plan 3 posts a month are free, and none is left/s);
});
