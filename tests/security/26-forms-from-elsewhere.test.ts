import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { addressOf, thingsIn } from '#tests/fixtures/existing-ids.ts';
import { fillAccount } from '#tests/fixtures/full-account.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { API_PATHS, filled, PAGE_PATHS, PUBLIC } from '#tests/harness/http/route-paths.ts';
import { changesSince, everyRow } from '#tests/harness/row-changes.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
/** The cookies of an admin, who may do all there is. */
let Cookie: string;
let things: Record<string, string>;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { REQUIRE_ADMIN_TWO_STEP: '0' } }));
  const { db, pool } = database;
  const admin = await makeUser(db, { isAdmin: true });
  await makePlan(db, admin, 1);
  await fillAccount(db, admin, 'Marlow');
  things = await thingsIn(pool);
  Cookie = [...(await browserOf(db, admin, url)).cookies]
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
});

/** What a browser says of where a form stands that is none of ours; an old one says nothing at all. */
const ELSEWHERE: [where: string, headers: (own: string) => Record<string, string>][] = [
  ['another site', () => ({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' })],
  ['another site, by an old browser', () => ({ Origin: 'https://evil.example' })],
  ['a page without an origin', () => ({ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' })],
  [
    'another host of our site',
    () => ({ Origin: 'https://blog.tidepost.example', 'Sec-Fetch-Site': 'same-site' }),
  ],
  ['another port', (own) => ({ Origin: `${own}1` })],
  ['another site that forges our origin', (own) => ({ Origin: own, 'Sec-Fetch-Site': 'cross-site' })],
  ['an address bar', () => ({ 'Sec-Fetch-Site': 'none' })],
  ['nowhere', () => ({})],
];

const fields = {
  reason: 'No',
  content: 'Taken over',
  name: 'Taken over',
  email: 'a@example.com',
  password: PASSWORD,
};
function multipart() {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
const BODIES: [kind: string, body: () => BodyInit, type?: string][] = [
  ['a form', () => new URLSearchParams(fields)],
  ['a form with files', multipart],
  ['JSON as plain text', () => JSON.stringify(fields), 'text/plain'],
  ['nothing', () => ''],
];

type Way = {
  headers: (own: string) => Record<string, string>;
  body: () => BodyInit;
  type?: string | undefined;
};

/** A form from each place, and whatever else can be sent from the first of them. */
const WAYS: [form: string, way: Way][] = [
  ...ELSEWHERE.map(([where, headers]): [string, Way] => [
    `a form of ${where}`,
    { headers, body: BODIES[0]![1] },
  ]),
  ...BODIES.slice(1).map(([kind, body, type]): [string, Way] => [
    kind,
    { headers: ELSEWHERE[0]![1], body, type },
  ]),
];

async function send(address: string, headers: Record<string, string>, body?: BodyInit, type?: string) {
  const all = { ...headers, Cookie, ...(type && { 'Content-Type': type }) };
  const init = { method: 'POST', headers: all, body, redirect: 'manual' as const };
  const answer = await fetch(url + address, init);
  await answer.arrayBuffer();
  return answer;
}

/** What a mail program sends has no page of ours behind it; what proves it is in its address. */
const PROVED_BY_ADDRESS = ['/unsubscribe'];

test('26 no page takes a form that another site sends, and no such form changes anything', async () => {
  const before = await everyRow(database.pool);
  for (const path of PAGE_PATHS.filter((each) => !PROVED_BY_ADDRESS.includes(each))) {
    const at = addressOf(path, things);
    const asData = at === '/' ? '/_root.data' : `${at}.data`;
    for (const address of /\.\w+$/.test(path) ? [at] : [at, asData]) {
      for (const [form, { headers, body, type }] of WAYS) {
        const { status } = await send(address, headers(url), body(), type);
        assert.ok(status === 403 || status === 400, `${form} to ${address}: ${status}`);
      }
    }
  }
  assert.deepEqual(await changesSince(before, database.pool), []);
});

test('26 an address that is only looked at is no form, whatever it says of its method', async () => {
  const before = await everyRow(database.pool);
  const topics = await database.db.selectFrom('topics').select('id').execute();
  for (const { id } of topics) {
    for (const address of [`/app/topics/${id}/delete`, '/logout', '/app/automation/toggle']) {
      const headers = { Cookie, 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': 'POST' };
      await (await fetch(`${url}${address}?_method=POST`, { headers, redirect: 'manual' })).arrayBuffer();
    }
  }
  assert.deepEqual(await changesSince(before, database.pool), []);
});

test('26 no call takes the cookie of a browser, also from a page of ours', async () => {
  const from: Record<string, string>[] = [
    { Origin: url, 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'https://evil.example' },
  ];
  const before = await everyRow(database.pool);
  for (const path of [
    ...API_PATHS.filter((each) => !PUBLIC.includes(each)).map((each) => `/api/v1${each}`),
    '/mcp',
  ]) {
    for (const [kind, body, type] of [...BODIES, ['JSON', () => '{}', 'application/json'] as const]) {
      for (const headers of from) {
        const { status } = await send(filled(path), headers, body(), type);
        assert.ok(status === 401 || status === 405, `${kind} to ${path}: ${status}`);
      }
    }
  }
  assert.deepEqual(await changesSince(before, database.pool), []);
});

test('26 no other site signs a browser in or up by a call: none takes what a form can send', async () => {
  for (const path of ['/auth/login', '/auth/signup', '/auth/verify-otp', '/auth/reset-password']) {
    for (const [kind, body, type] of BODIES.slice(0, 3)) {
      const answer = await send(`/api/v1${path}`, { Origin: 'https://evil.example' }, body(), type);
      assert.equal(answer.status, 415, `${kind} to ${path}`);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
  }
});
