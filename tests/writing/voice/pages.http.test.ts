import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { addFact, listFacts, recordFactUses } from '#app/domain/voice/fact-list.ts';
import { FACT_MAX, INTERVIEW } from '#app/domain/voice/limits.ts';
import { addExample, findVoice, listExamples } from '#app/domain/voice/voice.ts';
import { storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function somebody() {
  const actor = await makeUser(database.db);
  return { actor, browser: await browserOf(database.db, actor, url) };
}

const read = async (browser: Browser, path: string) => wordsOf(mainOf(await browser.read(path)));
const factsOf = async (actor: Actor) => (await listFacts(database.db, actor, { limit: 100 })).rows;
const OWN = `On Tuesdays I walk the site with the crew.\n\n${'Whoever found the fault shows it with a hand on the wall. '.repeat(3)}`;

test('the pages of the voice stand under the topics in the menu, which lead to them', async () => {
  const { browser } = await somebody();
  for (const path of ['/app/voice', '/app/voice/facts', '/app/voice/interview']) {
    const links = (await browser.read(path)).match(/<a\b[^>]*aria-current="page"[^>]*>/g) ?? [];
    const places = links.map((link) => /href="([^"]*)"/.exec(link)![1]);
    assert.deepEqual(
      places.filter((place) => !place!.includes('/voice')),
      ['/app/topics', '/app/topics'],
      path,
    );
  }
});

test('without scripts the voice is saved, refused beside its field, and shown as text', async () => {
  const { actor, browser } = await somebody();
  assert.match(await read(browser, '/app/topics'), /Fill in your voice/);
  const voice = {
    headline: 'Foreman <b>& father</b>',
    audience: 'قراء البناء',
    voiceNotes: 'Short.\nDry.',
    wordsToUse: 'crew, wall',
    wordsToAvoid: 'leverage',
    language: 'de',
    hasEmoji: 'on',
  };
  const saved = await browser.post('/app/voice', voice);
  assert.deepEqual([saved.status, saved.headers.get('Location')], [302, '/app/voice']);
  const page = await browser.read('/app/voice');
  assert.match(page, /value="Foreman &lt;b&gt;&amp; father&lt;\/b&gt;"/);
  assert.match(page, /<option value="de" selected="">/);
  assert.match(page, /<input(?=[^>]*name="hasEmoji")(?=[^>]*checked="")[^>]*value="on"/);
  assert.match(
    await read(browser, '/app/topics'),
    /Foreman &lt;b&gt;&amp; father&lt;\/b&gt; · for قراء البناء · Deutsch/,
  );
  const long = await browser.post('/app/voice', { ...voice, headline: 'x'.repeat(10_000) });
  assert.equal(long.status, 422);
  const refused = await long.text();
  assert.match(refused, /The headline can have at most 200 characters/);
  assert.ok(refused.includes('x'.repeat(10_000)));
  assert.doesNotMatch(
    /<input[^>]*name="headline"[^>]*>/.exec(refused)![0],
    /maxlength/i,
    'a browser cuts nothing',
  );
  const unknown = await browser.post('/app/voice', { ...voice, language: 'tlh' });
  assert.match(await unknown.text(), /Please choose a language from the list/);
  assert.equal((await findVoice(database.db, actor.userId)).headline, voice.headline);
});

test('an example is pasted, refused when it is nearly ours, chosen from what was rewritten, and removed', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  const ours = `A weekly plan should fit on a postcard.\n\n${'A small team can carry three things to the end in a week. '.repeat(4)}`;
  const post = await makeScheduledPost(db, actor, { content: ours });
  await transact(db, (trx) =>
    storeBrief(trx, { postId: post, userId: actor.userId }, composedOf(ours), new Date()),
  );
  const dialog = '/app/voice?dialog=example';
  const nearly = await browser.post(dialog, { content: ours.replace('.', '!') });
  assert.equal(nearly.status, 409);
  assert.match(await nearly.text(), /This is nearly what Tidepost wrote for you/);
  const short = await browser.post(dialog, { content: 'Too short' });
  assert.match(await short.text(), /Please paste a whole post, of at least 100 characters/);
  const chosen = await browser.post(`/app/voice/${post}/choose`);
  assert.equal(chosen.headers.get('Location'), '/app/voice');
  assert.match(await browser.read('/app/voice'), /This is nearly what Tidepost wrote for you/);
  assert.deepEqual(await listExamples(db, actor.userId), []);

  const content = `${OWN} <script>alert(1)</script>`;
  await db.updateTable('posts').set({ content, editedAt: new Date() }).where('id', '=', post).execute();
  assert.match(await read(browser, '/app/voice'), /Posts you rewrote On Tuesdays/);
  assert.equal((await browser.post(`/app/voice/${post}/choose`)).status, 302);
  const page = await browser.read('/app/voice');
  assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.doesNotMatch(page, /Posts you rewrote/);
  assert.equal((await browser.post(dialog, { content: `Another. ${OWN}` })).status, 302);
  assert.equal((await browser.post(dialog, { content: `A third. ${OWN}` })).status, 302);
  const full = await browser.post(dialog, { content: `A fourth. ${OWN}` });
  assert.match(await full.text(), /At most 3 examples can be kept. Please remove one first/);
  assert.doesNotMatch(await read(browser, '/app/voice'), /Paste a post/);

  const [first] = await listExamples(db, actor.userId);
  assert.match(
    await read(browser, `/app/voice?confirm-remove=${first!.id}`),
    /Remove this example\? .*On Tuesdays I walk/,
  );
  assert.equal((await browser.post(`/app/voice/${first!.id}/remove`)).status, 302);
  assert.equal((await listExamples(db, actor.userId)).length, 2);
});

test('without scripts a fact is added, changed, filtered by topic, and deleted', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  const topic = await makeTopic(db, actor);
  assert.match(await read(browser, '/app/voice/facts'), /No facts yet/);
  const list = `/app/voice/facts?topic=${topic.id}`;
  const content = '14 shops <i>moved</i> in a year';
  const added = await browser.post(list, { content, topicId: topic.id, kind: '' });
  assert.deepEqual([added.status, added.headers.get('Location')], [302, list]);
  const [fact] = await factsOf(actor);
  assert.deepEqual([fact!.content, fact!.kind, fact!.topicId], [content, 'number', topic.id]);
  assert.match(await browser.read(list), /href="\/app\/dashboard#generate"[^>]*>Write posts with them</);
  await addFact(db, actor, { content: 'We open on Sundays' });
  assert.match(
    await read(browser, list),
    /14 shops &lt;i&gt;moved&lt;\/i&gt; in a year A number Weekly planning for small teams Not given/,
  );
  assert.doesNotMatch(await read(browser, list), /Sundays/);
  assert.match(await read(browser, '/app/voice/facts?topic=all'), /We open on Sundays/);
  assert.doesNotMatch(await read(browser, '/app/voice/facts?topic=all'), /14 shops/);
  assert.match(await read(browser, '/app/topics'), /1 fact about Weekly planning/);

  const editing = `${list}&edit=${fact!.id}`;
  assert.match(await browser.read(editing), /<textarea[^>]*name="content"[^>]*>14 shops &lt;i&gt;moved/);
  const bad = await browser.post(editing, { content: '  ', topicId: '', kind: 'rumour' });
  const said = await bad.text();
  assert.match(said, /Please write the fact in a sentence/);
  assert.match(said, /Please choose from the list what kind of fact it is/);
  const changed = await browser.post(editing, { content: '15 shops moved', topicId: '', kind: 'project' });
  assert.equal(changed.headers.get('Location'), list);
  const known = await browser.post(editing, { content: 'we open on sundays', topicId: '', kind: '' });
  assert.match(await known.text(), /Another fact of yours says this already/);
  const long = await browser.post('/app/voice/facts', { content: 'x'.repeat(10_000) });
  const kept = await long.text();
  assert.match(kept, new RegExp(`A fact can have at most ${FACT_MAX} characters`));
  assert.ok(kept.includes('x'.repeat(10_000)), 'what was pasted is there still, whole');

  const asked = await read(browser, `/app/voice/facts?confirm-delete=${fact!.id}`);
  assert.match(asked, /Delete this fact\? .*15 shops moved/);
  const deleted = await browser.post(`/app/voice/${fact!.id}/forget`, { list: '?topic=all' });
  assert.equal(deleted.headers.get('Location'), '/app/voice/facts?topic=all');
  const elsewhere = await browser.post(`/app/voice/${fact!.id}/forget`, { list: '?a=//evil.example' });
  assert.equal(elsewhere.headers.get('Location'), '/app/voice/facts');
  assert.deepEqual(
    (await factsOf(actor)).map((each) => each.content),
    ['We open on Sundays'],
  );
});

test('a fact says when it was given and which posts say it, and many of them have pages', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  await addFact(db, actor, { content: 'We sold 80 boats' });
  const [fact] = await factsOf(actor);
  const post = await makeScheduledPost(db, actor, { content: 'Eighty boats, one lesson.\n\nMore.' });
  const at = new Date('2026-03-09T20:00:00Z');
  await transact(db, (trx) => recordFactUses(trx, post, [fact!.id], [fact!.id], at));
  const page = await browser.read('/app/voice/facts');
  assert.match(
    wordsOf(mainOf(page)),
    /Last given Mar 09, 2026 Used in 1 post Eighty boats, one lesson\. Edit/,
  );
  assert.ok(page.includes(`href="/app/posts/${post}"`));
  const more = Array.from({ length: 60 }, (_, n) => ({
    userId: actor.userId,
    kind: 'number' as const,
    content: `Boat number ${n} was sold`,
    createdAt: new Date(Date.UTC(2026, 5, 1, 0, n)),
  }));
  await db.insertInto('facts').values(more).execute();
  const first = await browser.read('/app/voice/facts');
  const next = /href="(\/app\/voice\/facts\?cursor=[^"]+)"/.exec(first)![1]!;
  const later = wordsOf(mainOf(await browser.read(next)));
  assert.match(later, /Boat number 0 was sold/);
  assert.match(later, /Back to the newest/);
  for (const query of ['cursor=', 'topic=none', `topic=${crypto.randomUUID()}`, 'edit=none']) {
    const answer = await browser.get(`/app/voice/facts?${query}`);
    assert.equal(answer.status, 200, query);
  }
});

test('without scripts each answer is kept at once, and questions are skipped or put away', async () => {
  const { actor, browser } = await somebody();
  const offer = /Five questions, three minutes: posts get better with them\./;
  assert.match(await read(browser, '/app/topics'), offer);
  assert.match(await read(browser, '/app/dashboard'), offer);
  const at = (question: number) => `/app/voice/interview?question=${question}`;
  assert.ok((await read(browser, '/app/voice/interview')).includes(INTERVIEW[0]!.ask));
  const empty = await browser.post(at(1), { content: ' ' });
  assert.match(await empty.text(), /Please write an answer, or skip the question/);
  const answered = await browser.post(at(1), { content: 'We finished\r\nthe harbour wall' });
  assert.equal(answered.headers.get('Location'), at(2));
  assert.deepEqual(
    (await factsOf(actor)).map(({ content, kind }) => [content, kind]),
    [['We finished the harbour wall', 'project']],
  );
  assert.match(
    await browser.read('/app/voice/facts'),
    /href="\/app\/topics\?dialog=topic"[^>]*>Add a topic to write about</,
  );
  const skipped = await browser.post(at(2), { content: 'Not kept', skip: 'on' });
  assert.equal(skipped.headers.get('Location'), at(3));
  // Whoever comes back goes on where nothing is said yet, and finds what they said.
  assert.match(await read(browser, '/app/voice/interview'), /1 of 5 answered/);
  assert.match(await browser.read('/app/voice/interview'), /question-2/);
  assert.match(await browser.read(at(1)), />We finished the harbour wall<\/textarea>/);
  assert.match(await read(browser, '/app/topics'), offer);
  const last = await browser.post(at(5), { skip: 'on' });
  assert.equal(last.headers.get('Location'), '/app/voice/facts');
  assert.match(await browser.read('/app/voice/facts'), /One answer is a fact now/);
  assert.doesNotMatch(await read(browser, '/app/topics'), offer);

  const other = await somebody();
  const away = await other.browser.post('/app/voice/interview/away', { from: '/app/topics' });
  assert.equal(away.headers.get('Location'), '/app/topics');
  for (const page of ['/app/topics', '/app/dashboard']) {
    assert.doesNotMatch(await read(other.browser, page), offer);
  }
  assert.ok((await read(other.browser, '/app/voice/interview')).includes(INTERVIEW[0]!.ask));
  const elsewhere = await other.browser.post('/app/voice/interview/away', { from: '//evil.example' });
  assert.equal(elsewhere.headers.get('Location'), '/app/voice/interview');
  for (const question of ['0', '6', '1.5', 'x']) {
    assert.equal((await other.browser.get(`/app/voice/interview?question=${question}`)).status, 200);
  }
  assert.deepEqual(await factsOf(other.actor), []);
});

test('the facts and examples of somebody else are not there', async () => {
  const { db } = database;
  const { actor } = await somebody();
  const { browser } = await somebody();
  const topic = await makeTopic(db, actor);
  await addFact(db, actor, { content: 'We sold 80 boats', topicId: topic.id });
  await addExample(db, actor, OWN);
  const [fact] = await factsOf(actor);
  const [example] = await listExamples(db, actor.userId);
  const edit = await browser.post(`/app/voice/facts?edit=${fact!.id}`, { content: 'Taken over' });
  assert.equal(edit.status, 404);
  assert.match(await edit.text(), /This fact was not found/);
  const foreign = await browser.post('/app/voice/facts', { content: 'Mine', topicId: topic.id });
  assert.equal(foreign.status, 404);
  assert.match(await foreign.text(), /This topic was not found/);
  for (const address of [`${fact!.id}/forget`, `${example!.id}/remove`, `${fact!.id}/choose`]) {
    assert.equal((await browser.post(`/app/voice/${address}`)).status, 302);
  }
  for (const page of ['', '/facts', `/facts?topic=${topic.id}`, `/facts?edit=${fact!.id}`]) {
    assert.doesNotMatch(await read(browser, `/app/voice${page}`), /80 boats|On Tuesdays/);
  }
  assert.equal((await factsOf(actor)).length, 1);
  assert.equal((await listExamples(db, actor.userId)).length, 1);
});

test('a fact of a topic beyond the hundredth stays with it when it is edited', async () => {
  const { actor, browser } = await somebody();
  const names = Array.from({ length: 120 }, (_, nth) => `Topic ${String(nth).padStart(3, '0')}.`);
  const values = names.map((name) => ({ name, userId: actor.userId, keywords: [] }));
  await database.db.insertInto('topics').values(values).execute();
  const last = await database.db
    .selectFrom('topics')
    .select('id')
    .where('userId', '=', actor.userId)
    .where('name', '=', names.at(-1)!)
    .executeTakeFirstOrThrow();
  const input = { content: 'Our crew is eleven people.', kind: 'number', topicId: last.id } as const;
  await addFact(database.db, actor, input);
  const [fact] = await factsOf(actor);
  const form = await browser.read(`/app/voice/facts?edit=${fact!.id}`);
  assert.match(form, new RegExp(`<option value="${last.id}" selected="">`));
});
