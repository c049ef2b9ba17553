import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, test } from 'node:test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { enterBy, locationOf } from '#tests/fixtures/oauth.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

// More sign-ins than one address may try.
beforeEach(() => database.db.deleteFrom('rateLimits').execute());

const EVIL = [
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  'https://evil.example',
  '/%09/evil.example',
  '%2f%2fevil.example',
  'javascript:alert(1)',
  '/app/scheduled@evil.example',
  '\t//evil.example',
  '/app/scheduled\r\nSet-Cookie: a=b',
  '/auth/link.evil.example',
  '/app/account/security/..//evil.example',
  'https://user:password@evil.example/app/scheduled',
  '/logout',
  '/app/dashboard/%2e%2e//evil.example',
];

test('23 after signing in the browser goes to pages of ours alone', async () => {
  const { email } = await makeUser(database.db);
  const who = { email: `${randomUUID()}@people.example` };
  await enterBy(new Browser(url), 'google', who);
  for (const to of EVIL) {
    const query = `from=login&${new URLSearchParams({ to })}`;
    const entered = await enterBy(new Browser(url), 'google', who, query);
    assert.ok(entered.html.includes('url=/app/dashboard"'), `by Google, ${to}`);
    assert.doesNotMatch(entered.html, /evil/, to);
    const byPassword = await new Browser(url).post(`/login?${new URLSearchParams({ to })}`, {
      email,
      password: PASSWORD,
    });
    assert.equal(locationOf(byPassword), '/app/dashboard', `by password, ${to}`);
  }
});

test('23 a page on which somebody was is where they come back to', async () => {
  const who = { email: `${randomUUID()}@people.example` };
  const entered = await enterBy(new Browser(url), 'google', who, 'from=login&to=%2Fapp%2Ftopics');
  assert.ok(entered.html.includes('url=/app/topics"'));
});
