import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { signatureOf } from '#app/domain/webhooks/deliver.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const database = await testDatabase();
let url: string;

before(async () => {
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const plain = (html: string) =>
  html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

test('every call of the document is on a page that everybody can read, without scripts', async () => {
  const visitor = new Browser(url);
  const home = await visitor.read('/api/docs');
  const api = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { summary: string; operationId: string }>>;
  };
  const groups = new Set<string>();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, { summary, operationId }] of Object.entries(item)) {
      assert.ok(wordsOf(home).includes(`${method.toUpperCase()} ${path}`), path);
      const [, group] = new RegExp(`href="/api/docs/([\\w-]+)#${operationId}"`).exec(home) ?? [];
      groups.add(group!);
      const page = await visitor.read(`/api/docs/${group}`);
      assert.match(page, new RegExp(`<h2 id="${operationId}">`));
      assert.ok(plain(page).includes(summary), summary);
    }
  }
  for (const group of groups) {
    const page = await visitor.read(`/api/docs/${group}`);
    assert.ok(page.length < 64 * 1024, `${group}: ${page.length}`);
    assert.doesNotMatch(page, /<script src|>undefined</);
  }
  const unknown = await visitor.get('/api/docs/nothing');
  assert.deepEqual([unknown.status, unknown.headers.get('Location')], [302, '/api/docs']);
});

test('the example that checks a signature takes ours, and no other', async () => {
  const page = plain(await new Browser(url).read('/api/docs/webhooks')).replaceAll('&gt;', '>');
  const [, example] = /<pre>(import \{ createHmac[\s\S]*?)<\/pre>/.exec(page)!;
  const { isOfTidepost } = await import(`data:text/javascript,${encodeURIComponent(example!)}`);
  const body = '{"id":"1"}';
  const header = signatureOf(body, ['new', 'old'], new Date());
  for (const secret of ['new', 'old']) assert.equal(isOfTidepost(body, header, secret), true);
  assert.equal(isOfTidepost(body, header, 'other'), false);
  assert.equal(isOfTidepost(`${body} `, header, 'new'), false);
  const late = signatureOf(body, ['new'], new Date(Date.now() - 600_000));
  assert.equal(isOfTidepost(body, late, 'new'), false);
});

test('what is copied from a page is a call that works', async () => {
  const { db } = database;
  const token = await tokenOf(db, await makeUser(db));
  const page = plain(await new Browser(url).read('/api/docs/topics'));
  const [, sent] = /(curl -X POST [\s\S]*?)<\/pre>/.exec(page)!;
  const [, address] = /'(http[^']+)'/.exec(sent!)!;
  const [, body] = /-d '([^']+)'/.exec(sent!)!;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(address!, { method: 'POST', headers, body: body! });
  assert.equal(answer.status, 201);
});
