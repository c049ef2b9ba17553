import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { RouterContextProvider } from 'react-router';
import {
  cachePage,
  clearPageCache,
  hashScripts,
  sendCachedPage,
  sharePage,
} from '#app/http/server/page-cache.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let url: string;

before(async () => {
  const { url: databaseUrl } = await testDatabase();
  ({ url } = await startWeb({ databaseUrl }));
});

const NONCE = /'nonce-([^']+)'/;

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, { headers });
  assert.equal(answer.status, 200, path);
  return {
    html: await answer.text(),
    policy: answer.headers.get('Content-Security-Policy')!,
    requestId: answer.headers.get('X-Request-Id'),
    headers: answer.headers,
  };
}

test('/login is rendered once for visitors who come one after the other', async () => {
  // Between two of them the second may end, but not between each pair.
  for (let pair = 0; pair < 10; pair += 1) {
    const [first, next] = [await open('/login'), await open('/login')];
    assert.notEqual(first.requestId, next.requestId, 'each response has an id of its own');
    if (first.html === next.html) return;
  }
  assert.fail('no page was sent twice');
});

for (const path of ['/', '/login']) {
  test(`the policy of ${path} names each of its scripts by its hash, and has no nonce`, async () => {
    const { html, policy, headers } = await open(path);
    assert.doesNotMatch(policy, NONCE);
    assert.doesNotMatch(policy, /script-src[^;]*'unsafe-inline'/);
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.match(headers.get('Reporting-Endpoints') ?? '', /csp/);
    const scripts = [...html.matchAll(/<script(?![^>]*(?:ld\+json| src=))[^>]*>(.*?)<\/script>/gs)];
    assert.ok(scripts.length > 0);
    for (const [, text] of scripts) {
      const hash = createHash('sha256').update(text!).digest('base64');
      assert.ok(policy.includes(`'sha256-${hash}'`), text!);
    }
  });

  test(`${path} is rendered anew for a visitor with a cookie or a query`, async () => {
    await open(path);
    const withCookie = [await open(path, { Cookie: 'a=b' }), await open(path, { Cookie: 'a=b' })];
    const withQuery = [await open(`${path}?a=b`), await open(`${path}?a=b`)];
    const nonces = [...withCookie, ...withQuery].map(({ policy }) => NONCE.exec(policy)?.[1]);
    assert.equal(new Set(nonces).size, 4);
    assert.ok(nonces.every(Boolean));
  });
}

test('visitors of another language or encoding get a page of their own', async () => {
  const british = await open('/', { 'Accept-Language': 'en-GB' });
  const indian = await open('/', { 'Accept-Language': 'en-IN' });
  assert.match(british.html, /£/);
  assert.doesNotMatch(indian.html.replace(/<select.*?<\/select>/s, ''), /£\d/);
  const plain = await open('/login', { 'Accept-Encoding': 'identity' });
  const packed = await open('/login', { 'Accept-Encoding': 'gzip' });
  assert.equal(plain.headers.get('Content-Encoding'), null);
  assert.equal(packed.headers.get('Content-Encoding'), 'gzip');
  assert.match(packed.html, /<html/);
});

test('what a cookie shows to one visitor is not kept for the next', async () => {
  // The first rendering of a process may not be kept: it forgets all pages once it hears of changes.
  for (let round = 0; round < 3; round += 1) {
    const dark = await open('/login', { Cookie: 'theme=dark' });
    assert.match(dark.html, /data-theme="dark"/);
    const next = await open('/login');
    assert.doesNotMatch(next.html, /data-theme/);
  }
});

/** A server that sends kept pages, and "rendered" where there is none. */
async function serveKept(now: () => number) {
  const server = createServer((request, response) => {
    if (!sendCachedPage(request, response, now())) response.end('rendered');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  return { server, ask: async (path: string, init = {}) => (await fetch(address + path, init)).text() };
}

test('a page is kept for a second and no longer, for GET alone, and until it is forgotten', async (t) => {
  const start = 1_000_000;
  let now = start;
  const { server, ask } = await serveKept(() => now);
  t.after(() => server.close());
  let count = 0;
  const begin = (path: string, { method = 'GET', ...init }: ResponseInit & { method?: string } = {}) => {
    const headers = { 'Accept-Language': '*', 'Accept-Encoding': 'gzip, deflate' };
    const request = new Request(`http://127.0.0.1${path}`, { method, headers });
    const context = new RouterContextProvider();
    sharePage(request, context);
    count += 1;
    const response = new Response(`kept ${count}`, init);
    return () => cachePage(request, context, response, path, now);
  };
  await begin('/a')();
  assert.equal(await ask('/a'), 'kept 1');
  assert.equal(await ask('/a', { method: 'POST' }), 'rendered');
  assert.equal(await ask('/a?b'), 'rendered');
  assert.equal(await ask('/b'), 'rendered');
  now = start + 999;
  assert.equal(await ask('/a'), 'kept 1');
  now = start + 1_000;
  assert.equal(await ask('/a'), 'rendered');

  for (const [path, init] of [
    ['/posted', { method: 'POST' }],
    ['/asked?a=b', {}],
    ['/told', { headers: { 'Set-Cookie': 'a=b' } }],
  ] as const) {
    await begin(path, init)();
    assert.equal(await ask(path.split('?')[0]!), 'rendered', path);
  }

  await begin('/a')();
  const finish = begin('/b');
  clearPageCache();
  await finish();
  assert.deepEqual([await ask('/a'), await ask('/b')], ['rendered', 'rendered']);

  for (let nth = 0; nth < 150; nth += 1) await begin(`/${nth}`)();
  await begin('/50')();
  const sent = await Promise.all(Array.from({ length: 150 }, (_, nth) => ask(`/${nth}`)));
  const kept = sent.map((body) => body !== 'rendered');
  assert.deepEqual(kept, [...Array(50).fill(false), ...Array(100).fill(true)], 'the newest 100 are kept');
});

test('only scripts with the nonce of the rendering are named by their hashes', () => {
  const hashes = hashScripts(
    '<script nonce="N" src="a"></script><script async nonce="N">one</script><script nonce="M">two</script><script>three</script>',
    'N',
  );
  assert.deepEqual(hashes, [`'sha256-${createHash('sha256').update('one').digest('base64')}'`]);
});
