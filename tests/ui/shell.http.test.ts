import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getShellState } from '#app/domain/pages/shell.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
const { db, url: databaseUrl } = await testDatabase();
const { url } = await startWeb({ databaseUrl, env: { LOG_LEVEL: 'silent' } });

/** The page without what only scripts read. */
const seen = (html: string) => html.replaceAll(/<script.*?<\/script>|<link[^>]*>/gs, '');

test('a page that fails, and a form, leave the way to the other pages, and name the request', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  await db.schema.alterTable('topics').renameTo('topics_away').execute();
  try {
    const answers = [
      await browser.get('/app/topics'),
      await browser.post('/app/topics', { name: 'Hiring', tone: 'professional' }),
      await browser.post('/app/topics/00000000-0000-4000-8000-000000000000/toggle'),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 500);
      const html = seen(await answer.text());
      assert.match(html, /<title>Something went wrong on our side/);
      assert.match(html, /Your posts are safe, and publishing does not wait for this page\./);
      assert.doesNotMatch(html, /will still go out/);
      assert.match(html, /aria-label="Main"/);
      assert.match(html, />(?:Retry|Try again)</);
      assert.ok(html.includes(answer.headers.get('X-Request-Id')!), 'the request is named');
    }
  } finally {
    await db.schema.alterTable('topics_away').renameTo('topics').execute();
  }
  assert.equal((await browser.get('/app/topics')).status, 200);
});

test('an address that is not there says so beside the way to those that are', async () => {
  const browser = await browserOf(db, await makeUser(db), url);
  const answer = await browser.get('/app/topics/00000000-0000-4000-8000-000000000000/fly');
  assert.equal(answer.status, 404);
  const html = seen(await answer.text());
  assert.match(html, /Page not found/);
  assert.match(html, /aria-label="Main"/);
  assert.doesNotMatch(html, /name the request/);
});

test('what is not there has three likely places beside it, those of its reader, and a search of the answers', async () => {
  const [user, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const nowhere = '00000000-0000-4000-8000-000000000000';
  for (const [actor, address, places] of [
    [user, `/app/topics/${nowhere}/fly`, ['/app/dashboard', '/app/scheduled', '/app/posts']],
    [user, '/app/admin', ['/app/dashboard', '/app/scheduled', '/app/posts']],
    [
      admin,
      `/app/admin/users/${nowhere}`,
      ['/app/admin', '/app/admin?tab=users', '/app/admin/support-feedback'],
    ],
  ] as const) {
    const browser = await browserOf(db, actor, url);
    const html = seen(await (await browser.get(address)).text());
    const [, likely] = /<nav aria-label="Likely places"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    assert.deepEqual(
      [...likely!.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
      places,
    );
    for (const place of places) assert.ok([200, 302].includes((await browser.get(place)).status), place);
    assert.match(html, /<form [^>]*action="\/help"[^>]*>.*<input type="search"[^>]*name="q"/s);
    assert.doesNotMatch(html, />Retry</);
  }
});

test('a page for others says to whom it is not shown', async () => {
  const actor = await makeUser(db);
  const answer = await (await browserOf(db, actor, url)).get('/app/admin');
  assert.equal(answer.status, 403);
  const html = seen(await answer.text());
  assert.ok(html.includes(`This page is for administrators. You are signed in as ${actor.email}.`));
  assert.match(html, /aria-label="Main"/);
});

test('a visitor whom a page fails is told of no posts, and finds the way to the start page', async () => {
  await db.schema.alterTable('users').renameTo('users_away').execute();
  try {
    const form = { email: 'ada@people.example', password: 'a password' };
    const answer = await new Browser(url).post('/login', form);
    assert.equal(answer.status, 500);
    const html = seen(await answer.text());
    assert.match(html, /Something went wrong on our side/);
    assert.doesNotMatch(html, /Your posts are safe|dashboard/);
    assert.match(html, /<a href="\/" class="btn[^>]*>Go to the start page</);
    const menu = /<nav aria-label="Main"[\s\S]*?<\/nav>/.exec(html)![0];
    for (const href of ['/', '/login']) assert.ok(menu.includes(`href="${href}"`), href);
    assert.match(html, /<a [^>]*href="\/help"/);
  } finally {
    await db.schema.alterTable('users_away').renameTo('users').execute();
  }
});

test('a browser keeps the colours that its reader chose, signed in or not, until the system decides again', async () => {
  const visitor = new Browser(url);
  const member = await browserOf(db, await makeUser(db), url);
  for (const [browser, address] of [
    [visitor, '/login'],
    [visitor, '/'],
    [member, '/app/topics'],
  ] as const) {
    const themeOf = async () => /<html[^>]*?data-theme="(\w+)"/.exec(await browser.read(address))?.[1];
    assert.equal(await themeOf(), undefined);
    for (const theme of ['dark', 'light']) {
      assert.equal((await browser.post('/theme', { theme })).status, 302);
      assert.equal(await themeOf(), theme);
      assert.match(await browser.read(address), new RegExp(`name="color-scheme" content="${theme}"`));
      assert.match(await browser.read(address), new RegExp(`value="${theme}" aria-pressed="true"`));
    }
    await browser.post('/theme', { theme: 'system' });
    assert.equal(await themeOf(), undefined);
    await browser.post('/theme', { theme: '"><script>' });
    assert.equal(await themeOf(), undefined);
  }
});

test('who chooses colours comes back to the page, and to nowhere else', async () => {
  const from = async (referer: string) => {
    const headers = { Origin: url, 'Sec-Fetch-Site': 'same-origin', Referer: referer };
    const body = new URLSearchParams({ theme: 'dark' });
    const answer = await fetch(`${url}/theme`, { method: 'POST', headers, body, redirect: 'manual' });
    return answer.headers.get('Location');
  };
  assert.equal(await from(`${url}/app/topics?dialog=topic`), '/app/topics?dialog=topic');
  assert.equal(await from(`${url}//evil.example/x`), '/evil.example/x');
  assert.equal(await from(`${url}/\\evil.example`), '/evil.example');
  assert.equal(await from('no address'), '/');
});

test('beside Scheduled Posts stands how many posts wait for approval', async () => {
  const actor = await makePublisher(db, outside.url);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const make = (days: number) =>
    makeScheduledPost(db, actor, { content: `Post ${days}.`, dueAt: inDays(days) });
  const [one, two] = [await make(1), await make(2)];
  await make(3);
  await standAs(db, one, { status: 'pending' });
  await standAs(db, two, { status: 'pending' });
  assert.equal((await getShellState(db, actor)).waiting, 2);
  const browser = await browserOf(db, actor, url);
  assert.match(
    seen(await browser.read('/app/topics')).replaceAll('<!-- -->', ''),
    /2<span[^>]*> wait for approval/,
  );
  await standAs(db, two, { status: 'generated' });
  assert.equal((await getShellState(db, actor)).waiting, 1);
  assert.equal((await getShellState(db, await makeUser(db))).waiting, 0);
});

test('the picture that LinkedIn has of somebody stands beside their name, else their initials', async () => {
  const actor = await makePublisher(db, outside.url);
  const browser = await browserOf(db, actor, url);
  const set = (picture: string | null) =>
    db.updateTable('linkedinConnections').set({ picture }).where('userId', '=', actor.userId).execute();
  await set('https://media.example/me.jpg');
  const answer = await browser.get('/app/topics');
  assert.match(await answer.text(), /<img src="https:\/\/media\.example\/me\.jpg"/);
  assert.match(answer.headers.get('Content-Security-Policy')!, /img-src [^;]*https:/);
  await set(null);
  assert.match(seen(await browser.read('/app/topics')), /class="avatar[^"]*">(?:<!-- -->|\w){1,12}</);
});
