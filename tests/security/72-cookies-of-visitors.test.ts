import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { testDatabase } from '#tests/harness/database.ts';
import { API_PATHS, filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

let url: string;
before(async () => {
  const { url: databaseUrl } = await testDatabase();
  ({ url } = await startWeb({ databaseUrl }));
});

test('72 whoever only looks is given no cookie, on no page and by no call', async () => {
  const addresses = [
    ...PAGE_PATHS.map((path) => filled(path)),
    ...API_PATHS.map((path) => `/api/v1${filled(path)}`),
  ];
  let shown = 0;
  for (const address of addresses) {
    const answer = await fetch(url + address, { redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.status === 200) shown += 1;
    // Who is led to sign in is led back to where they were going: nothing tells who that was.
    // A notice is shown on the next page, and gone with it.
    const cookies = answer.headers.getSetCookie().filter((line) => !/Max-Age=0|^notices-/i.test(line));
    const isLed = answer.status === 302 && answer.headers.get('Location') === '/login';
    assert.deepEqual(isLed ? [] : cookies, [], address);
  }
  assert.ok(shown > 10, String(shown));
});

test('72 what tells of a visit is answered without a cookie, and needs none', async () => {
  const body = JSON.stringify({
    pathname: '/',
    sessionId: 'n1',
    screenWidth: 800,
    screenHeight: 600,
    language: 'en',
  });
  const headers = {
    'Content-Type': 'application/json',
    Origin: url,
    'User-Agent': 'Mozilla/5.0 Firefox/150.0',
  };
  const answer = await fetch(`${url}/api/v1/visits/track`, { method: 'POST', headers, body });
  assert.ok(answer.status < 300, String(answer.status));
  assert.deepEqual(answer.headers.getSetCookie(), []);
});
