import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { matchRoutes } from 'react-router';
import type { Actor } from '#app/domain/platform/actor.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { makeApp } from '#tests/fixtures/two-step.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { filled, PAGE_PATHS, SHOWN_PATHS, VERB_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

/** Every address of a page there is, but the one for everything else. */
const KNOWN = [...PAGE_PATHS, ...VERB_PATHS].map((path) => ({ path }));

let database: TestDatabase;
let url: string;
let browsers: Browser[];

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { REQUIRE_ADMIN_TWO_STEP: '0' } }));
  const { db } = database;
  browsers = [
    new Browser(url),
    await browserOf(db, await makeUser(db), url),
    await browserOf(db, await makeUser(db, { isAdmin: true }), url),
  ];
});

test('each page of the product that answers has a title that no other has', async () => {
  const pages = new Map<string, Set<string>>();
  for (const path of PAGE_PATHS.filter((each) => each !== '/logout')) {
    for (const browser of browsers) {
      const answer = await browser.get(filled(path));
      const text = await answer.text();
      if (answer.status !== 200 || !answer.headers.get('Content-Type')?.startsWith('text/html')) continue;
      const titles = [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title!);
      assert.equal(titles.length, text.includes('<svg') ? titles.length : 1, path);
      const title = titles[0] ?? '';
      assert.match(title, path === '/' ? /^Tidepost: ./ : /^.{3,} – Tidepost$/, path);
      pages.set(title, (pages.get(title) ?? new Set()).add(path));
    }
  }
  assert.ok(pages.size > 25, `${pages.size} pages`);
  const shared = [...pages].filter(([, paths]) => paths.size > 1).map(([title, paths]) => [title, ...paths]);
  assert.deepEqual(shared, []);
});

test('on no page have two parts the same id, by which a field finds its form and a link its place', async () => {
  const twice: string[] = [];
  for (const path of PAGE_PATHS.filter((each) => each !== '/logout')) {
    for (const help of ['', '?help=support', '?help=feedback']) {
      for (const browser of browsers) {
        const answer = await browser.get(filled(path) + help);
        const text = await answer.text();
        if (!answer.headers.get('Content-Type')?.startsWith('text/html')) continue;
        const ids = [...text.replaceAll(/<script.*?<\/script>/gs, '').matchAll(/<[^>]* id="([^"]*)"/g)];
        const said = ids.map(([, id]) => id!);
        twice.push(...said.filter((id, at) => said.indexOf(id) < at).map((id) => `${path}${help}: ${id}`));
      }
    }
  }
  assert.deepEqual(twice, []);
});

function noteDescription(pages: Map<string, string[]>, path: string, html: string): void {
  const [found, ...others] = html.matchAll(/<meta name="description" content="([^"]*)"/g);
  const description = found?.[1] ?? '';
  assert.ok(description.length >= 40 && description.length <= 320, `${path}: ${description}`);
  assert.deepEqual(others, [], path);
  pages.set(description, [...(pages.get(description) ?? []), path]);
}

test('each page that a visitor is shown has a description that no other has', async () => {
  const pages = new Map<string, string[]>();
  for (const path of PAGE_PATHS.filter((each) => each !== '/logout')) {
    const answer = await browsers[0]!.get(filled(path, { provider: 'google' }));
    if (answer.status !== 200 || !answer.headers.get('Content-Type')?.startsWith('text/html')) continue;
    noteDescription(pages, path, await answer.text());
  }
  assert.ok(pages.size >= 9, `${pages.size} pages`);
  assert.deepEqual(
    [...pages].filter(([, paths]) => paths.length > 1),
    [],
  );
});

/** Something that is there for each page of the app that is about one thing, by its path. */
async function thingsOf(person: Actor): Promise<Record<string, string>> {
  const { db } = database;
  const { userId, name, email } = person;
  const asked = { name, email, category: 'general', subject: 'A question', message: 'Is it so?' } as const;
  return {
    '/app/support/:id': (await submitTicket(db, person, asked)).id,
    '/app/posts/:id/versions': await makeScheduledPost(db, person),
    '/app/payments/:id/receipt': (await makePlan(db, person, 1)).id,
    '/app/admin/users/:id': userId,
    '/app/admin/ledgers/:id': userId,
  };
}

/** Somebody who has proved who they are long ago, and is asked to do so again. */
async function longAgo(): Promise<Browser> {
  const { db } = database;
  const person = await makeUser(db);
  const browser = await browserOf(db, person, url);
  const at = new Date(Date.now() - 86_400_000);
  await db
    .updateTable('sessions')
    .set({ reauthenticatedAt: at })
    .where('userId', '=', person.userId)
    .execute();
  await browser.post('/app/account/data/export');
  return browser;
}

test('each page that somebody signed in is shown has a description that no other has', async () => {
  const { db } = database;
  const [person, guarded] = [await makeUser(db), await makeUser(db)];
  const things = await thingsOf(person);
  const signedIn = await browserOf(db, person, url);
  await makeApp(db, guarded);
  const withApp = await browserOf(db, guarded, url);
  const others: Record<string, Browser> = {
    '/app/account/recovery-codes': withApp,
    '/app/account/remove-factor': withApp,
    '/app/confirm': await longAgo(),
  };
  const pages = new Map<string, string[]>();
  for (const path of SHOWN_PATHS) {
    const address = filled(path, { id: things[path]! });
    const browser = others[path] ?? (path.startsWith('/app/admin') ? browsers[2]! : signedIn);
    const answer = await browser.get(address);
    assert.equal(answer.status, 200, `${path} ${answer.status} ${answer.headers.get('Location')}`);
    noteDescription(pages, path, await answer.text());
  }
  assert.deepEqual(
    [...pages].filter(([, paths]) => paths.length > 1),
    [],
  );
});

test('what is beside each address of the product leads to the start page, for everybody', async () => {
  const beside = PAGE_PATHS.flatMap((path) => [
    `${filled(path)}-nothing`,
    `${filled(path)}/nothing/at-all/here`,
  ])
    .map((path) => path.replace(/^\/\//, '/'))
    // What begins with a dot is nobody's.
    .filter((path) => !matchRoutes(KNOWN, path) && !path.startsWith('/.'));
  assert.ok(beside.length > 80, `${beside.length} addresses`);
  for (const browser of browsers)
    for (const path of beside) {
      const answer = await browser.get(path);
      assert.deepEqual([path, answer.status, answer.headers.get('Location')], [path, 302, '/']);
    }
});

test('a page that fails has a title, a way on and the frame of its reader', async () => {
  const [visitor, user, admin] = browsers as [Browser, Browser, Browser];
  for (const [browser, path, way] of [
    [visitor, '/auth/nobody', 'href="/"'],
    [user, '/app/payments/nothing/receipt', 'href="/app/dashboard"'],
    [user, '/app/admin', 'href="/app/dashboard"'],
    [admin, '/app/payments/nothing/receipt', 'href="/app/admin"'],
  ] as const) {
    const answer = await browser.get(path);
    const text = await answer.text();
    assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${answer.status}`);
    assert.match(text, /<h1[^>]*>[^<]{5,}<\/h1>/, path);
    assert.match(text, /<title>[^<]*Tidepost[^<]*<\/title>/, path);
    assert.ok(text.includes(way), `${path} has ${way}`);
    assert.match(text, /<a [^>]*class="[^"]*help-link[^"]*"/, `${path} has the button of help`);
  }
});

test('any other path leads to the start page, by GET and HEAD, and below /api to nothing', async () => {
  const [visitor] = browsers;
  for (const path of [
    '/nothing',
    '/app/nothing',
    '/nothing/at/all.html',
    '/pricing?plan=1',
    '/%F0%9F%8C%8A',
  ]) {
    for (const ask of ['get', 'head'] as const) {
      const answer = await visitor![ask](path);
      assert.deepEqual([path, answer.status, answer.headers.get('Location')], [path, 302, '/']);
    }
  }
  for (const path of ['/api/v1/nothing', '/api/v1/public/nothing', '/api/v1']) {
    for (const ask of ['get', 'head'] as const) {
      const answer = await visitor![ask](path);
      assert.deepEqual([path, answer.status, answer.headers.get('Location')], [path, 404, null]);
    }
  }
  assert.equal((await visitor!.get('/assets/nothing.js')).status, 404);
});
