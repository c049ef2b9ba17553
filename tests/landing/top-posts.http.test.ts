import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { beginningOf, listTopPosts, setLandingConsent } from '#app/domain/posts/landing/top-posts.ts';
import { SHOWN_HASHTAGS, SHOWN_TEXT_MAX, TOP_POSTS_MAX } from '#app/domain/posts/limits.ts';
import { markDeleted } from '#app/domain/publishing/state/post-state.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection, setConnection } from '#tests/fixtures/linkedin.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { makePublished, makeShownAuthor } from '#tests/fixtures/published-posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const PROFILE = '/app/account';
const SHOW = `${PROFILE}?form=show`;

await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

beforeEach(async () => {
  await database.db.updateTable('users').set({ showsPostsSince: null }).execute();
});

/** What this process answers to somebody who asks for the first time. */
async function shown() {
  await setLandingConsent(database.db, (await makeUser(database.db)).userId, false, new Date());
  return listTopPosts(database.db);
}
const shownIds = async () => (await shown()).map(({ id }) => id);

async function somebody() {
  const actor = await makeUser(database.db);
  await makeConnection(database.db, actor);
  return { actor, browser: await browserOf(database.db, actor, url) };
}

describe('GET /public/top-posts', () => {
  test('shows nothing of who has not said yes, and everything that was promised of who has', async () => {
    const { actor, browser } = await somebody();
    const content = 'One plan a week. '.repeat(30);
    const hashtags = ['Planning', 'Focus', 'Teams', 'Fourth'];
    const imageUrl = 'https://pictures.example/plan.png';
    const id = await makePublished(database.db, actor, { content, hashtags, imageUrl });
    const off = await call(url, 'GET', '/public/top-posts');
    assert.deepEqual(off.body, { success: true, posts: [] });

    const said = await browser.post(SHOW, { showsPosts: 'true' });
    assert.equal(said.headers.get('Location'), `${PROFILE}#start-page`);
    const { status, headers, body } = await call(url, 'GET', '/public/top-posts');
    assert.deepEqual([status, headers.get('Cache-Control')], [200, 'public, max-age=60']);
    const [post, ...others] = body.posts;
    assert.deepEqual(others, []);
    const { topic, linkedInUrl, ...rest } = post;
    assert.match(topic.name, /^Weekly planning/);
    assert.match(linkedInUrl, /\/feed\/update\/urn:li:share:\d+\/$/);
    assert.deepEqual(rest, {
      id,
      imageUrl: null,
      altText: null,
      hashtags: hashtags.slice(0, SHOWN_HASHTAGS),
      content: beginningOf(content),
    });
    assert.ok(post.content.length <= SHOWN_TEXT_MAX && post.content.endsWith('…'));
    for (const own of [actor.name, actor.email, actor.userId, 'Fourth', imageUrl])
      assert.ok(!JSON.stringify(body).includes(own), own);
  });

  test('is off by default, says what is shown, keeps the moment it was given, and is gone at once', async () => {
    const { actor, browser } = await somebody();
    await makePublished(database.db, actor);
    const page = async () => wordsOf(mainOf(await browser.read(PROFILE)));
    assert.match(
      await page(),
      /its topic, the first 150 characters, up to three of its hashtags, its picture/,
    );
    const since = async () =>
      (
        await database.db
          .selectFrom('users')
          .select('showsPostsSince')
          .where('id', '=', actor.userId)
          .executeTakeFirstOrThrow()
      ).showsPostsSince;
    assert.equal(await since(), null);
    await browser.post(SHOW, { showsPosts: 'true' });
    const given = await since();
    assert.ok(Math.abs(given!.getTime() - Date.now()) < 60_000);
    await browser.post(SHOW, { showsPosts: 'true' });
    assert.deepEqual(await since(), given, 'a second yes is the first one');
    assert.match(await page(), /On since \w+ \d+, \d{4}, \d\d:\d\d/);
    assert.equal((await call(url, 'GET', '/public/top-posts')).body.posts.length, 1);
    await browser.post(SHOW, { showsPosts: 'false' });
    assert.equal((await call(url, 'GET', '/public/top-posts')).body.posts.length, 0, 'at once');
    assert.equal(await since(), null);
  });
});

describe('what is shown', () => {
  test('is the newest post of each author, the newest of those first, and no more than fit', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth <= TOP_POSTS_MAX; nth += 1) {
      const author = await makeShownAuthor(database.db);
      const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
      await makePublished(database.db, author, { at: at(100 + nth) });
      ids.push(await makePublished(database.db, author, { at: at(nth) }));
    }
    assert.deepEqual(await shownIds(), ids.slice(0, TOP_POSTS_MAX));
  });

  test('ends when its author leaves, may not publish any more, or has taken it down', async () => {
    const { db } = database;
    const [leaves, revoked, expired, stays] = [
      await makeShownAuthor(db),
      await makeShownAuthor(db),
      await makeShownAuthor(db),
      await makeShownAuthor(db),
    ];
    for (const author of [leaves, revoked, expired]) await makePublished(db, author);
    const older = await makePublished(db, stays, { at: new Date(Date.now() - 3_600_000) });
    const newest = await makePublished(db, stays);
    assert.equal((await shownIds()).length, 4);
    await requestDeletion(db, leaves, null);
    await setConnection(db, revoked, { status: 'expired' });
    await setConnection(db, expired, { expiresAt: new Date(Date.now() - 1_000), refreshTokenSealed: null });
    assert.deepEqual(await shownIds(), [newest]);
    await transact(db, (trx) => markDeleted(trx, newest, new Date()));
    assert.deepEqual(await shownIds(), [older]);
    await db.deleteFrom('users').where('id', '=', stays.userId).execute();
    assert.deepEqual(await shownIds(), []);
  });

  test('has never been a test, a post without a topic, or one that is not out', async () => {
    const { db } = database;
    const author = await makeShownAuthor(db);
    const [isTest, hasNoTopic, isFailed, hasNoAddress] = [
      await makePublished(db, author),
      await makePublished(db, author),
      await makePublished(db, author),
      await makePublished(db, author),
    ];
    await db.updateTable('posts').set({ visibility: 'CONNECTIONS' }).where('id', '=', isTest!).execute();
    await db.updateTable('posts').set({ topicId: null }).where('id', '=', hasNoTopic!).execute();
    await db.updateTable('postSchedules').set({ status: 'failed' }).where('postId', '=', isFailed!).execute();
    await db
      .updateTable('postSchedules')
      .set({ networkUrn: null })
      .where('postId', '=', hasNoAddress!)
      .execute();
    await makeTopic(db, author);
    assert.deepEqual(await shownIds(), []);
  });
});

test('a text is cut after at most 150 characters, between words, and never within a letter', () => {
  assert.equal(beginningOf('Short.'), 'Short.');
  assert.equal(beginningOf('One\n\ntwo'), 'One two');
  assert.equal(beginningOf('x'.repeat(150)), 'x'.repeat(150));
  assert.equal(beginningOf('x'.repeat(151)), `${'x'.repeat(149)}…`);
  assert.equal(beginningOf(`${'word '.repeat(40)}`), `${'word '.repeat(30).trim()}…`);
  const family = '👨‍👩‍👧';
  const cut = beginningOf(family.repeat(40));
  assert.equal(cut, `${family.repeat(18)}…`);
});
