import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { transact } from '#app/db/client.ts';
import { listen } from '#app/db/listen.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { disableAccount } from '#app/domain/operations/disable-account.ts';
import { putBackOnStartPage, takeOffStartPage } from '#app/domain/posts/landing/exclusions.ts';
import { copyPictures, getPicture } from '#app/domain/posts/landing/images.ts';
import { clearTopPosts, setLandingConsent } from '#app/domain/posts/landing/top-posts.ts';
import { BAR_REASON_MAX, SHOWN_PICTURE_SIDE } from '#app/domain/posts/limits.ts';
import { markDeleted } from '#app/domain/publishing/state/post-state.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublished, makeShownAuthor } from '#tests/fixtures/published-posts.ts';
import { bombOf, noise, pictureOf } from '#tests/fixtures/screenshots.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
const DESK = '/app/admin/start-page';
const SOON_MS = 10_000;
const DAY_MS = 86_400_000;

await startOutside();
let database: TestDatabase;
let web: Web;
let other: Web;

before(async () => {
  database = await testDatabase();
  [web, other] = await Promise.all([
    startWeb({ databaseUrl: database.url }),
    startWeb({ databaseUrl: database.url }),
  ]);
});

beforeEach(async () => {
  await database.db.updateTable('users').set({ showsPostsSince: null }).execute();
  clearTopPosts(database.db);
});

const adminOf = () => makeUser(database.db, { isAdmin: true, name: 'Ines Okafor' });
const idsAt = async (url: string): Promise<string[]> =>
  (await call(url, 'GET', '/public/top-posts')).body.posts.map(({ id }: { id: string }) => id);
const pageAt = async (url: string) => (await fetch(`${url}/`)).text();

/** Three authors with a post each: as many as the row of the page needs. */
async function showThree() {
  const authors = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const author = await makeShownAuthor(database.db);
    authors.push({ author, id: await makePublished(database.db, author, { content: `Shown ${nth}` }) });
  }
  return authors;
}

/** Once every process shows these posts, on the page too: from then on it keeps what it knows. */
async function untilShown(ids: string[]) {
  for (const { url } of [web, other]) {
    const deadline = performance.now() + 20_000;
    for (;;) {
      const page = await pageAt(url);
      if (ids.every((id) => page.includes(id)) && ids.every((id) => page.includes(`post-${id}`))) break;
      assert.ok(performance.now() < deadline, 'the posts are not shown');
      await wait(50);
    }
  }
}

/** Asks right away and again. A process asks by itself after a second, too: that it is told, `heard` counts. */
async function isGone(id: string, { url }: Web, within = SOON_MS) {
  const deadline = performance.now() + within;
  for (;;) {
    const [ids, page] = await Promise.all([idsAt(url), pageAt(url)]);
    if (!ids.includes(id) && !page.includes(`post-${id}`)) return;
    assert.ok(performance.now() < deadline, `${id} is shown still`);
    await wait(20);
  }
}

describe('an admin', () => {
  test('takes a post off the start page with a reason, at once in every process, and puts it back', async () => {
    const { db } = database;
    const [{ author, id }] = (await showThree()) as [Awaited<ReturnType<typeof showThree>>[number]];
    const admin = await adminOf();
    const desk = await browserOf(db, admin, web.url);
    const shown = mainOf(await desk.read(DESK));
    assert.match(shown, new RegExp(`href="[^"]*\\?take-off=${id}"`));
    assert.match(mainOf(await desk.read(`${DESK}?take-off=${id}`)), /<textarea[^>]*name="reason"/);

    for (const reason of ['', ' ', 'x'.repeat(BAR_REASON_MAX + 1)]) {
      const refused = await desk.post(`${DESK}?take-off=${id}`, { reason });
      assert.equal(refused.status, 422, reason.slice(0, 3));
    }
    await untilShown([id]);
    const reason = 'It names a <customer> who asked us not to';
    const done = await desk.post(`${DESK}?take-off=${id}`, { reason });
    assert.deepEqual([done.status, done.headers.get('Location')], [302, DESK]);
    await isGone(id, web, 0);
    await isGone(id, other);

    const [entry] = (await listAuditLog(db, { action: 'post.taken_off' })).entries;
    assert.deepEqual([entry!.subjectId, entry!.adminId, entry!.detail], [id, admin.userId, { reason }]);
    assert.match(wordsOf(await desk.read('/app/admin/audit')), /Took a post off the start page/);
    assert.match(
      wordsOf(mainOf(await desk.read(DESK))),
      /Taken off .* by Ines Okafor It names a &lt;customer&gt;/,
    );
    const own = wordsOf(mainOf(await (await browserOf(db, author, web.url)).read('/app/account')));
    assert.match(
      own,
      /we took “Shown 0” off the start page: It names a &lt;customer&gt; who asked us not to/,
    );

    const twice = await desk.post(`${DESK}?take-off=${id}`, { reason });
    assert.equal(twice.status, 409);
    const back = await desk.post(`${DESK}?put-back=${id}`, { reason: 'The customer agreed' });
    assert.equal(back.headers.get('Location'), DESK);
    assert.ok((await idsAt(web.url)).includes(id));
    const [last] = (await listAuditLog(db, { action: 'post.put_back' })).entries;
    assert.deepEqual(last!.detail, { reason: 'The customer agreed', before: { reason } });
    assert.equal((await desk.post(`${DESK}?put-back=${id}`, { reason })).status, 409);
  });

  test('has to prove to be the owner of the account before a post is put back, and not to take one off', async () => {
    const { db } = database;
    const author = await makeShownAuthor(db);
    const id = await makePublished(db, author);
    const admin = await adminOf();
    const desk = await browserOf(db, admin, web.url);
    const longAgo = new Date(Date.now() - DAY_MS);
    await db
      .updateTable('sessions')
      .set({ reauthenticatedAt: longAgo })
      .where('userId', '=', admin.userId)
      .execute();
    const off = await desk.post(`${DESK}?take-off=${id}`, { reason: 'Not ours' });
    assert.equal(off.headers.get('Location'), DESK);
    const back = await desk.post(`${DESK}?put-back=${id}`, { reason: 'It is' });
    assert.equal(back.headers.get('Location'), '/app/confirm');
    assert.deepEqual(await idsAt(web.url), []);
  });

  test('can take off nothing that nobody sees, and nobody else can take off anything', async () => {
    const { db } = database;
    const admin = await adminOf();
    const silent = await makeUser(db);
    const hidden = await makePublished(db, silent);
    const bar = (postId: string) => takeOffStartPage(db, admin, { postId, reason: 'Out' });
    for (const id of [hidden, crypto.randomUUID(), 'nothing', '']) {
      await assert.rejects(bar(id), { status: 404 });
      await assert.rejects(putBackOnStartPage(db, admin, { postId: id, reason: 'In' }), { status: 409 });
    }
    const author = await makeShownAuthor(db);
    const id = await makePublished(db, author);
    const own = await browserOf(db, author, web.url);
    const { status } = await own.post(`${DESK}?take-off=${id}`, { reason: 'Mine' });
    assert.ok(status === 404 || status === 403 || status === 302);
    assert.deepEqual(await idsAt(web.url), [id]);
    const older = await makePublished(db, author, { at: new Date(Date.now() - DAY_MS) });
    await bar(id);
    assert.deepEqual(await idsAt(other.url), [older], 'the one before it is shown');
    await setLandingConsent(db, author.userId, false, new Date());
    assert.deepEqual(
      wordsOf(mainOf(await (await browserOf(db, admin, web.url)).read(DESK))).includes('Taken off'),
      false,
      'nothing is listed of who has switched it off',
    );
  });
});

describe('what may be shown no more', () => {
  let heard = 0;
  let endListening: () => Promise<void>;
  before(async () => {
    endListening = listen(database.url, 'start_page', () => heard++);
    await until('it listens', () => heard === 1);
  });
  after(() => endListening());

  const ENDS: Record<string, (shown: Awaited<ReturnType<typeof showThree>>[number]) => Promise<unknown>> = {
    'its author says no': ({ author }) =>
      database.db
        .updateTable('users')
        .set({ showsPostsSince: null })
        .where('id', '=', author.userId)
        .execute(),
    'it is deleted': ({ id }) => transact(database.db, (trx) => markDeleted(trx, id, new Date())),
    'its author leaves': ({ author }) => requestDeletion(database.db, author, null),
    'its author is stopped': async ({ author }) =>
      disableAccount(database.db, await adminOf(), { userId: author.userId, reason: 'Spam' }),
    'its author may not publish any more': ({ author }) =>
      setConnection(database.db, author, { status: 'expired' }),
    'its author is gone': ({ author }) =>
      database.db.deleteFrom('users').where('id', '=', author.userId).execute(),
  };
  for (const [name, end] of Object.entries(ENDS)) {
    test(`is gone in every process as soon as ${name}, whoever did that`, async () => {
      await makePublished(database.db, await makeShownAuthor(database.db));
      const [first] = await showThree();
      await untilShown([first!.id]);
      const told = heard;
      await end(first!);
      await until('every process is told', () => heard > told);
      await Promise.all([isGone(first!.id, web), isGone(first!.id, other)]);
    });
  }
});

describe('the picture of a post', () => {
  test('is our own copy, drawn anew, which its author cannot change; nothing is shown of what we do not hold', async () => {
    const { db } = database;
    let picture = await pictureOf('jpeg', { width: 1_400, height: 700 }, (made) =>
      made.withExif({ IFD0: { Copyright: 'Made at home' } }),
    );
    let asked = 0;
    const host = await serve((_, response) => {
      asked += 1;
      response.end(picture);
    });
    const id = (await showThree())[0]!.id;
    const imageUrl = `${host}/plan.jpg`;
    await db.updateTable('posts').set({ imageUrl, altText: 'A plan' }).where('id', '=', id).execute();
    const address = `${web.url}/shown-pictures/${id}`;
    assert.equal((await fetch(address)).status, 404);
    clearTopPosts(db);
    await copyPictures(db, new Date());
    clearTopPosts(db);
    const copy = await getPicture(db, id);
    const { width, height, format, exif } = await sharp(copy.bytes).metadata();
    assert.deepEqual(
      [width, height, format, exif],
      [SHOWN_PICTURE_SIDE, SHOWN_PICTURE_SIDE / 2, 'webp', undefined],
    );

    await wait(0);
    const deadline = performance.now() + 20_000;
    let answer = await fetch(address);
    while (answer.status !== 200 && performance.now() < deadline) answer = await fetch(address);
    assert.deepEqual(
      ['Content-Type', 'Cache-Control', 'Content-Security-Policy'].map((name) => answer.headers.get(name)),
      ['image/webp', 'public, max-age=60', "default-src 'none'; frame-ancestors 'none'; sandbox"],
    );
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), copy.bytes);
    const [page, api] = [await pageAt(other.url), await call(web.url, 'GET', '/public/top-posts')];
    assert.match(page, new RegExp(`<img src="/shown-pictures/${id}" alt="A plan"`));
    assert.ok(!page.includes(host));
    const post = api.body.posts.find((each: { id: string }) => each.id === id);
    assert.deepEqual([post.imageUrl, post.altText], [address, 'A plan']);

    picture = await pictureOf('png', { width: 20, height: 20 });
    await copyPictures(db, new Date(Date.now() + 3 * DAY_MS));
    assert.equal(asked, 1, 'it is not looked at again');
    assert.deepEqual((await getPicture(db, id)).bytes, copy.bytes);

    await takeOffStartPage(db, await adminOf(), { postId: id, reason: 'Not ours' });
    await isGone(id, web);
    assert.equal((await fetch(address)).status, 404, 'gone with its post');
  });

  test('is none when it cannot be drawn within bounds, and its host is asked once a day', async () => {
    const { db } = database;
    const bad = {
      html: Buffer.from('<html><script>alert(1)</script></html>'),
      gif: Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'),
      bomb: bombOf(30_000, 30_000, Buffer.alloc(10)),
      cut: (await noise(200, 200, 80)).subarray(0, 2_000),
    };
    const asked: string[] = [];
    const host = await serve(({ url }, response) => {
      asked.push(url!);
      response.end(bad[url!.slice(1) as keyof typeof bad]);
    });
    const ids: string[] = [];
    for (const kind of Object.keys(bad))
      ids.push(await makePublished(db, await makeShownAuthor(db), { imageUrl: `${host}/${kind}` }));
    clearTopPosts(db);
    const now = new Date();
    for (let round = 0; round < 3; round += 1) await copyPictures(db, now);
    assert.deepEqual(asked.toSorted(), ['/bomb', '/cut', '/gif', '/html']);
    for (const id of ids) await assert.rejects(getPicture(db, id), { status: 404 });
    const posts = (await call(web.url, 'GET', '/public/top-posts')).body.posts;
    for (const post of posts) assert.deepEqual([post.imageUrl, post.altText], [null, null]);
    await Promise.all([1, 2, 3].map(() => copyPictures(db, new Date(now.getTime() + 2 * DAY_MS))));
    await copyPictures(db, new Date(now.getTime() + 2 * DAY_MS));
    assert.equal(asked.length, 8, 'by several at once, too');
  });
});
