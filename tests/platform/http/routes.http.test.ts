import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, call } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PAGE_PATHS, PUBLIC, VERB_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

const MOST_BYTES = 64 * 1024;

let database: TestDatabase;
let url: string;
let admin: { actor: Actor; token: string; browser: Browser };

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  const actor = await makeUser(database.db, { isAdmin: true });
  const token = await tokenOf(database.db, actor);
  admin = { actor, token, browser: await browserOf(database.db, actor, url) };
});

async function send(path: string, method: string, init: RequestInit = {}) {
  const answer = await fetch(`${url}/api/v1${path}`, { method, redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** The methods of a call, by its own word; HEAD, which stands beside GET, left out. */
async function methodsOf(path: string): Promise<string[]> {
  const { status, headers, text } = await send(filled(path), 'PATCH');
  assert.equal(status, 405, path);
  assert.equal(JSON.parse(text).code, 'method_not_allowed');
  const methods = headers.get('Allow')!.split(', ');
  assert.ok(methods.length > 0 && !methods.includes('PATCH'));
  assert.equal(methods.includes('HEAD'), methods.includes('GET'));
  return methods.filter((method) => method !== 'HEAD');
}

describe('every call of the API', () => {
  test('names its methods when it is asked with another', async () => {
    assert.ok(API_PATHS.length > 30);
    for (const path of API_PATHS) {
      const methods = await methodsOf(path);
      const others = ['GET', 'POST', 'PUT', 'DELETE'].filter((method) => !methods.includes(method));
      for (const method of others) {
        const { status, headers } = await send(filled(path), method);
        const allowed = headers
          .get('Allow')!
          .split(', ')
          .filter((each) => each !== 'HEAD');
        assert.deepEqual([path, method, status, allowed], [path, method, 405, methods]);
      }
    }
  });

  test('wants a bearer token; the cookie of the pages is none', async () => {
    const Cookie = [...admin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of API_PATHS.filter((each) => !PUBLIC.includes(each))) {
      for (const method of await methodsOf(path)) {
        const headers = { Cookie, Origin: url };
        const { status, text } = await send(filled(path), method, { headers });
        assert.equal(status, 401, `${method} ${path} ${text}`);
        assert.equal(JSON.parse(text).code, 'unauthenticated');
      }
    }
  });

  test('refuses what is not JSON, not sent as JSON, or too much', async () => {
    const bodies = [
      { status: 400, code: 'malformed', type: 'application/json', body: '{"name": ' },
      { status: 415, code: 'unsupported_media_type', type: 'text/plain', body: '{}' },
      {
        status: 415,
        code: 'unsupported_media_type',
        type: 'application/x-www-form-urlencoded',
        body: 'name=Ada',
      },
      {
        status: 413,
        code: 'too_large',
        type: 'application/json',
        body: JSON.stringify({ name: 'x'.repeat(MOST_BYTES) }),
      },
    ];
    for (const path of API_PATHS) {
      const withBody = (await methodsOf(path)).filter((method) => method === 'POST' || method === 'PUT');
      for (const method of withBody) {
        for (const { status, code, type, body } of bodies) {
          const headers = { Authorization: `Bearer ${admin.token}`, 'Content-Type': type };
          const answer = await send(filled(path), method, { headers, body });
          assert.deepEqual([`${method} ${path}`, answer.status], [`${method} ${path}`, status]);
          const said = JSON.parse(answer.text);
          assert.equal(said.code, code);
          assert.equal(typeof said.message, 'string');
        }
      }
    }
  });

  test('says 404 in JSON when there is no such call', async () => {
    for (const path of ['/nothing', '/topics/1/2', '/automation', '/automation/runs', '/auth']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        const { status, headers, text } = await send(path, method);
        assert.equal(status, 404, path);
        assert.match(headers.get('Content-Type')!, /application\/json/);
        assert.equal(JSON.parse(text).code, 'not_found');
      }
    }
  });
});

describe('an address that ends with a verb', () => {
  test('is not there when nobody knows the verb', async () => {
    assert.ok(VERB_PATHS.length >= 4);
    for (const path of VERB_PATHS) {
      for (const verb of ['explode', 'toString', '__proto__']) {
        const address = filled(path, { verb });
        if (path.startsWith('/api/')) {
          const { status, body } = await call(url, 'POST', address.slice('/api/v1'.length), {}, admin.token);
          assert.deepEqual([address, status, body.code], [address, 404, 'not_found']);
        } else {
          for (const answer of [await admin.browser.get(address), await admin.browser.post(address)]) {
            assert.deepEqual([address, answer.status], [address, 404]);
            assert.match(await answer.text(), /<h1[^>]*>Page not found<\/h1>/, address);
          }
        }
      }
    }
  });
});

describe('every page', () => {
  test('knows its reader by the cookie, not by a bearer token', async () => {
    const headers = { Authorization: `Bearer ${admin.token}` };
    for (const path of PAGE_PATHS.filter((each) => /^\/app(?:\/|$)/.test(each))) {
      const answer = await fetch(url + filled(path), { headers, redirect: 'manual' });
      assert.deepEqual([path, answer.status], [path, 302]);
      assert.equal(answer.headers.get('Location'), '/login');
    }
  });
});
