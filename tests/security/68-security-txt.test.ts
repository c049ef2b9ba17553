import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

const DAY_MS = 86_400_000;
const APP_URL = 'https://tidepost.example';
const SUPPORT_EMAIL = 'safe@tidepost.example';

const { url: databaseUrl } = await testDatabase();
const { url } = await startWeb({ databaseUrl, env: { APP_URL, SUPPORT_EMAIL } });

test('68 security.txt says whom to tell, in the form of RFC 9116, and is never out of date', async () => {
  const answer = await fetch(`${url}/.well-known/security.txt`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'text/plain; charset=utf-8');
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  const fields = new Map(
    lines.map((line) => /^([A-Za-z-]+): (.+)$/.exec(line)!.slice(1) as [string, string]),
  );
  assert.equal(fields.size, lines.length, 'each field once');
  assert.equal(fields.get('Contact'), `mailto:${SUPPORT_EMAIL}`);
  assert.equal(fields.get('Canonical'), `${APP_URL}/.well-known/security.txt`);
  assert.match(fields.get('Expires')!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const left = Date.parse(fields.get('Expires')!) - Date.now();
  assert.ok(left > 30 * DAY_MS && left < 365 * DAY_MS, `${left / DAY_MS} days`);
});

test('68 nothing else below /.well-known, and no other address with a dot, is opened by that', async () => {
  for (const each of ['/.well-known/', '/.well-known/x', '/.well-known/security.txt/.env', '/.git/config'])
    assert.equal((await fetch(url + each, { redirect: 'manual' })).status, 404, each);
});

test('68 the policy says when we answer, how soon things are mended, and who is safe', async () => {
  const policy = readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8');
  const told = await (await fetch(`${url}/.well-known/security.txt`)).text();
  for (const text of [policy, told])
    for (const said of [/3 business days/, /no legal steps/]) assert.match(text, said);
  for (const promise of [/48 hours/, /7 days/, /30 days/]) assert.match(policy, promise);
});
