import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { forgetTopPosts } from '#app/domain/posts/top-posts.ts';
import { answerBy } from '#app/http/answer-pages.ts';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { makeUser, PASSWORD } from '#tests/make/accounts.ts';
import { Browser } from '#tests/make/browser.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';
import { until } from '#tests/worker/until.ts';
import { head, parseHead, speak } from './raw.ts';

const PAGES = ['/', '/login', '/signup', '/terms', '/privacy', '/imprint'];

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** As it stands on the wire: fetch would add headers of its own. */
async function ask(path: string, headers: string[] = [], { method = 'GET', host = '127.0.0.1' } = {}) {
  const answer = parseHead(await speak(url, [head(`${method} ${path}`, headers, host)]));
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '';
  return { ...answer, nonce, requestId: answer.headers.get('x-request-id') ?? '' };
}

type Answer = Awaited<ReturnType<typeof ask>>;

/** A page without what is of one answer alone. */
const common = ({ body, nonce, requestId }: Answer) =>
  body.replaceAll(nonce, 'NONCE').replaceAll(requestId, 'ID');

const currencyOf = ({ body }: Answer) =>
  /href="\/\?currency=([A-Z]{3})#prices"[^>]*aria-current="true"/.exec(body)?.[1];

describe('a page that is the same for all visitors', () => {
  test('has a nonce and an id of its own in each answer, and says nothing of another', async () => {
    for (const path of PAGES) {
      const answers: Answer[] = [];
      for (let n = 0; n < 4; n += 1) answers.push(await ask(path));
      for (const own of ['nonce', 'requestId'] as const)
        assert.equal(new Set(answers.map((answer) => answer[own])).size, answers.length, `${path} ${own}`);
      for (const answer of answers) {
        assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
        for (const [, nonce] of answer.body.matchAll(/ nonce="([^"]*)"/g)) assert.equal(nonce, answer.nonce);
        const others = answers.filter((other) => other !== answer);
        for (const { nonce, requestId } of others)
          assert.ok(!answer.body.includes(nonce) && !answer.body.includes(requestId), path);
        assert.equal(common(answer), common(answers[0]!), path);
      }
    }
    assert.match((await ask('/login')).body, / nonce="/);
  });

  test('is the same whoever asked before, whatever they brought along', async () => {
    const clean = new Map<string, string>();
    for (const path of PAGES) clean.set(path, common(await ask(path)));
    const brought = [
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-For: 203.0.113.9',
      'Referer: https://evil.example/"><script>alert(1)</script>',
      'User-Agent: <script>alert(1)</script>',
      'Authorization: Bearer evil',
      'X-Request-Id: evil',
      'Accept: application/json',
    ];
    const cookies = [
      'theme=dark',
      'theme=dark; a=b',
      'theme=evil',
      'theme=light; theme=dark',
      'tidepost=evil',
      'notices=evil',
    ];
    const languages = ['de', 'en-GB', 'evil-"><script>', 'x'.repeat(5_000)];
    for (const path of PAGES) {
      const hostile = [
        ...cookies.map((cookie) => ask(path, [...brought, `Cookie: ${cookie}`], { host: 'evil.example' })),
        ...languages.map((language) => ask(path, [...brought, `Accept-Language: ${language}`])),
        ...['?', '?currency=EUR', '?to=%2F%2Fevil', '?failed=cancelled', '?evil'].map((query) =>
          ask(path + query, brought),
        ),
        ask(path, brought, { method: 'HEAD' }),
        ask(path, [...brought, 'Content-Length: 0'], { method: 'POST' }),
      ];
      const answers = await Promise.all(hostile);
      assert.equal(answers.at(-2)!.body, '', 'a HEAD has no body');
      for (const { body } of answers) assert.ok(!/evil\.example|<script>alert/.test(body), path);
      for (const one of [await ask(path), await ask(path, brought), await ask(path, ['Cookie:'])])
        assert.equal(common(one), clean.get(path), path);
    }
  });

  test('is another one in each currency and theme, side by side', async () => {
    const currencies = {
      'hi, en;q=0.5': 'INR',
      'en-GB': 'GBP',
      'de-AT': 'EUR',
      'ar-AE': 'AED',
      fr: 'EUR',
      en: 'USD',
    };
    for (let round = 0; round < 2; round += 1) {
      for (const theme of [undefined, 'light', 'dark']) {
        const cookie = theme ? [`Cookie: theme=${theme}`] : [];
        const asked = Object.entries(currencies).map(async ([language, currency]) => {
          const answer = await ask('/', [`Accept-Language: ${language}`, ...cookie]);
          assert.equal(currencyOf(answer), currency, language);
          assert.equal(/<html [^>]*data-theme="(\w+)"/.exec(answer.body)?.[1], theme, language);
          assert.match(answer.headers.get('vary')!, /Accept-Language/);
        });
        await Promise.all(asked);
      }
    }
    assert.equal(currencyOf(await ask('/?currency=GBP')), 'GBP');
    assert.equal(currencyOf(await ask('/')), 'USD');
  });

  test('is packed for who reads that, and for nobody else', async () => {
    for (const path of ['/', '/login']) {
      for (const [encodings, encoding, unpack] of [
        ['gzip, br', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['gzip;q=0', undefined, undefined],
      ] as const) {
        for (let n = 0; n < 3; n += 1) {
          const answer = await fetch(url + path, { headers: { 'Accept-Encoding': encodings } });
          assert.equal(answer.headers.get('Content-Encoding') ?? undefined, encoding, path);
          assert.equal(/Accept-Encoding/.test(answer.headers.get('Vary') ?? ''), Boolean(unpack));
          assert.match(await answer.text(), /^<!DOCTYPE html>[\s\S]*<\/html>$/);
        }
      }
    }
  });

  test('is not what somebody gets who is signed in, nor do others get theirs', async () => {
    const { db } = database;
    const actor = await makeUser(db);
    const browser = await browserOf(db, actor, url);
    for (let round = 0; round < 2; round += 1) {
      const [visitor, viewer] = await Promise.all([ask('/'), browser.read('/')]);
      assert.match(visitor.body, /href="\/login"/);
      assert.doesNotMatch(visitor.body, /href="\/logout"|href="\/app\/dashboard"/);
      assert.match(viewer, /href="\/app\/dashboard"/);
      assert.equal((await browser.get('/login')).headers.get('Location'), '/app/dashboard');
      assert.equal((await ask('/login')).status, 200);
    }
  });

  test('tells a visitor once what waits for them, and nobody else', async () => {
    await ask('/login');
    const browser = new Browser(url);
    await browser.get('/verify-otp');
    const waits = /No email found\. Please sign up first\./;
    assert.doesNotMatch((await ask('/signup')).body, waits);
    assert.match(await browser.read('/signup'), waits);
    assert.doesNotMatch((await ask('/signup')).body, waits);
    assert.doesNotMatch(await browser.read('/signup'), waits);
  });

  test('gives back what was typed to its sender alone', async () => {
    const browser = new Browser(url);
    const refused = await browser.post('/login', { email: 'typed@tidepost.example', password: PASSWORD });
    assert.match(await refused.text(), /typed@tidepost\.example/);
    assert.doesNotMatch((await ask('/login')).body, /typed@tidepost\.example/);
  });

  test('shows soon what another process has changed', async () => {
    const { db } = database;
    assert.match((await ask('/', ['Accept-Language: en'])).body, /\$6</);
    await db
      .updateTable('prices')
      .set({ amountMinor: 777 })
      .where('currencyCode', '=', 'USD')
      .where('postsPerDay', '=', 1)
      .execute();
    const until = performance.now() + 5_000;
    while (!/\$7\.77</.test((await ask('/', ['Accept-Language: en'])).body))
      assert.ok(performance.now() < until, 'the old price still stands there');
  });
});

/** A server that answers by routes of the test's own, and how often these were asked for each address. */
async function serve(page: (request: Request, nth: number) => Promise<Response> | Response) {
  const asked = new Map<string, number>();
  const answer = answerBy(async (request) => {
    const { pathname } = new URL(request.url);
    const nth = (asked.get(pathname) ?? 0) + 1;
    asked.set(pathname, nth);
    return page(request, nth);
  });
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = async (path: string, init?: RequestInit) => (await fetch(own + path, init)).text();
  return { get, asked };
}

const HEADERS = {
  'Content-Type': 'text/html',
  'Content-Security-Policy': "script-src 'nonce-once'",
  'X-Request-Id': 'id',
};
const page = (text: string, init: ResponseInit = {}) =>
  new Response(text, { ...init, headers: { ...HEADERS, ...init.headers } });

describe('what is kept', () => {
  test('is made once for all who ask at the same time', async () => {
    const { get, asked } = await serve((_, nth) => page(`made ${nth}`));
    // The first call of a process takes long, and a page is kept for a second.
    await get('/terms');
    const texts = await Promise.all(Array.from({ length: 20 }, () => get('/login')));
    assert.deepEqual(new Set(texts), new Set(['made 1']));
    assert.equal(asked.get('/login'), 1);
  });

  test('is asked for with nothing but what it is kept by', async () => {
    let seen: [string, string][] = [];
    const { get } = await serve((request) => {
      seen = [...request.headers];
      return page('made');
    });
    const headers = {
      'Accept-Language': 'de-CH, en;q=0.5',
      'X-Anything': 'evil',
      Referer: 'https://evil.example',
    };
    await get('/', { headers });
    assert.deepEqual(seen, []);
    await get('/', { headers: { ...headers, 'Accept-Language': 'de', Cookie: 'theme=dark' } });
    assert.deepEqual(seen, [
      ['accept-language', 'und-AT'],
      ['cookie', 'theme=dark'],
    ]);
  });

  test('is made anew once a post may be shown no more, also while it was being made', async () => {
    const held = Promise.withResolvers<void>();
    const { get, asked } = await serve(async (_, nth) => {
      if (nth === 2) await held.promise;
      return page(`made ${nth}`);
    });
    assert.equal(await get('/'), 'made 1');
    forgetTopPosts(database.db);
    const before = get('/');
    await until('it is being made', () => asked.get('/') === 2);
    forgetTopPosts(database.db);
    assert.equal(await get('/'), 'made 3');
    held.resolve();
    assert.equal(await before, 'made 2');
    assert.equal(await get('/'), 'made 3');
  });

  test('stays whatever anybody sends: refused, redirected, done or failed', async () => {
    const { get, asked } = await serve((request, nth) => {
      if (request.url.endsWith('/fails')) throw new Error('This is meant to fail');
      if (request.method === 'GET') return page(`made ${nth}`);
      return new Response('', { status: Number(request.url.slice(-3)), headers: { 'X-Request-Id': 'id' } });
    });
    assert.equal(await get('/'), 'made 1');
    for (const path of ['/x/403', '/x/405', '/x/422', '/x/429', '/x/200', '/x/503', '/fails'])
      for (const method of ['POST', 'DELETE', 'PUT']) await get(path, { method });
    await get('/x/302', { method: 'POST', redirect: 'manual' });
    assert.deepEqual([await get('/'), asked.get('/')], ['made 1', 1]);
  });

  test('is no other page, no other method, nothing with a query or a cookie, and no answer but a whole page', async () => {
    const { get, asked } = await serve((request, nth) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/imprint') return page(`failed ${nth}`, { status: 503 });
      if (pathname === '/terms') return page(`own ${nth}`, { headers: { 'Set-Cookie': 'a=b' } });
      return page(`made ${nth}`);
    });
    for (const path of ['/app/dashboard', '/login/', '/login?', '/?a', '/verify-otp', '/login.data']) {
      await get(path);
      assert.notEqual(await get(path), await get(path), path);
    }
    assert.notEqual(await get('/imprint'), await get('/imprint'));
    assert.notEqual(await get('/terms'), await get('/terms'));
    const Cookie = 'tidepost=somebody';
    assert.notEqual(
      await get('/signup', { headers: { Cookie } }),
      await get('/signup', { headers: { Cookie } }),
    );
    await get('/privacy', { method: 'HEAD' });
    await get('/privacy', { method: 'HEAD' });
    assert.equal(asked.get('/privacy'), 2);
  });
});
