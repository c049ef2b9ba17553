import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Actor } from '#app/domain/platform/actor.ts';
import { cpuSeconds } from '#bench/measure/figures.ts';
import { ROOT } from '#scripts/run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { API_PATHS, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { SEED } from '#tests/harness/seed.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';

const MOST_BYTES = 64 * 1024;
/** The file with everything that is kept of an account, which goes out piece by piece, and what tells of all calls. */
const MOST_BYTES_OF_EXPORT = 8 * MOST_BYTES;
const MOST_CPU_SECONDS = 0.2;
/** Cases for each address and each kind of reader. */
const RUNS = Number(process.env.FUZZ_RUNS || 8);

type Reader = { name: string; actor: Actor | null; cookie: string; token: string };
type Sent = { method: string; address: string; headers: Record<string, string>; body?: Buffer | undefined };

let database: TestDatabase;
let web: Web;
let ids: string[];
const readers: Reader[] = [];
const seen = new Map<number, number>();
const WARM = new Set<string>();

/** Signs a reader in anew: what is sent may end a session. */
async function renew(reader: Reader) {
  if (!reader.actor) return;
  const browser = await browserOf(database.db, reader.actor, web.url);
  reader.cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  reader.token = await tokenOf(database.db, reader.actor);
}

before(async () => {
  database = await testDatabase();
  // Each request has an address of its own, so that the limits do not hide what lies behind them.
  web = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } });
  const user = await makeUser(database.db);
  const topic = await makeTopic(database.db, user);
  ids = [topic.id, await makeScheduledPost(database.db, user, { dueAt: new Date(Date.now() + 86_400_000) })];
  const admin = await makeUser(database.db, { isAdmin: true });
  for (const [name, actor] of Object.entries({ visitor: null, user, admin })) {
    const reader = { name, actor, cookie: '', token: '' };
    await renew(reader);
    readers.push(reader);
  }
});

/** The names of all fields that any schema of ours knows. */
async function fieldNames(): Promise<string[]> {
  const names = new Set(['link', 'from', 'confirmPassword', 'digit1', 'state', 'code', 'error']);
  for (const file of globSync('app/domain/**/schema.ts', { cwd: ROOT })) {
    for (const value of Object.values(await import(path.join(ROOT, file)))) {
      const { shape } = value as { shape?: object };
      for (const name of Object.keys(shape ?? {})) names.add(name);
    }
  }
  return [...names];
}
const NAMES = await fieldNames();

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom('', '\0', '\ud800', '\udfff', '1e999', '-1', '9'.repeat(400), 'true', 'on', 'UTC', '09:00'),
  fc.constantFrom(
    'a@example.com',
    'https://example.com/a.png',
    'http://[::1]:1/',
    "';--",
    '<script>"&',
    '%00',
  ),
  fc
    .tuple(fc.constantFrom('a', '"', '<', 'ö', '\u{1f30a}', ',', '#a,', '\n', '\u202e'), fc.nat(60_000))
    .map(([unit, bytes]) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))),
);
const anyName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 2, arbitrary: fc.string({ maxLength: 100 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...NAMES),
        fc.constantFrom(
          '[0]',
          '[]',
          '[99]',
          '[100]',
          '[99999999]',
          '[-1]',
          '[1e9]',
          '.a',
          '.__proto__',
          '[0].a',
          '.',
        ),
      )
      .map(([name, more]) => name + more),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      '__proto__[a]',
      '__intent__',
      '__INTENT__',
      '__state__',
      'a'.repeat(5_000),
      `a${'[0]'.repeat(400)}`,
      `a${'.a'.repeat(400)}`,
      '[0]',
      '',
      '$ACTION_ID_1',
      'toString',
      'hasOwnProperty',
    ),
  },
);
const fields = fc.oneof(
  { weight: 8, arbitrary: fc.array(fc.tuple(anyName, anyText), { maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc
      .nat(12_000)
      .map((n) => Array.from({ length: n }, (_, i) => [`f${i % 7}`, ''] as [string, string])),
  },
);

const wellFormed = (text: string) => encodeURIComponent(text.toWellFormed());
const urlencoded = (list: [string, string][]) =>
  list.map(([name, value]) => `${wellFormed(name)}=${wellFormed(value)}`).join('&');
const multipart = (list: [string, string][]) =>
  `${list.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--x--\r\n`;

type Body = { type: string; body: Buffer };
const cut = (text: string | Uint8Array) => Buffer.from(text as string).subarray(0, MOST_BYTES);

const anyType = fc.constantFrom(
  '',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary="',
  'application/json',
  'application/json; charset=utf-7',
  'text/plain',
  'text/x-script',
  'image/png',
  ';',
  'a/b;'.repeat(50),
);
const anyBody: fc.Arbitrary<Body> = fc.oneof(
  {
    weight: 5,
    arbitrary: fields.map((list) => ({
      type: 'application/x-www-form-urlencoded',
      body: cut(urlencoded(list)),
    })),
  },
  {
    weight: 2,
    arbitrary: fields.map((list) => ({
      type: 'multipart/form-data; boundary=x',
      body: cut(multipart(list)),
    })),
  },
  { weight: 2, arbitrary: fc.record({ type: anyType, body: fields.map((list) => cut(urlencoded(list))) }) },
  { weight: 2, arbitrary: fc.record({ type: anyType, body: fc.uint8Array({ maxLength: 2_000 }).map(cut) }) },
);

const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: anyText },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
  { weight: 2, arbitrary: fc.array(anyText, { maxLength: 8 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.nat(20_000).map((n) => Array.from({ length: n }, () => '')) },
);
const anyJson: fc.Arbitrary<Body> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .dictionary(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, fc.string()), anyValue, {
        maxKeys: 8,
      })
      .map((value) => ({ type: 'application/json', body: cut(JSON.stringify(value)) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('[', '{"a":', '"', '\ud800', 'null', '[]', '""', '1', '{"__proto__":{"isAdmin":true}}')
      .chain((unit) =>
        fc.nat(30_000).map((n) => ({ type: 'application/json', body: cut(unit.repeat(1 + (n % 20_000))) })),
      ),
  },
  { weight: 1, arbitrary: anyBody },
);
const anyQuery = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(fc.constantFrom(...NAMES, 'cursor', 'limit', 'edit', 'run', 'tab', 'status'), fc.string()),
          anyText,
        ),
        { maxLength: 5 },
      )
      .map((list) => `?${urlencoded(list)}`.slice(0, 4_000).replace(/%[^%]?$/, '')),
  },
);
const anyParam = fc.oneof(
  { weight: 4, arbitrary: fc.nat().map((n) => ids[n % ids.length]!) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '%00',
      '%ff',
      '%ED%A0%80',
      '..',
      '%2e%2e',
      'a%2Fb',
      'x'.repeat(3_000),
      crypto.randomUUID(),
    ),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 40 }).map((text) => wellFormed(text)) },
);
const anyCookie = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('notices', 'sign-up', 'tidepost', '__Host-tidepost'),
        fc.oneof(
          fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64')),
          fc.string({ maxLength: 300 }).map(wellFormed),
        ),
      )
      .map(([name, value]) => `; ${name}=${value}`),
  },
);

const filled = (address: string, param: string) => address.replace(':act', 'publish').replace(/:\w+/g, param);

/** Who is signed in gets back as a whole what they typed into a form that failed, a quotation mark in six bytes. */
const mostBytesFor = ({ address, headers, body }: Sent) => {
  if (/\/(?:account\/export|openapi\.json)/.test(address)) return MOST_BYTES_OF_EXPORT;
  return headers.Cookie?.includes('tidepost=') ? MOST_BYTES + 6 * (body?.length ?? 0) : MOST_BYTES;
};

let calls = 0;
/** Sends a request and answers what is wrong with how it was answered, or nothing. */
async function complaint(sent: Sent): Promise<string | undefined> {
  const { method, address, headers, body } = sent;
  calls += 1;
  const from = { 'X-Forwarded-For': `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}` };
  const before = cpuSeconds(web.pid);
  const answer = await fetch(web.url + address, {
    method,
    headers: { ...headers, ...from },
    redirect: 'manual',
    ...(body && { body: new Uint8Array(body) }),
  });
  const bytes = (await answer.arrayBuffer()).byteLength;
  const cpu = cpuSeconds(web.pid) - before;
  seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
  if (answer.status >= 500 && answer.status !== 503) return `status ${answer.status}`;
  if (bytes > mostBytesFor(sent)) return `an answer of ${bytes} bytes`;
  if (cpu > MOST_CPU_SECONDS) return `${Math.round(cpu * 1000)} ms of CPU`;
  return undefined;
}

/** What takes long now and then has met the garbage collector or an unwarmed page; what takes long each time is slow. */
async function check(sent: Sent): Promise<void> {
  let said = await complaint(sent);
  for (let again = 0; again < 2 && said?.endsWith('of CPU'); again += 1) said = await complaint(sent);
  if (said) assert.fail(`${sent.method} ${sent.address}: ${said} (SEED=${SEED})`);
}

async function warmUp(sent: Sent) {
  if (WARM.has(sent.method + sent.address)) return;
  WARM.add(sent.method + sent.address);
  await complaint(sent);
}

const headersOf = (type: string, more: Record<string, string>) => ({
  ...more,
  ...(type && { 'Content-Type': type }),
});
let asserted = 0;
/** Each address has cases of its own: with the same ones for all, what they lack is never sent. */
const settings = (numRuns = RUNS) => ({ numRuns, seed: (SEED + asserted++) | 0, endOnFailure: false });

describe('whatever is sent, no answer is a fault of ours, over 64 KB, or over 200 ms of CPU', () => {
  test('by every form, from visitors, users and admins', async () => {
    for (const address of PAGE_PATHS) {
      for (const reader of readers) {
        await renew(reader);
        const Origin = web.url;
        const plain = { Origin, Cookie: reader.cookie };
        await warmUp({ method: 'POST', address: filled(address, ids[0]!), headers: plain });
        await fc.assert(
          fc.asyncProperty(
            anyParam,
            anyQuery,
            anyCookie,
            anyBody,
            async (param, query, cookie, { type, body }) => {
              const headers = headersOf(type, { Origin, Cookie: reader.cookie + cookie });
              await check({ method: 'POST', address: filled(address, param) + query, headers, body });
              if (address === '/logout') await renew(reader);
            },
          ),
          settings(),
        );
      }
    }
  });

  test('by every page, also as data for scripts', async () => {
    const addresses = PAGE_PATHS.flatMap((page) => [page, page === '/' ? '/_root.data' : `${page}.data`]);
    for (const address of [...addresses, '/__manifest', '/health', '/nowhere']) {
      for (const reader of readers) {
        await renew(reader);
        await warmUp({
          method: 'GET',
          address: filled(address, ids[0]!),
          headers: { Cookie: reader.cookie },
        });
        await fc.assert(
          fc.asyncProperty(anyParam, anyQuery, anyCookie, async (param, query, cookie) => {
            const headers = { Cookie: reader.cookie + cookie };
            await check({ method: 'GET', address: filled(address, param) + query, headers });
          }),
          settings(Math.ceil(RUNS / 4)),
        );
      }
    }
  });

  test('by every call of the API', async () => {
    for (const address of API_PATHS) {
      const asked = await fetch(`${web.url}/api/v1${filled(address, ids[0]!)}`, { method: 'OPTIONS' });
      const methods = asked.headers.get('Allow')!.split(', ');
      for (const reader of readers) {
        for (const method of methods) {
          if (method === 'HEAD') continue;
          await renew(reader);
          const isBody = method === 'POST' || method === 'PUT';
          const own = (): Record<string, string> =>
            reader.token ? { Authorization: `Bearer ${reader.token}` } : {};
          await warmUp({ method, address: `/api/v1${filled(address, ids[0]!)}`, headers: own() });
          await fc.assert(
            fc.asyncProperty(anyParam, anyQuery, anyJson, async (param, query, { type, body }) => {
              const sent = { method, address: `/api/v1${filled(address, param)}${query}` };
              await check({
                ...sent,
                headers: headersOf(isBody ? type : '', own()),
                body: isBody ? body : undefined,
              });
              if (address === '/auth/logout') await renew(reader);
            }),
            settings(),
          );
        }
      }
    }
  });

  test('and what was sent was not all refused for the same reason', () => {
    for (const status of [200, 302, 400, 401, 403, 404, 415, 422]) {
      assert.ok(seen.get(status), `nothing was answered ${status}: ${JSON.stringify([...seen])}`);
    }
    assert.ok(calls > 1_000, String(calls));
  });
});
