import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { listOptOuts, unsubscribeLink } from '#app/domain/email/choices.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function somebody() {
  const { userId, email } = await makeUser(database.db);
  const { pathname, search } = new URL(unsubscribeLink({ userId, address: email }, 'topics'));
  return { userId, link: `${url}${pathname}${search}`, muted: () => listOptOuts(database.db, userId) };
}

/** As a mail program sends it: no cookie, no Origin, no word of where it comes from. */
const oneClick = (link: string, init: RequestInit = {}) =>
  fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'manual',
    ...init,
  });

test('to look at the link changes nothing: it shows a button, and tells no other site its address', async () => {
  const { link, muted } = await somebody();
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await fetch(link, { method, redirect: 'manual' });
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('Referrer-Policy'), 'same-origin');
    assert.match(page.headers.get('X-Robots-Tag')!, /noindex/);
    if (method === 'GET') {
      const html = await page.text();
      assert.match(html, /Stop these emails/);
      assert.match(html, /Paused topics/);
    }
  }
  assert.deepEqual(await muted(), []);
});

test('one press of a mail program ends the mails, without cookies and without an Origin, as a form of either kind', async () => {
  const multipart = new FormData();
  multipart.set('List-Unsubscribe', 'One-Click');
  for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), multipart]) {
    const { link, muted } = await somebody();
    for (const _ of [1, 2]) {
      const answer = await oneClick(link, { body });
      assert.equal(answer.status, 200, 'RFC 8058 wants no redirect');
      assert.deepEqual(answer.headers.getSetCookie(), []);
      assert.match(await answer.text(), /These emails have ended/);
    }
    assert.deepEqual(await muted(), ['topics']);
  }
});

test('a link that was not mailed ends nothing', async () => {
  const { link, muted } = await somebody();
  const other = await somebody();
  const key = new URL(link).searchParams.get('key')!;
  const forged = [
    link.replace('from=topics', 'from=schedule'),
    link.replace(/key=[^.]*/, `key=${other.userId}`),
    `${url}/unsubscribe?from=topics&key=${key.slice(0, -3)}`,
    `${url}/unsubscribe?from=topics`,
    `${url}/unsubscribe`,
  ];
  for (const each of forged) {
    assert.equal((await fetch(each)).status, 404, each);
    const answer = await oneClick(each);
    assert.equal(answer.status, 404, each);
    assert.match(await answer.text(), /This link is not valid/);
  }
  assert.deepEqual([await muted(), await other.muted()], [[], []]);
});

test('the page takes no cookie for anything, and no other page takes a form without an Origin', async () => {
  const { link, userId } = await somebody();
  const cookie = await oneClick(link, { headers: { Cookie: 'tidepost=made-up; notices=made-up' } });
  assert.equal(cookie.status, 200);
  for (const path of ['/app/account/emails', '/login', '/theme', '/logout', '/approval/x/approve']) {
    const answer = await oneClick(`${url}${path}`);
    assert.equal(answer.status, 403, path);
  }
  assert.deepEqual(await listOptOuts(database.db, userId), ['topics']);
});

test('what is no form is refused before it is looked at', async () => {
  const { link, muted } = await somebody();
  const json = await oneClick(link, { body: '{}', headers: { 'Content-Type': 'application/json' } });
  assert.equal(json.status, 415);
  assert.deepEqual(await muted(), []);
});
