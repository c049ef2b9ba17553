import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { addFact, listFacts } from '#app/domain/voice/fact-list.ts';
import { type GeneratedPost, storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const CONTENT = 'We sold 80 boats. We never lowered a price.';

/** A post that waits, how it came about, and what its editor says of that. */
async function editorOf(change: (composed: GeneratedPost) => GeneratedPost | null) {
  const { db } = database;
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  await addFact(db, actor, { content: 'We sold 80 boats <b>in May</b>' });
  await addFact(db, actor, { content: 'Our yard has one crane' });
  const facts = (await listFacts(db, actor, { limit: 2 })).rows.toReversed();
  const id = await makeScheduledPost(db, actor, {
    content: CONTENT,
    dueAt: new Date(Date.now() + 86_400_000),
  });
  const plain = composedOf(CONTENT);
  const given = facts.map((fact) => ({ id: fact.id, kind: fact.kind, content: fact.content }));
  const composed = change({ ...plain, brief: { ...plain.brief, facts: given } });
  if (composed) {
    await transact(db, (trx) => storeBrief(trx, { postId: id, userId: actor.userId }, composed, new Date()));
  }
  const read = async () => wordsOf(mainOf(await browser.read(`/app/scheduled?edit=${id}`)));
  return { actor, browser, id, read, words: await read() };
}

test('the editor says how a post was written, whose facts stand in it and what was mended', async () => {
  const { id, words, read, browser } = await editorOf((composed) => ({
    ...composed,
    brief: {
      ...composed.brief,
      angle: 'decision',
      opening: 'object',
      ending: 'limit',
      limit: 'ending',
      length: 'short',
      reader: 'boat builders',
      instruction: 'Make it shorter',
    },
    draft: {
      ...composed.draft,
      claims: [
        { text: 'We sold 80 boats.', fact: 1 },
        { text: 'We never lowered a price.', fact: null },
      ],
    },
    findings: ['Which boats?'],
    score: 62,
    reasons: ['Gives a figure: 80'],
  }));
  for (const said of [
    'How this was written',
    'You asked for Make it shorter What it argues Plans get read when they are short',
    'Kind Weighs a choice and names its price',
    'For boat builders',
    'Opens with a thing one can see, ends with where it stops working',
    'Length Short: about 90 words',
    'We sold 80 boats &lt;b&gt;in May&lt;/b&gt; (used) Our yard has one crane What',
    '“We sold 80 boats.” From your fact: We sold 80 boats &lt;b&gt;in May',
    '“We never lowered a price.” No fact of yours says this. Please check that it is true.',
    'Mended when it was read a second time Which boats?',
    'Specific: 62 of 100 Gives a figure: 80',
  ]) {
    assert.ok(words.includes(said), `${said}: ${words}`);
  }
  assert.doesNotMatch(words, /Its limit|has been changed since/);
  await browser.post(`/app/scheduled?edit=${id}`, { content: 'Another text', revision: '0' });
  assert.match(await read(), /It has been changed since/);
  assert.doesNotMatch(wordsOf(mainOf(await browser.read('/app/scheduled'))), /How this was written/);
});

test('without facts and without a score it says so, and says no more than is known', async () => {
  const plain = await editorOf((composed) => ({
    ...composed,
    brief: { ...composed.brief, facts: [] },
    score: 0,
    reasons: [],
  }));
  assert.match(plain.words, /Kind [A-Z][\w ,]+ Beginning and end/);
  assert.match(plain.words, /It was written without a fact of yours/);
  assert.doesNotMatch(plain.words, /Specific|What it says about you|Mended/);
  const bare = await editorOf((composed) => ({ ...composed, score: 0, reasons: ['Names nothing of yours'] }));
  assert.match(bare.words, /Specific: 0 of 100 Names nothing of yours/);
  const unknown = await editorOf(() => null);
  assert.match(unknown.words, /Content/);
  assert.doesNotMatch(unknown.words, /How this was written/);
});

test('the opened line of the queue says how specific a post is, and what no fact of its author says', async () => {
  const { browser, id } = await editorOf((composed) => ({
    ...composed,
    draft: {
      ...composed.draft,
      claims: [
        { text: 'We sold 80 boats.', fact: 1 },
        { text: 'We never lowered a price.', fact: null },
        { text: 'We kept each price', fact: null },
      ],
    },
    score: 62,
    reasons: ['Gives a figure: 80', 'Opens with a concrete thing'],
  }));
  const line = async () => wordsOf(mainOf(await browser.read('/app/scheduled')));
  const first = await line();
  assert.doesNotMatch(first, /Add facts/);
  assert.match(first, /Specific: 62 of 100 · Gives a figure: 80 · Opens with a concrete thing/);
  assert.match(
    first,
    /“ We never lowered a price\. ” No fact of yours says this\. Please check that it is true\./,
  );
  assert.match(first, /“ We kept each price ” No fact of yours/, 'also in other words than the text has');
  assert.doesNotMatch(first, /“ We sold 80 boats\./);
  await browser.post(`/app/scheduled?edit=${id}`, { content: 'We sold 80 boats.', revision: '0' });
  const changed = await line();
  assert.match(changed, /As it was written, specific: 62 of 100/);
  assert.doesNotMatch(changed, /Please check/, 'it is said no more');
});

test('a text that says no fact leads to the facts, and one that waits for approval is open to its end', async () => {
  const { id, browser } = await editorOf((composed) => ({
    ...composed,
    score: 35,
    reasons: ['Gives a figure: 80'],
  }));
  const read = async () => mainOf(await browser.read('/app/scheduled'));
  const first = await read();
  assert.match(first, /<a[^>]*href="\/app\/voice\/facts"[^>]*>Add facts to be more specific</);
  const isOpen = /<details class="preview-fold" open="">/;
  const long = `We sold 80 boats. ${'We never lowered a price. '.repeat(30)}`;
  await browser.post(`/app/scheduled?edit=${id}`, { content: long, revision: '0' });
  assert.doesNotMatch(await read(), isOpen);
  await database.db
    .updateTable('postSchedules')
    .set({ status: 'pending' })
    .where('postId', '=', id)
    .execute();
  assert.match(await read(), isOpen);
});

test('nobody reads how the post of somebody else was written', async () => {
  const { id } = await editorOf((composed) => composed);
  const other = await makeUser(database.db);
  const browser = await browserOf(database.db, other, url);
  assert.doesNotMatch(await browser.read(`/app/scheduled?edit=${id}`), /How this was written/);
});
