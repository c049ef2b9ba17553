import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EmittedEvent, watchEvents } from '#app/domain/platform/events.ts';
import { logReports, readReports } from '#app/http/telemetry/csp-reports.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';

const OLD = 'application/csp-report';
const NEW = 'application/reports+json';
const HOUR = 3_600_000;

let web: Web;
before(async () => {
  const { url } = await testDatabase();
  web = await startWeb({ databaseUrl: url, env: { LOG_LEVEL: 'info', TRUST_PROXY: 'x-forwarded-for' } });
});

const old = (change: object = {}) =>
  JSON.stringify({
    'csp-report': {
      'document-uri': `${web.url}/login?secret=1`,
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://evil.example/a.js?token=2',
      ...change,
    },
  });

let nth = 0;
function nextAddress(): string {
  nth += 1;
  return `10.0.${nth >> 8}.${nth & 255}`;
}

/** Each from an address of its own, unless one is named. */
async function report(body: string, type = OLD, from = nextAddress(), more: HeadersInit = {}) {
  const headers = { 'Content-Type': type, 'X-Forwarded-For': from, ...more };
  const response = await fetch(`${web.url}/csp-reports`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

const events = () =>
  web
    .said()
    .split('\n')
    .filter((line) => line.includes('"event":"csp_report"'))
    .map((line) => JSON.parse(line));

test('every page that is not shared has a policy with a nonce of its own, which its scripts bear, and says where to report', async () => {
  const nonces = new Set<string>();
  for (const path of ['/terms', '/signup', '/signup', '/help']) {
    const response = await fetch(web.url + path);
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    const nonce = /script-src 'self' 'nonce-([\w+/=]{20,})' 'strict-dynamic' 'sha256-[\w+/=]{44}';/.exec(
      policy,
    )?.[1];
    assert.ok(nonce, `${path}: ${policy}`);
    nonces.add(nonce);
    const html = await response.text();
    // One tag without anything is the one that the policy names by its hash: see endpoint.http.test.ts of visits.
    const scripts = [...html.matchAll(/<script(?![^>]*type="application\/ld)[^>]+>/g)].map(([tag]) => tag);
    assert.equal(html.split('<script>').length, 2, path);
    for (const tag of scripts) assert.ok(tag.includes(`nonce="${nonce}"`), `${path}: ${tag}`);
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      'report-uri /csp-reports',
      'report-to csp',
    ])
      assert.ok(policy.includes(part), `${path}: ${part}`);
    assert.equal(response.headers.get('Reporting-Endpoints'), 'csp="/csp-reports"');
  }
  assert.equal(nonces.size, 4);
});

test('a report is an event with what matters of it, once, in either of its forms', async () => {
  assert.equal(await report(old()), 204);
  for (let n = 0; n < 5; n += 1) assert.equal(await report(old()), 204);
  const body = {
    effectiveDirective: 'img-src',
    blockedURL: 'inline',
    documentURL: `${web.url}/app/posts/0195f4e2?a=1`,
  };
  const reports = [
    { type: 'csp-violation', body },
    { type: 'deprecation', body: { id: 'x' } },
  ];
  assert.equal(await report(JSON.stringify(reports), NEW), 204);
  while (events().length < 2) await nextTurn();
  const told = events().map(({ directive, blocked, page, times }) => [directive, blocked, page, times]);
  assert.deepEqual(told, [
    ['script-src-elem', 'evil.example', '/login', 1],
    ['img-src', 'inline', '/app/posts/:id', 1],
  ]);
  assert.doesNotMatch(web.said(), /secret=1|token=2|0195f4e2/);
});

test('what is no report is refused or forgotten, and never an error of ours', async () => {
  const from = web.said().length;
  assert.equal(await report('{"csp-report":'), 204);
  for (const body of [
    '',
    '[]',
    'null',
    '7',
    '"a"',
    '{}',
    '{"csp-report":7}',
    '[null,7,{"type":"csp-violation"}]',
    '\0',
  ])
    for (const type of [OLD, NEW]) assert.equal(await report(body, type), 204, `${type} ${body}`);
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json',
    '',
  ])
    assert.equal(await report(old(), type), 415, type);
  assert.equal(await report(old({ 'document-uri': 'x'.repeat(10_000) })), 413);
  assert.equal((await fetch(`${web.url}/csp-reports`)).status, 405);
  assert.equal(
    (await fetch(`${web.url}/csp-reports`, { method: 'OPTIONS' })).headers.get('Access-Control-Allow-Origin'),
    null,
  );
  assert.doesNotMatch(web.said().slice(from), /"level":50|"event":"csp_report"/);
});

test('a report may come without a session or an Origin, and other addresses take no form because of that', async () => {
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  assert.equal(await report(old(), OLD, undefined, foreign), 204);
  for (const path of ['/login', '/theme', '/csp-reports/x', '/logout']) {
    const headers = { 'Content-Type': OLD, ...foreign };
    const { status } = await fetch(web.url + path, { method: 'POST', headers, body: old() });
    assert.ok([400, 403, 404, 405].includes(status), `${path} ${status}`);
  }
});

test('one address may report so often, and all together', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 35; n += 1) statuses.push(await report(old(), OLD, '192.0.2.1'));
  assert.equal(statuses.filter((status) => status === 204).length, 30);
  assert.deepEqual(new Set(statuses.slice(30)), new Set([429]));
  let passed = 0;
  for (let n = 0; n < 700; n += 1) if ((await report(old())) === 204) passed += 1;
  assert.ok(passed <= 600 && passed > 400, `${passed}`);
});

test('the same is told again after an hour with how often it came, and what floods is one kind', () => {
  const told: (EmittedEvent & Record<string, unknown>)[] = [];
  const stop = watchEvents((event) => told.push(event as never));
  const one = { directive: 'script-src', blocked: 'eval', page: '/a' };
  for (const at of [0, 1, 2, HOUR]) logReports([one], at);
  assert.deepEqual(
    told.map(({ times }) => times),
    [1, 3],
  );
  told.length = 0;
  for (let n = 0; n < 5_000; n += 1) logReports([{ ...one, blocked: `host-${n}.example` }], HOUR + n);
  assert.ok(told.length <= 201, `${told.length}`);
  assert.equal(told.at(-1)!.blocked, 'other');
  stop();
});

test('a report keeps no more than names that can be in a policy, and hosts', () => {
  const hostile = {
    'effective-directive': 'a\nb "c"',
    'blocked-uri': 'data:text/html,<script>',
    'document-uri': 'https://evil.example/x',
  };
  const kept = { directive: 'other', blocked: 'data', page: 'other' };
  assert.deepEqual(readReports(OLD, old(hostile)), [kept]);
});
