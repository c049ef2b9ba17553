import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { countPublished } from '#app/domain/posts/counts/published-totals.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublished, makeShownAuthor } from '#tests/fixtures/published-posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGE_BYTES_MAX = 20_000;
const STYLE_BYTES_MAX = 12_000;
const SCRIPT_BYTES_MAX = 6_000;
/** As it stands, not packed. */
const MODULE_BYTES_MAX = 3_000;

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const page = async (at = url) => (await fetch(`${at}/`)).text();
const words = async (at = url) => wordsOf(mainOf(await page(at)));
const packed = (text: string) => gzipSync(text, { level: 6 }).length;

async function fileOf(address: string) {
  const answer = await fetch(url + address);
  assert.equal(answer.status, 200, address);
  assert.match(answer.headers.get('Cache-Control')!, /max-age=31536000, immutable/, address);
  return answer.text();
}
const namedIn = (html: string, form: RegExp) => [...html.matchAll(form)].map(([, address]) => address!);
const scriptsOf = (html: string) => namedIn(html, /<script(?! type="application\/ld)[^>]* src="([^"]*)"/g);

async function addPublished(count: number) {
  const author = await makeShownAuthor(database.db);
  for (let nth = 0; nth < count; nth += 1)
    await makePublished(database.db, author, { at: new Date(Date.now() - nth * 60_000) });
}

describe('the start page', () => {
  test('shows the product itself: the next post as LinkedIn shows it, and the times of its day', async () => {
    const html = mainOf(await page());
    assert.match(html, /<article class="preview" aria-label="The post as LinkedIn shows it"/);
    assert.match(html, /<ol class="hero-slots">(?:<li.*?09:00.*?)(?:<li.*?14:00.*?)(?:<li.*?18:00.*?)<\/ol>/);
  });

  test('makes the promises of the product: free without a card, and support at all hours that replies within a day', async () => {
    const said = await words();
    for (const promise of [
      '3 posts a month free, without a card',
      '24/7 support, and a reply within 24 hours',
    ])
      assert.ok(said.includes(promise), promise);
  });

  test('has four steps, four features, six kinds of readers and questions to open, between a head and a foot', async () => {
    const html = await page();
    const count = (part: RegExp, of: RegExp) => part.exec(html)![1]!.match(of)?.length;
    assert.equal(count(/<ol class="voyage">(.*?)<\/ol>/s, /<h3>/g), 4);
    assert.equal(count(/<ul class="features">(.*?)<\/section>/s, /<li class="feature /g), 4);
    assert.equal(count(/<dl class="audience-list">(.*?)<\/dl>/s, /<dt>/g), 6);
    assert.ok(count(/<div class="question-list">(.*?)<\/section>/s, /<details name="faq">/g)! >= 5);
    assert.match(html, /<header class="site-header">.*<footer class="site-footer">/s);
  });

  test('leads who is signed in to their dashboard, and nobody else', async () => {
    const toDashboard = /<a [^>]*href="\/app\/dashboard"[^>]*>Go to Dashboard</g;
    const reader = await browserOf(database.db, await makeUser(database.db), url);
    const html = await reader.read('/');
    assert.equal(html.match(toDashboard)?.length, 4, 'above, at the top, at the prices, at the end');
    assert.doesNotMatch(html, /href="\/signup"/);
    const visitors = await page();
    assert.doesNotMatch(visitors, toDashboard);
    assert.match(visitors, /href="\/signup"[^>]*>Start free</);
  });

  test('says in six points what changes for its reader', async () => {
    const list = /<ul class="benefit-list">(.*?)<\/ul>/.exec(await page())![1]!;
    assert.equal(list.match(/<h3>/g)?.length, 6);
  });

  test('has no script and no row of posts while fewer than three authors let theirs be shown', async () => {
    await addPublished(1);
    await addPublished(1);
    const html = await page();
    assert.ok(!html.includes('shown-post'));
    assert.deepEqual(scriptsOf(html), []);
  });

  test('stays small with everything on it, and free of the framework', async () => {
    for (let nth = 0; nth < 8; nth += 1) await addPublished(1);
    // What a process knows of the posts is a second old at most.
    const fresh = await startWeb({ databaseUrl: database.url });
    const html = await page(fresh.url);
    assert.equal(html.match(/class="shown-post"/g)?.length, 9);
    assert.ok(packed(html) <= PAGE_BYTES_MAX, `${packed(html)} bytes of HTML`);
    const scripts = scriptsOf(html);
    assert.equal(scripts.length, 1);
    assert.match(scripts[0]!, /^\/assets\/carousel-[\w-]{8,}\.js$/);
    const bodies = await Promise.all(scripts.map(fileOf));
    assert.ok(Buffer.byteLength(bodies[0]!) <= MODULE_BYTES_MAX, `${Buffer.byteLength(bodies[0]!)} bytes`);
    assert.ok(bodies.reduce((sum, body) => sum + packed(body), 0) <= SCRIPT_BYTES_MAX);
    assert.doesNotMatch(bodies.join(), /\bimport\b|react/i);
    assert.doesNotMatch(html, /modulepreload|__reactRouter/);
    const sheets = await Promise.all(namedIn(html, /<link rel="stylesheet" href="([^"]*)"/g).map(fileOf));
    const styles = sheets.reduce((sum, sheet) => sum + packed(sheet), 0);
    assert.ok(sheets.length > 0 && styles <= STYLE_BYTES_MAX, `${styles} bytes of styles`);
  });

  test('counts what was published once that is a hundred, without tests and what was taken down', async () => {
    const { db } = database;
    const counted = /posts published/;
    await addPublished(89);
    await countPublished(db, new Date());
    const before = await startWeb({ databaseUrl: database.url });
    assert.doesNotMatch(await words(before.url), counted, '99 of them');
    await addPublished(3);
    assert.doesNotMatch(
      await words((await startWeb({ databaseUrl: database.url })).url),
      counted,
      'by nobody yet',
    );
    const ids = await db.selectFrom('posts').select('id').orderBy('createdAt').limit(2).execute();
    await db.updateTable('posts').set({ visibility: 'CONNECTIONS' }).where('id', '=', ids[0]!.id).execute();
    await db
      .updateTable('postSchedules')
      .set({ deletedAt: new Date() })
      .where('postId', '=', ids[1]!.id)
      .execute();
    await countPublished(db, new Date());
    assert.doesNotMatch(await words(before.url), counted, 'kept for a minute');
    const after = await startWeb({ databaseUrl: database.url });
    const { authors } = await authorsOf();
    const said = await words(after.url);
    assert.ok(
      said.includes(`posts published 100 authors ${authors} posts by each of them, on average`),
      said,
    );
  });
});

const authorsOf = () =>
  database.db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(({ fn }) => fn.count<string>('postSchedules.userId').distinct().as('authors'))
    .where('postSchedules.deletedAt', 'is', null)
    .where('visibility', '=', 'PUBLIC')
    .executeTakeFirstOrThrow();
