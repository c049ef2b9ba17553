import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { head, parseHead, speak } from '#tests/harness/http/raw.ts';
import { startWeb } from '#tests/harness/web.ts';

/** Rendered for each visitor; '/' and '/login' are shared: see page-cache.http.test.ts. */
const OWN_PAGES = ['/signup', '/terms', '/privacy', '/imprint'];
const PAGES = ['/', '/login', ...OWN_PAGES];

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

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A page without what is of one rendering alone. */
function common({ body }: Answer): string {
  const nonce = / nonce="([^"]+)"/.exec(body)?.[1];
  return (nonce ? body.replaceAll(nonce, 'NONCE') : body).replaceAll(UUID, 'ID');
}

const currencyOf = ({ body }: Answer) =>
  /href="\/\?currency=([A-Z]{3})#prices"[^>]*aria-current="true"/.exec(body)?.[1];

describe('a page that is the same for all visitors', () => {
  test('has a nonce and an id of its own in each answer, and says nothing of another', async () => {
    for (const path of OWN_PAGES) {
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
    assert.match((await ask('/signup')).body, / nonce="/);
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
      for (const [encodings, encoding] of [
        ['gzip, br', 'br'],
        ['gzip', 'gzip'],
        ['gzip;q=0', undefined],
      ] as const) {
        for (let n = 0; n < 3; n += 1) {
          const answer = await fetch(url + path, { headers: { 'Accept-Encoding': encodings } });
          assert.equal(answer.headers.get('Content-Encoding') ?? undefined, encoding, path);
          assert.match(answer.headers.get('Vary') ?? '', /Accept-Encoding/);
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
