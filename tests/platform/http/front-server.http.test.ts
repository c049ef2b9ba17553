import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import type { Actor } from '#app/domain/platform/actor.ts';
import { guardServer } from '#app/http/server/front-server.ts';
import { ROOT } from '#scripts/run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { head, parseHead, speak } from '#tests/harness/http/raw.ts';
import { API_PATHS, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';
import { soon } from '#tests/harness/worker/until.ts';

const LIMIT = 64 * 1024;
let database: TestDatabase;
let url: string;
let said: () => string;
let actor: Actor;
let admin: { browser: Browser; token: string };
let token: string;

before(async () => {
  database = await testDatabase();
  ({ url, said } = await startWeb({ databaseUrl: database.url, env: { ALLOW_PRIVATE_IMAGES: '0' } }));
  actor = await makeUser(database.db);
  token = await tokenOf(database.db, actor);
  const boss = await makeUser(database.db, { isAdmin: true });
  admin = { browser: await browserOf(database.db, boss, url), token: await tokenOf(database.db, boss) };
});

const cookieOf = (browser: Browser) =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

const filled = (address: string) =>
  address.replace(':currency', 'USD').replace(':act', 'publish').replaceAll(/:\w+/g, crypto.randomUUID());

/** Sends a form as bytes of any type from one of our own pages. */
async function sendForm(address: string, body: BodyInit | undefined, type?: string, from = admin.browser) {
  const headers = { Origin: url, Cookie: cookieOf(from), ...(type && { 'Content-Type': type }) };
  const init = { method: 'POST', headers, body, redirect: 'manual' as const };
  const answer = await fetch(url + address, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const URLENCODED = 'application/x-www-form-urlencoded';

describe('a form that none of ours sends', () => {
  const many = new URLSearchParams(Array.from({ length: 101 }, (_, n) => [`field${n}`, 'x'])).toString();
  const forms: [why: string, status: number, body: string | Buffer, type: string][] = [
    ['an index that fills the memory', 400, 'email[99999999]=x', URLENCODED],
    ['an index that takes seconds', 400, 'email[5000000]=x', URLENCODED],
    ['an index of three digits', 400, 'publishTimes[100]=x', URLENCODED],
    ['many levels', 400, 'a.b.c.d.e.f=x', URLENCODED],
    ['many levels of brackets', 400, `a${'[0]'.repeat(30)}=x`, URLENCODED],
    ['a name that is a prototype', 400, '__proto__.isAdmin=1', URLENCODED],
    ['a name that is a constructor', 400, 'constructor.prototype.isAdmin=1', URLENCODED],
    ['an order to the form library', 400, '__intent__=%7B%22type%22%3A%22insert%22%7D', URLENCODED],
    ['a long name', 400, `${'n'.repeat(61)}=x`, URLENCODED],
    ['no name', 400, '=x', URLENCODED],
    ['101 fields', 400, many, URLENCODED],
    ['more than 64 KiB', 413, `name=${'x'.repeat(LIMIT)}`, URLENCODED],
    ['JSON', 415, '{"email":"a@example.com"}', 'application/json'],
    ['plain text', 415, 'email=a@example.com', 'text/plain'],
    ['no type', 415, Buffer.from('email=a@example.com'), ''],
    ['a broken multipart', 400, '--x\r\nContent-Disposition: form-data', 'multipart/form-data; boundary=x'],
    ['a multipart without a boundary', 400, 'email', 'multipart/form-data'],
    [
      'a file',
      400,
      '--x\r\nContent-Disposition: form-data; name="email"; filename="a.txt"\r\n\r\nx\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
  ];

  for (const [why, status, body, type] of forms) {
    test(`is refused with a sentence on every page: ${why}`, async () => {
      for (const address of PAGE_PATHS.map(filled)) {
        const begun = performance.now();
        const answer = await sendForm(address, body as BodyInit, type);
        assert.deepEqual([address, answer.status], [address, status]);
        assert.match(answer.text, /That is more than we can take|Open the page/);
        assert.ok(performance.now() - begun < 3_000, address);
      }
    });
  }

  test('changes nothing, signs nobody out and is refused to visitors alike', async () => {
    const topic = await makeTopic(database.db, actor);
    const browser = await browserOf(database.db, actor, url);
    const body = `from=x&${many}`;
    for (const address of ['/logout', `/app/topics/${topic.id}/toggle`, `/app/topics/${topic.id}/delete`]) {
      assert.equal((await sendForm(address, body, URLENCODED, browser)).status, 400);
    }
    const kept = await database.db.selectFrom('topics').selectAll().where('id', '=', topic.id).execute();
    assert.equal(kept[0]?.isActive, true);
    assert.equal((await browser.get('/app/dashboard')).status, 200);
    const visitor = new Browser(url);
    assert.equal((await sendForm('/login', body, URLENCODED, visitor)).status, 400);
  });

  test('leaves forms of both kinds and those without a body as they were', async () => {
    const topic = await makeTopic(database.db, actor);
    const browser = await browserOf(database.db, actor, url);
    const multipart = new FormData();
    multipart.set('name', 'By multipart');
    const sent = await sendForm('/app/topics', multipart, undefined, browser);
    assert.equal(sent.status, 302);
    assert.match(sent.headers.get('Location')!, /^\/app\/topics#topic-/);
    const pressed = await sendForm(`/app/topics/${topic.id}/toggle`, undefined, undefined, browser);
    assert.equal(pressed.status, 302);
    const rows = await database.db
      .selectFrom('topics')
      .select(['name', 'isActive'])
      .where('userId', '=', actor.userId)
      .execute();
    assert.ok(rows.some(({ name }) => name === 'By multipart'));
    assert.ok(rows.some(({ isActive }) => !isActive));
  });

  test('goes back with no more of what was typed than a page can bear', async () => {
    const visitor = new Browser(url);
    const plain = await sendForm('/signup', 'name=Ada', URLENCODED, visitor);
    assert.ok(plain.text.includes('value="Ada"'));
    const wide = `name=Ada&email=${encodeURIComponent('"'.repeat(20_000))}`;
    const answer = await sendForm('/signup', wide, URLENCODED, visitor);
    assert.equal(answer.status, 422);
    assert.ok(answer.text.includes('value="Ada"'));
    assert.ok(answer.text.length < LIMIT, String(answer.text.length));
  });
});

test('visitors who send form after form are told to wait before their forms are read', async () => {
  const env = { TRUST_PROXY: 'x-forwarded-for' };
  const { url: limited } = await startWeb({ databaseUrl: database.url, env });
  const send = (from: string) =>
    fetch(`${limited}/login`, {
      method: 'POST',
      headers: { Origin: limited, 'X-Forwarded-For': from, 'Content-Type': 'text/plain' },
      body: 'never read',
      redirect: 'manual',
    });
  const statuses = [];
  for (let n = 0; n < 301; n += 1) statuses.push((await send('203.0.113.7')).status);
  assert.deepEqual(new Set(statuses.slice(0, 300)), new Set([415]));
  assert.equal(statuses.at(-1), 429);
  const answer = await send('203.0.113.7');
  assert.match(await answer.text(), /Too many attempts/);
  assert.ok(Number(answer.headers.get('Retry-After')) > 0);
  assert.equal((await send('203.0.113.8')).status, 415);
});

describe('a body over 64 KiB is answered 413, and the answer arrives', () => {
  const api = (more: string[]) =>
    head('POST /api/v1/topics', [
      'Content-Type: application/json',
      `Authorization: Bearer ${token}`,
      ...more,
    ]);
  const form = (more: string[]) => {
    const own = [`Origin: ${url}`, `Cookie: ${cookieOf(admin.browser)}`, `Content-Type: ${URLENCODED}`];
    return head('POST /app/topics', [...own, ...more]);
  };
  const CHUNK = 'a'.repeat(16 * 1024);
  function* chunked(total: number) {
    for (let sent = 0; sent < total; sent += CHUNK.length) {
      yield `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`;
    }
    yield '0\r\n\r\n';
  }
  function* plain(total: number) {
    for (let sent = 0; sent < total; sent += CHUNK.length) yield CHUNK;
  }
  const SIZES = [5 * 16 * 1024, 4 * 1024 * 1024];

  for (const [door, open] of Object.entries({ api, form })) {
    for (const size of SIZES) {
      test(`${door}: ${size} bytes announced`, async () => {
        const said = await speak(url, [open([`Content-Length: ${size}`]), ...plain(size)]);
        assert.equal(parseHead(said).status, 413);
      });
      test(`${door}: ${size} bytes in chunks`, async () => {
        const said = await speak(url, [open(['Transfer-Encoding: chunked']), ...chunked(size)]);
        assert.equal(parseHead(said).status, 413);
      });
    }
  }

  test('and after an announcement that nothing follows the connection ends', async () => {
    const opened = [api(['Content-Length: 999999']), form(['Content-Length: 999999'])];
    const begun = Date.now();
    for (const said of await Promise.all(opened.map((bytes) => speak(url, [bytes])))) {
      assert.equal(parseHead(said).status, 413);
    }
    assert.ok(Date.now() - begun < 10_000);
  });

  test('and the connection serves the next request', async () => {
    const first = api(['Transfer-Encoding: chunked']).replace('Connection: close\r\n', '');
    const said = await speak(url, [first, ...chunked(SIZES[0]!), head('GET /health')]);
    assert.deepEqual(said.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});

describe('what no client of ours sends is answered 4xx', () => {
  test('a cursor that we did not write', async () => {
    const write = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const id = crypto.randomUUID();
    const cursors = [
      'abc',
      'x'.repeat(2_000),
      '%00',
      write(['2026-02-31T00:00:00.000Z', id]),
      write(['-271821-04-20T00:00:00.000Z', id]),
      write([0, id]),
      write(['2026-02-01T00:00:00.000Z', 'no-uuid']),
      write(['2026-02-01T00:00:00.000Z', id, 'more']),
      `${write(['2026-02-01T00:00:00.000Z', id])}!`,
      write([0, 0, id]),
    ];
    const lists = ['/topics', '/automation/posts', '/automation/scheduled', '/payment/history'];
    for (const cursor of cursors) {
      for (const list of lists) {
        const answer = await call(url, 'GET', `${list}?cursor=${cursor}`, undefined, token);
        assert.deepEqual([cursor, answer.status, answer.body.code], [cursor, 400, 'malformed']);
      }
      for (const page of ['/app/posts', '/app/scheduled', '/app/payments', '/app/admin?tab=payments']) {
        const address = `${page}${page.includes('?') ? '&' : '?'}cursor=${cursor}`;
        assert.equal((await admin.browser.get(address)).status, 400, address);
      }
    }
    for (const wrong of [
      [2 ** 31, 0, id],
      [0, 9e15, id],
      [0, -8e15, id],
    ]) {
      assert.equal((await admin.browser.get(`/app/feedback?sort=votes&cursor=${write(wrong)}`)).status, 400);
    }
    for (const page of ['/app/payments', '/app/support', '/app/posts', '/app/feedback']) {
      assert.equal((await admin.browser.get(`${page}?cursor=`)).status, 200, page);
    }
    const good = write(['2026-02-01T00:00:00.000Z', id]);
    for (const board of ['/app/feedback', '/app/feedback.data'])
      assert.equal((await admin.browser.get(`${board}?cursor=${write([0, 0, id])}`)).status, 200);
    assert.equal((await call(url, 'GET', `/topics?cursor=${good}`, undefined, token)).status, 200);
    assert.equal((await admin.browser.get(`/app/posts?cursor=${good}`)).status, 200);
  });

  test('U+0000 and halves of surrogates, wherever they stand', async () => {
    const id = await makeScheduledPost(database.db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
    assert.equal((await call(url, 'GET', '/payment/pricing/%00', undefined, token)).status, 404);
    for (const bad of ['\0', '\ud800']) {
      const bodies: [method: string, address: string, body: object][] = [
        ['POST', '/topics', { name: `a${bad}b` }],
        ['POST', '/topics', { name: 'a', keywords: [`a${bad}b`] }],
        ['PUT', `/automation/posts/${id}`, { content: `a${bad}b` }],
        ['PUT', `/automation/posts/${id}`, { imageUrl: `https://example.com/${bad}` }],
        ['PUT', `/automation/posts/${id}`, { hashtags: [`a${bad}b`] }],
        ['POST', '/auth/signup', { name: `a${bad}b`, email: 'a@example.com', password: 'long enough' }],
      ];
      for (const [method, address, body] of bodies) {
        const answer = await call(url, method, address, body, token);
        assert.deepEqual([address, answer.status], [address, 422], JSON.stringify(body));
      }
      const test = await call(url, 'POST', '/automation/test-generate', { topicId: bad }, token);
      assert.ok(test.status >= 400 && test.status < 500, String(test.status));
    }
  });

  test('hosts, addresses and methods that no server expects', async () => {
    const asked: [status: number, bytes: string][] = [
      [400, head('GET /', [], 'a b')],
      [400, head('GET /', [], 'a/b?c#d@e')],
      [400, head('GET /', [], '127.0.0.1:99999')],
      [400, head('GET /', [], '')],
      [400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
      [417, head('POST /login', ['Expect: a miracle', 'Content-Length: 0'])],
      [400, head('GET /%ff')],
      [400, head('GET /%')],
      [400, 'NONSENSE\r\n\r\n'],
      [431, head('GET /', [`Cookie: ${'x'.repeat(20_000)}`])],
      [405, head('TRACE /')],
      [405, head('PROPFIND /app/topics')],
      [405, head('PUT /login')],
      [405, head('DELETE /favicon.svg')],
      [405, head('CONNECT example.com:443')],
      [204, head('OPTIONS /login')],
      [204, head('OPTIONS *')],
      [204, head('OPTIONS /api/v1/topics')],
      [405, head('TRACE /api/v1/topics')],
      [405, head('PROPFIND /api/v1/topics')],
      [404, head('PROPFIND /api/v1/nothing')],
      [200, head('GET http://example.com/health')],
      [200, 'GET /health HTTP/1.0\r\n\r\n'],
    ];
    for (const [status, bytes] of asked) {
      const answer = parseHead(await speak(url, [bytes]));
      const line = bytes.slice(0, 60);
      assert.deepEqual([line, answer.status], [line, status]);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', line);
      if (status === 405 || status === 204) assert.ok(answer.headers.get('allow'), line);
    }
  });

  test('methods that a call does not have, by code and Allow', async () => {
    for (const method of ['PROPFIND', 'PATCH', 'TRACE', 'LOCK']) {
      const answer = parseHead(await speak(url, [head(`${method} /api/v1/automation/settings`)]));
      assert.equal(answer.status, 405);
      assert.match(answer.body, /"code":"method_not_allowed"/);
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, PUT');
    }
    const forged = { 'x-tidepost-method': 'PROPFIND', Authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${url}/api/v1/auth/me`, { headers: forged })).status, 200);
  });

  test('a notices cookie that we did not write breaks no page and is taken back', async () => {
    const write = (value: unknown) =>
      encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));
    const notice = { id: crypto.randomUUID(), tone: 'success', text: 'Kept' };
    const cookies = [
      '%',
      '!!!',
      'AAAA',
      write(null),
      write('text'),
      write({ ...notice }),
      write([{ text: 'No tone' }]),
      write([{ ...notice, tone: 'constructor' }]),
      write([{ ...notice, text: { toString: 'x' } }]),
      write([{ ...notice, id: {} }]),
      write([[[[]]]]),
      write(Array.from({ length: 40 }, () => notice)),
      write([{ ...notice, text: 'x'.repeat(5_000) }]),
    ];
    for (const cookie of cookies) {
      const answer = await fetch(`${url}/login`, { headers: { Cookie: `notices=${cookie}` } });
      assert.equal(answer.status, 200, cookie);
      assert.match(answer.headers.getSetCookie().join(), /notices=[^;]*; Max-Age=0/, cookie);
      assert.ok(!(await answer.text()).includes('Something went wrong'), cookie);
    }
    const own = await fetch(`${url}/login`, { headers: { Cookie: `notices=${write([notice])}` } });
    assert.ok((await own.text()).includes('Kept'));
  });
});

/** Our door before a server that answers with `listener`; where it listens. */
async function behindDoor(listener: RequestListener, longestMs?: number) {
  const server = createServer(listener);
  guardServer(server, longestMs);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

/** The number that was asked for. */
const numberOf = ({ url }: IncomingMessage) => Number(url!.slice(1));

test('an answer that its reader takes by drops is given up in time, and who reads on has all of it', async (t) => {
  const answers: ServerResponse[] = [];
  let closed = Promise.resolve();
  const own = await behindDoor((request, response) => {
    answers.push(response);
    if (response === answers[0]) closed = once(response, 'close').then(() => {});
    response.end(Buffer.alloc(numberOf(request)));
  }, 1_000);
  const { hostname, port } = new URL(own);
  const socket = net.connect(Number(port), hostname).on('error', () => {});
  const drops = setInterval(() => socket.read(1_000), 20);
  t.after(() => {
    clearInterval(drops);
    socket.destroy();
  });
  // More than the buffers between two sockets take.
  socket.write(head(`GET /${64 * 1024 * 1024}`));
  await once(socket, 'readable');
  assert.equal((await (await fetch(`${own}/100000`)).arrayBuffer()).byteLength, 100_000);
  await soon('it is given up', closed);
  assert.equal(answers[0]!.writableFinished, false);
});

test('an error is kept by nobody, whatever was said of the file before', async () => {
  const own = await behindDoor((request, response) => {
    response.statusCode = numberOf(request);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable').end();
  });
  const keeping = async (status: number) => (await fetch(`${own}/${status}`)).headers.get('Cache-Control');
  for (const status of [200, 304]) assert.match((await keeping(status))!, /immutable/);
  for (const status of [400, 412, 416, 500, 503]) assert.equal(await keeping(status), 'no-store');
});

describe('addresses', () => {
  test('a file that is gone is 404 and kept by nobody, never a page', async () => {
    for (const address of ['/assets/missing.js', '/assets/', '/assets/a/b.css']) {
      const answer = await fetch(url + address, { redirect: 'manual' });
      assert.deepEqual([address, answer.status], [address, 404]);
      assert.match(answer.headers.get('Content-Type')!, /^text\/plain/);
      assert.equal(answer.headers.get('Cache-Control'), 'no-store');
      assert.ok((await answer.text()).length < 100);
    }
    const elsewhere = await fetch(`${url}/nowhere`, { redirect: 'manual' });
    assert.deepEqual([elsewhere.status, elsewhere.headers.get('Location')], [302, '/']);
  });

  test('scripts and styles are compressed for clients that accept it, and cached for a year', async () => {
    const client = path.join(ROOT, 'build/client');
    const files = globSync('assets/*.{js,css}', { cwd: client });
    assert.ok(files.length > 10);
    for (const file of files) {
      const whole = readFileSync(path.join(client, file));
      const isWorthIt = whole.length >= 1_024;
      for (const [accepted, encoding, unpack] of [
        ['gzip, br', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0, identity', undefined, undefined],
      ] as const) {
        const answer = await request(`${url}/${file}`, { headers: { 'accept-encoding': accepted } });
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        assert.equal(answer.statusCode, 200);
        assert.match(String(answer.headers['content-type']), /^(?:application\/javascript|text\/css)\b/);
        assert.match(String(answer.headers['cache-control']), /max-age=31536000, immutable/);
        assert.match(String(answer.headers.vary), /accept-encoding/i);
        assert.equal(answer.headers['content-encoding'], isWorthIt ? encoding : undefined, file);
        assert.deepEqual(isWorthIt && unpack ? unpack(bytes) : bytes, whole);
      }
    }
  });

  /** The largest of the scripts, with its size. Some are empty. */
  function largestScript() {
    const client = path.join(ROOT, 'build/client');
    const files = globSync('assets/*.js', { cwd: client });
    const sized = files.map((file) => ({ file, size: statSync(path.join(client, file)).size }));
    return sized.sort((one, other) => other.size - one.size)[0]!;
  }

  test('a file is sent whole to whoever asks for a part or names a version, without an error of ours', async () => {
    const { file, size } = largestScript();
    const before = said();
    for (const [name, value] of [
      ['range', 'bytes=99999999-'],
      ['range', 'bytes=0-9'],
      ['if-match', '"another"'],
      ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:01 GMT'],
    ] as const) {
      const { statusCode, body } = await request(`${url}/${file}`, { headers: { [name]: value } });
      assert.deepEqual([name, statusCode, (await body.arrayBuffer()).byteLength], [name, 200, size]);
    }
    assert.equal(said(), before);
  });

  test('a broken address is refused in the form of a call to whoever calls, and in words to whoever looks', async () => {
    for (const [address, type] of [
      ['/api/v1/topics/%E0%A4', 'application/json'],
      ['/%E0%A4', 'text/plain; charset=utf-8'],
    ] as const) {
      const answer = parseHead(await speak(url, [head(`GET ${address}`)]));
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [400, type]);
    }
  });

  test('what begins with a dot is not served', async () => {
    for (const address of [
      '/.vite/manifest.json',
      '/%2evite/manifest.json',
      '//.vite/manifest.json',
      '/.env',
    ]) {
      const answer = parseHead(await speak(url, [head(`GET ${address}`)]));
      assert.deepEqual([address, answer.status], [address, 404]);
    }
  });

  test('routes are looked up for as many paths as a page links to, and for no more', async () => {
    const [manifest] = globSync('build/client/assets/manifest-*.js', { cwd: ROOT });
    const version = /manifest-(\w+)\.js/.exec(manifest!)![1];
    const lookUp = async (count: number, query = `version=${version}`) => {
      const paths = Array.from({ length: count }, (_, nth) => `/a${nth}`).join();
      const { status, headers } = await fetch(
        `${url}/__manifest?${query}&paths=${encodeURIComponent(paths)}`,
      );
      return [status, headers.get('Content-Type')?.split(';')[0]];
    };
    assert.deepEqual(await lookUp(300), [200, 'application/json']);
    assert.deepEqual(await lookUp(301), [400, 'text/plain']);
    assert.deepEqual(await lookUp(299, `version=${version}&paths=/a,/b`), [400, 'text/plain']);
    for (const path of ['/%', '/%zz', '/%FF', '/a\nb', '/a%0Ab', '/a%1Bb']) {
      assert.deepEqual(
        await lookUp(1, `version=${version}&paths=${encodeURIComponent(path)}`),
        [400, 'text/plain'],
        path,
      );
    }
    const hidden = head(`GET /x\\..\\__manifest?paths=${'a,'.repeat(301)}`);
    assert.equal(parseHead(await speak(url, [hidden])).status, 400);
  });

  test('HEAD works wherever GET does', async () => {
    const headers = { Authorization: `Bearer ${admin.token}` };
    for (const address of API_PATHS.map(filled)) {
      const get = await fetch(`${url}/api/v1${address}`, { headers });
      const asked = await fetch(`${url}/api/v1${address}`, { method: 'HEAD', headers });
      assert.deepEqual([address, asked.status], [address, get.status]);
      assert.equal(await asked.text(), '');
      await get.text();
    }
    const Cookie = cookieOf(admin.browser);
    for (const address of [...PAGE_PATHS.map(filled), '/health', '/favicon.svg', '/assets/missing.js']) {
      const get = await fetch(url + address, { headers: { Cookie }, redirect: 'manual' });
      const asked = await fetch(url + address, { method: 'HEAD', headers: { Cookie }, redirect: 'manual' });
      assert.deepEqual([address, asked.status], [address, get.status]);
      await get.text();
    }
  });

  test('the API has one format', async () => {
    for (const address of ['/auth/me.data', '/nothing.data', '/topics/_.data', '/auth/me%2edata']) {
      for (const method of ['GET', 'POST']) {
        const headers = { Authorization: `Bearer ${token}` };
        const answer = await fetch(`${url}/api/v1${address}`, { method, headers });
        assert.deepEqual([address, answer.status], [address, 404]);
        assert.equal(((await answer.json()) as { code: string }).code, 'not_found');
      }
    }
  });
});

describe('every answer carries the security headers', () => {
  const https = { APP_URL: 'https://tidepost.example' };
  let secure: string;
  before(async () => {
    ({ url: secure } = await startWeb({ databaseUrl: database.url, env: https }));
  });

  test('whoever made it', async () => {
    const [script] = readdirSync(path.join(ROOT, 'build/client/assets'));
    const asked = [
      head('GET /'),
      head('GET /login'),
      head('GET /app/dashboard'),
      head('GET /nowhere'),
      head('GET /health'),
      head('HEAD /login'),
      head('GET /login.data'),
      head(`GET /assets/${script}`),
      head(`GET /assets/${script}`, ['If-None-Match: *']),
      head(`GET /assets/${script}`, ['Range: bytes=99999999-']),
      head('GET /favicon.svg'),
      head('GET /assets/missing.js'),
      head('GET /assets'),
      head('POST /login'),
      head('GET /api/v1/auth/me'),
      head('GET /api/v1/nothing'),
      head('TRACE /'),
      head('GET /%'),
      head('GET /.env'),
      head('GET /', [], 'a b'),
      'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
      head('POST /login', ['Expect: a miracle', 'Content-Length: 0']),
      'NONSENSE\r\n\r\n',
    ];
    for (const bytes of asked) {
      const line = bytes.split('\r\n')[0]!;
      const { headers, status } = parseHead(await speak(secure, [bytes]));
      assert.ok(status >= 200, line);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', line);
      assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', line);
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', line);
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains', line);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, line);
    }
  });

  test('a page lets run only the scripts that bear its nonce, a new one each time', async () => {
    const nonces = [];
    for (const address of ['/signup', '/signup']) {
      const answer = await fetch(url + address);
      const policy = answer.headers.get('Content-Security-Policy')!;
      const nonce = /script-src 'self' 'nonce-([\w+/=]{20,})'/.exec(policy)?.[1];
      assert.ok(nonce, policy);
      assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
      for (const part of [`default-src 'self'`, `base-uri 'none'`, `object-src 'none'`]) {
        assert.ok(policy.includes(part), part);
      }
      // One tag without anything is the one that the policy names by its hash: see endpoint.http.test.ts of visits.
      const scripts = (await answer.text()).match(/<script[^>]+>/g)!;
      assert.ok(scripts.length > 0);
      assert.ok(scripts.every((tag) => tag.includes(`nonce="${nonce}"`)));
      nonces.push(nonce);
    }
    assert.notEqual(nonces[0], nonces[1]);
  });

  test('behind https every cookie is bound to its host', async () => {
    const browser = await browserOf(database.db, actor, secure);
    const Cookie = `__Host-${cookieOf(browser)}`;
    const headers = { Origin: https.APP_URL, Cookie };
    const init = { method: 'POST', headers, redirect: 'manual' as const };
    const answer = await fetch(`${secure}/app/automation/toggle`, init);
    const lines = answer.headers.getSetCookie();
    assert.ok(lines.length > 0);
    for (const line of lines) assert.match(line, /^__Host-.*; Path=\/;.*Secure/);
  });

  test('a form is taken from the address of the product, whatever Host it names', async () => {
    const send = (Origin: string, host: string) =>
      speak(secure, [head('POST /logout', [`Origin: ${Origin}`, 'Content-Length: 0'], host)]).then(parseHead);
    assert.equal((await send('https://tidepost.example', 'tidepost.example')).status, 302);
    assert.equal((await send('https://evil.example', 'evil.example')).status, 403);
    assert.equal((await send('http://127.0.0.1:3000', '127.0.0.1:3000')).status, 403);
    assert.equal((await send('http://tidepost.example', 'tidepost.example')).status, 403);
  });

  test('on this machine a form is taken from its other names as well, and from no other host', async () => {
    const { port } = new URL(url);
    const send = (Origin: string, host: string) =>
      speak(url, [head('POST /logout', [`Origin: ${Origin}`, 'Content-Length: 0'], host)]).then(parseHead);
    assert.equal((await send(url, `127.0.0.1:${port}`)).status, 302);
    assert.equal((await send('http://localhost:4321', 'localhost:4321')).status, 302);
    assert.equal((await send('http://localhost:4321', 'localhost:5555')).status, 403);
    assert.equal((await send('http://evil.example', 'evil.example')).status, 403);
    assert.equal((await send('http://127.0.0.1.evil.example', '127.0.0.1.evil.example')).status, 403);
  });
});

test('a form of another site is refused without an error of ours in the log', async () => {
  for (const address of ['/login', '/login.data', '/app/topics', '/logout', '/app/posts/x/publish']) {
    for (const Origin of ['https://evil.example', 'null', 'nonsense']) {
      const init = { method: 'POST', headers: { Origin }, redirect: 'manual' as const };
      const { status } = await fetch(url + address, { ...init, body: new URLSearchParams({ email: 'x' }) });
      assert.ok(status === 400 || status === 403, `${address} ${Origin} ${status}`);
    }
  }
  assert.doesNotMatch(said(), /Aborting the action|Bad Request/);
});

test('who goes away in the middle of a body leaves no error of ours in the log', async () => {
  for (const line of ['POST /api/v1/auth/login', 'POST /login']) {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    const type = line.includes('api') ? 'application/json' : URLENCODED;
    socket.write(head(line, [`Origin: ${url}`, `Content-Type: ${type}`, 'Content-Length: 1000']));
    socket.write('{');
    await wait(300);
    socket.destroy();
  }
  await wait(300);
  assert.doesNotMatch(said(), /aborted/);
});

test('a button answers whatever its form says about the list it stood on', async () => {
  for (const from of ['/app/posts?日', `/app/posts?${'x'.repeat(30_000)}`, '//evil.example/app/posts']) {
    const body = new URLSearchParams({ from }).toString();
    const { status, headers } = await sendForm('/app/posts/x/publish', body, URLENCODED);
    assert.deepEqual([status, headers.get('Location')], [302, '/app/scheduled']);
  }
});

test('a session that is used goes on, also in an answer that sets another cookie', async () => {
  const browser = await browserOf(database.db, actor, url);
  const old = new Date(Date.now() - 3 * 86_400_000);
  await database.db
    .updateTable('sessions')
    .set({ lastSeenAt: old })
    .where('userId', '=', actor.userId)
    .execute();
  const answer = await sendForm('/app/automation/toggle', 'enabled=maybe', URLENCODED, browser);
  const names = answer.headers.getSetCookie().map((line) => line.split(/=|-/)[0]);
  assert.deepEqual(names.toSorted(), ['notices', 'tidepost']);
});

describe('a change by the API', () => {
  test('keeps what it does not name', async () => {
    const topic = await makeTopic(database.db, actor);
    const named = { name: 'Tides', description: 'All of them', keywords: ['sea', 'moon'], tone: 'casual' };
    await call(url, 'PUT', `/topics/${topic.id}`, named, token);
    const renamed = await call(url, 'PUT', `/topics/${topic.id}`, { name: 'Ebb' }, token);
    assert.deepEqual(
      { ...renamed.body.topic, name: 'Ebb' },
      { ...renamed.body.topic, ...named, name: 'Ebb' },
    );
    const emptied = await call(url, 'PUT', `/topics/${topic.id}`, { keywords: [] }, token);
    assert.deepEqual(emptied.body.topic.keywords, []);

    const id = await makeScheduledPost(database.db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
    await call(url, 'PUT', `/automation/posts/${id}`, { hashtags: ['Tide', 'Sea'] }, token);
    const edited = await call(url, 'PUT', `/automation/posts/${id}`, { content: 'New words' }, token);
    assert.deepEqual([edited.status, edited.body.post.hashtags], [200, ['Tide', 'Sea']]);
    const same = await call(url, 'PUT', `/automation/posts/${id}`, {}, token);
    assert.deepEqual([same.status, same.body], [200, edited.body]);
    const cleared = await call(url, 'PUT', `/automation/posts/${id}`, { hashtags: '' }, token);
    assert.deepEqual(cleared.body.post.hashtags, []);
  });

  test('refuses image addresses that can never be fetched, as the form does', async () => {
    const id = await makeScheduledPost(database.db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
    const browser = await browserOf(database.db, actor, url);
    const never = [
      'http://example.com/a.png',
      'https://127.0.0.1/a.png',
      'https://2130706433/a.png',
      'https://[::1]/a.png',
      'https://10.0.0.7/a.png',
      'https://169.254.169.254/latest',
      'https://localhost/a.png',
      'https://name:secret@example.com/a.png',
      'https://example.com:8443/a.png',
      'ftp://example.com/a.png',
      'https://',
    ];
    for (const imageUrl of never) {
      const answer = await call(url, 'PUT', `/automation/posts/${id}`, { imageUrl }, token);
      assert.deepEqual([imageUrl, answer.status], [imageUrl, 422]);
      assert.deepEqual(answer.body.fields, { imageUrl: ['Invalid image URL'] });
      const page = await browser.post(`/app/scheduled?edit=${id}`, { content: 'x', imageUrl, hashtags: '' });
      assert.equal(page.status, 422);
      assert.ok((await page.text()).includes('Invalid image URL'));
    }
    const imageUrl = 'https://example.com/a.png';
    const answer = await call(url, 'PUT', `/automation/posts/${id}`, { imageUrl }, token);
    assert.deepEqual([answer.status, answer.body.post.imageUrl], [200, imageUrl]);
  });
});
