import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { serve, startOutside } from '#tests/make/outside.ts';
import { png } from '#tests/make/pictures.ts';
import { makeScheduledPost, readPost } from '#tests/make/posts.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';

let database: TestDatabase;
let url: string;
const outside = await startOutside();
const pictures = await serve((req, res) =>
  req.url === '/pier.png' ? res.end(png(640, 400)) : res.writeHead(404).end(),
);
const imageUrl = `${pictures}/pier.png`;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { ALLOW_PRIVATE_IMAGES: '1' } }));
});

const CONTENT = 'Our pier has one rule that we never break, and it is painted on the board at the end.';

async function editor() {
  const { db } = database;
  const actor = await makeUser(db);
  const dueAt = new Date(Date.now() + 86_400_000);
  const id = await makeScheduledPost(db, actor, { content: CONTENT, dueAt });
  const browser = await browserOf(db, actor, url);
  const page = await browser.read(`/app/scheduled?edit=${id}`);
  const [, to, at] = /formAction="([^"#]*)#([^"]*)"/i.exec(page)!;
  assert.match(page, new RegExp(`<textarea[^>]* id="${at}"`));
  const typed = {
    revision: '0',
    content: `${CONTENT} <Typed>`,
    imageUrl,
    altText: 'Mine',
    hashtags: 'Piers',
  };
  const press = (change: object = {}, more = '') =>
    browser.post(`/app/scheduled${to!.replaceAll('&amp;', '&')}${more}`, { ...typed, ...change });
  return { db, id, browser, press };
}

const fieldIn = (page: string, name: string) =>
  new RegExp(`<(?:textarea|input)[^>]*name="${name}"[^>]*?(?:value="([^"]*)"[^>]*)?>([^<]*)`)
    .exec(page)!
    .slice(1)
    .find(Boolean);

test('without scripts the form comes back with the suggestion and all that was typed, and nothing is saved', async () => {
  const { db, id, press } = await editor();
  const before = await readPost(db, id);
  const answer = await press();
  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.equal(fieldIn(page, 'altText'), 'A wide frame of 640 by 400 pixels');
  assert.match(fieldIn(page, 'content')!, /&lt;Typed&gt;$/);
  assert.equal(fieldIn(page, 'imageUrl'), imageUrl);
  assert.equal(fieldIn(page, 'hashtags'), 'Piers');
  assert.match(page, /A description is suggested\. Read it, and save the post to keep it/);
  assert.deepEqual(await readPost(db, id), before);
});

test('what goes wrong stands beside its field, with what was typed', async () => {
  const { db, id, press } = await editor();
  const before = await readPost(db, id);
  const gone = await press({ imageUrl: imageUrl.replace('pier', 'gone') });
  const page = await gone.text();
  assert.equal(gone.status, 422);
  assert.match(page, /imageUrl-error[\s\S]*The picture could not be loaded from its address: it answers 404/);
  assert.equal(fieldIn(page, 'altText'), 'Mine');
  assert.match(fieldIn(page, 'content')!, /&lt;Typed&gt;$/);
  for (const [change, words] of [
    [{ imageUrl: '' }, /Please give the address of the picture first/],
    [{ imageUrl: 'javascript:alert(1)' }, /Invalid image URL/],
  ] as const) {
    const refused = await press(change);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), words);
  }
  await outside.fault('writer.500');
  const busy = await press();
  assert.equal(busy.status, 503);
  assert.match(await busy.text(), /The writer did not answer\. Please try again in a moment/);
  assert.deepEqual(await readPost(db, id), before);
});

test('who presses all the time is asked to wait', async () => {
  const { press } = await editor();
  const statuses = [];
  for (let pressed = 0; pressed < 31; pressed += 1) {
    const answer = await press({ imageUrl: imageUrl.replace('pier', 'gone') });
    statuses.push(answer.status);
    await answer.body?.cancel();
  }
  assert.deepEqual([statuses.at(-2), statuses.at(-1)], [422, 429]);
});
