import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findFeedback, listBoard } from '#app/domain/feedback/board.ts';
import { FeedbackInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
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

const BOARD = '/app/feedback';

async function somebody(name = 'Ada Marlow') {
  const actor = await makeUser(database.db, { name });
  return { actor, browser: await browserOf(database.db, actor, url) };
}
const submit = (actor: Actor, title: string, description = 'Because it would help') =>
  submitFeedback(database.db, actor, FeedbackInput.parse({ type: 'improvement', title, description }));
const ownOf = async (actor: Actor) =>
  (await listBoard(database.db, actor, { sort: 'own', limit: 50 })).rows.map(({ title, rating }) => [
    title,
    rating,
  ]);
const read = async (browser: Browser, path: string) => wordsOf(mainOf(await browser.read(path)));
/** A word that nobody else has used: the tests of this file share a board. */
const newWord = () => `w${crypto.randomUUID().slice(0, 8)}`;
const said = (title: string, more: object = {}) => ({
  type: 'bug',
  title,
  description: 'It is so',
  rating: '0',
  seen: '',
  ...more,
});

test('feedback is given without scripts, stands on the board as text, and names nobody', async () => {
  const [author, reader] = [await somebody('Quentin Author'), await somebody()];
  assert.match(await read(author.browser, `${BOARD}?sort=own`), /You have sent no feedback yet/);
  const dialog = await author.browser.read(`${BOARD}?dialog=feedback`);
  assert.match(wordsOf(dialog), /Give feedback .*Type .*Title .*Description .*Rating \(optional\)/);
  const word = newWord();
  const title = `${word} <b>bold</b>`;
  const sent = await author.browser.post(`${BOARD}?dialog=feedback`, said(title, { rating: '4' }));
  assert.deepEqual([sent.status, sent.headers.get('Location')], [302, `${BOARD}?sort=own`]);
  const own = await author.browser.read(`${BOARD}?sort=own`);
  assert.match(own, /Thank you for your feedback! We appreciate it\./);
  assert.deepEqual(await ownOf(author.actor), [[title, 4]]);
  const board = await reader.browser.read(`${BOARD}?q=${word}`);
  assert.match(board, /&lt;b&gt;bold&lt;\/b&gt;/);
  assert.match(wordsOf(mainOf(board)), /New Bug/);
  assert.doesNotMatch(board, /Quentin|Yours<\/span>|rated 4/);
});

test('what is wrong stands beside its field, with what was typed, and nothing is sent', async () => {
  const { actor, browser } = await somebody();
  for (const [more, sentence] of [
    [{ title: '' }, 'Please give it a title'],
    [{ description: '  ' }, 'Please describe it'],
    [{ rating: '6' }, 'Please rate from 1 to 5, or leave the rating out'],
    [{ rating: 'x' }, 'Please rate from 1 to 5, or leave the rating out'],
    [{ type: 'rant' }, 'Please choose a type from the list'],
    [{ title: 'x'.repeat(121) }, 'The title can have at most 120 characters'],
  ] as const) {
    const answer = await browser.post(`${BOARD}?dialog=feedback`, said('A title of mine', more));
    assert.equal(answer.status, 422);
    const page = await answer.text();
    assert.ok(wordsOf(mainOf(page)).includes(sentence), sentence);
    if (!('title' in more)) assert.match(page, /value="A title of mine"/);
  }
  assert.deepEqual(await ownOf(actor), []);
  for (let nth = 0; nth < 10; nth += 1) await submit(actor, `Number ${nth} ${newWord()}`);
  const late = await browser.post(`${BOARD}?dialog=feedback`, said('The eleventh of a day'));
  assert.equal(late.status, 429);
  assert.match(
    wordsOf(mainOf(await late.text())),
    /You have sent 10 within a day, .* You can send this one in 24 h/,
  );
});

test('whoever says again what stands there is asked first, and may vote for it or send theirs', async () => {
  const [other, { actor, browser }] = [await somebody(), await somebody()];
  const word = newWord();
  const { id } = await submit(other.actor, `A ${word} theme for the calendar`);
  const mine = said(`Calendar in a ${word} theme`, { rating: '2', description: 'My "eyes" hurt' });
  const asked = await browser.post(`${BOARD}?dialog=feedback`, mine);
  assert.equal(asked.status, 200);
  const page = await asked.text();
  const words = wordsOf(mainOf(page));
  assert.match(words, new RegExp(`Is it one of these\\? .*A ${word} theme for the calendar`));
  assert.match(words, /Vote for it, or press Submit Feedback once more/);
  assert.match(page, /My &quot;eyes&quot; hurt/);
  assert.match(page, /<input(?=[^>]*name="rating")(?=[^>]*value="2")(?=[^>]*checked="")[^>]*>/);
  assert.match(page, new RegExp(`name="seen" value="${id}"`));
  assert.deepEqual(await ownOf(actor), []);

  const voted = await browser.post(`${BOARD}/${id}/vote`, { ...mine, seen: id, wanted: 'up' });
  assert.equal(voted.headers.get('Location'), `${BOARD}#feedback-${id}`);
  assert.match(await browser.read(BOARD), /Your vote counts\. Thank you for looking first\./);
  assert.equal((await findFeedback(database.db, actor, id)).upvotes, 1);
  assert.deepEqual(await ownOf(actor), []);

  const sent = await browser.post(`${BOARD}?dialog=feedback`, { ...mine, seen: `x,${id}` });
  assert.equal(sent.status, 302);
  assert.deepEqual(await ownOf(actor), [[mine.title, 2]]);
  const similar = await browser.get(`${BOARD}/similar?${new URLSearchParams({ title: `${word} theme` })}`);
  const found = await similar.json();
  assert.equal(found.length, 2);
  assert.doesNotMatch(JSON.stringify(found), new RegExp(`${other.actor.userId}|${other.actor.email}`));
  for (const title of ['', 'x'.repeat(300), 'a\0b'])
    assert.deepEqual(
      await (await browser.get(`${BOARD}/similar?${new URLSearchParams({ title })}`)).json(),
      [],
    );
});

test('a vote is given and taken back by a button that says which it is, and leads back to its page', async () => {
  const [author, { actor, browser }] = [await somebody(), await somebody()];
  const word = newWord();
  const { id } = await submit(author.actor, `Wanted ${word}`);
  const list = `${BOARD}?sort=newest&q=${word}`;
  const button = async () => {
    const page = await browser.read(list);
    const form = new RegExp(`<form[^>]*action="${BOARD}/${id}/vote"[\\s\\S]*?</form>`).exec(page)![0];
    const [, wanted] = /<button[^>]*value="(\w+)"[^>]*name="wanted"/.exec(form)!;
    const [, pressed] = /aria-pressed="(\w+)"/.exec(form)!;
    const [, from] = /name="from" value="([^"]*)"/.exec(form)!;
    return { wanted: wanted!, pressed, words: wordsOf(form), from: from!.replaceAll('&amp;', '&') };
  };
  const before = await button();
  assert.deepEqual(
    [before.wanted, before.pressed, before.words],
    ['up', 'false', `0 votes for “Wanted ${word}”`],
  );
  for (const _ of [1, 2]) {
    const answer = await browser.post(`${BOARD}/${id}/vote`, { wanted: before.wanted, from: before.from });
    assert.equal(answer.headers.get('Location'), `${list}#feedback-${id}`);
  }
  const after = await button();
  assert.deepEqual(
    [after.wanted, after.pressed, after.words],
    ['back', 'true', `1 vote for “Wanted ${word}”`],
  );
  await browser.post(`${BOARD}/${id}/vote`, {
    wanted: after.wanted,
    from: 'https://evil.example/app/feedback',
  });
  assert.equal((await findFeedback(database.db, actor, id)).upvotes, 0);
  for (const from of ['//evil.example', '/app/feedback\r\nX: 1', '/app/topics', '/app/feedback?q=#x']) {
    const answer = await browser.post(`${BOARD}/${id}/vote`, { wanted: 'up', from });
    assert.equal(answer.headers.get('Location'), `${BOARD}#feedback-${id}`);
  }
  const gone = await browser.post(`${BOARD}/${crypto.randomUUID()}/vote`, { wanted: 'up' });
  assert.equal(gone.headers.get('Location'), BOARD);
  assert.match(await read(browser, BOARD), /This feedback was not found/);
});

test('the board is narrowed, goes on page by page, and opens what an address names', async () => {
  const [author, second, { browser }] = [await somebody(), await somebody(), await somebody()];
  const { db } = database;
  const word = newWord();
  await db
    .insertInto('feedback')
    .values(
      Array.from({ length: 30 }, (_, nth) => ({
        userId: author.actor.userId,
        type: 'bug' as const,
        description: 'It is so\n\nat night',
        title: `${word} number ${nth}.`,
        createdAt: new Date(Date.UTC(2026, 0, 1 + nth)),
      })),
    )
    .execute();
  const { id } = await submit(second.actor, `${word} and the last`);
  const first = await browser.read(`${BOARD}?q=${word}`);
  assert.equal(mainOf(first).match(/class="line board-line"/g)?.length, 25);
  const [, next] = /href="([^"]*cursor=[^"]*)"[^>]*>More feedback/.exec(first)!;
  const later = await browser.read(next!.replaceAll('&amp;', '&'));
  assert.equal(mainOf(later).match(/class="line board-line"/g)?.length, 6);
  assert.match(later, />Back to the beginning</);
  assert.equal((await browser.get(`${BOARD}?cursor=nonsense`)).status, 400);
  const [, cursor] = /cursor=([\w-]+)/.exec(next!)!;
  for (const odd of [
    `sort=newest&cursor=${cursor}`,
    'sort=nonsense',
    'type=nonsense',
    'status[]=x',
    `q=${'x'.repeat(500)}`,
  ])
    assert.equal((await browser.get(`${BOARD}?${odd}`)).status, 200, odd);
  const unsearched = mainOf(await browser.read(`${BOARD}?sort=newest&q=${'x'.repeat(101)}`));
  assert.equal(unsearched.match(/class="line board-line"/g)?.length, 25, 'too long is as if not asked for');
  assert.match(await read(browser, `${BOARD}?q=${'x'.repeat(100)}`), /Nothing like that/);
  assert.match(await read(browser, `${BOARD}?q=${word}&type=compliment`), /Nothing like that/);
  assert.match(await read(browser, `${BOARD}?q=${word}&type=compliment`), /Clear/);
  const opened = wordsOf(await browser.read(`${BOARD}?type=compliment&open=${id}`));
  assert.match(opened, new RegExp(`${word} and the last .*Because it would help`));
  await db.updateTable('feedback').set({ status: 'declined' }).where('id', '=', id).execute();
  for (const open of [id, 'no-uuid', crypto.randomUUID()])
    assert.match(await read(browser, `${BOARD}?open=${open}`), /This is not on the board/);
  assert.match(await read(second.browser, `${BOARD}?open=${id}`), /and the last .*Declined/);
});
