import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { queueMail } from '#app/domain/email/outbox.ts';
import { trackingParams } from '#app/domain/email/tracking/link-marks.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { recordClick } from '#app/domain/visits/record-click.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let database: TestDatabase;
let web: Web;
before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } });
});

let nth = 0;
const from = () => {
  nth += 1;
  return { 'User-Agent': CHROME, 'X-Forwarded-For': `10.8.0.${nth}` };
};

/** Somebody to whom a mail went out. */
async function mailed(): Promise<Actor> {
  const { db } = database;
  const actor = await makeUser(db);
  await queueMail(db, { address: actor.email, userId: actor.userId }, 'accountKept', {
    name: 'Ada',
    url: web.url,
  });
  await db.updateTable('mails').set({ sentAt: new Date() }).where('userId', '=', actor.userId).execute();
  return actor;
}

const AT = 1_795_000_000_000;
/** As the link of a mail bears them; `nth` tells mails of an address apart. */
const signed = (email: string, nth = 0) =>
  trackingParams({ address: email, kind: 'accountKept', createdAt: new Date(AT + nth) });
const marks = (email: string, more: Record<string, string> = {}, nth = 0) =>
  new URLSearchParams({ ...signed(email, nth), ...more });

const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(web.url + path, { method, redirect: 'manual', headers: { ...from(), ...headers } });

const clicksOf = (email: string) =>
  database.db
    .selectFrom('emailClicks')
    .select(['campaign', 'page', 'device', 'browser', 'system', 'userId'])
    .where('address', '=', email)
    .orderBy('id')
    .execute();

/** What was opened before is written down once this one is. */
async function seen(email: string) {
  const last = await mailed();
  // Of many at once some are not written down, so it is opened until it is.
  await until('the last click is written down', async () => {
    await open(`/?${marks(last.email)}`);
    return (await clicksOf(last.email)).length === 1;
  });
  return clicksOf(email);
}

test('admins read who opened what, and nobody else', async () => {
  const [ada, bo] = [await mailed(), await mailed()];
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const click = (email: string, at: Date, nth = 0) =>
    recordClick(
      database.db,
      { email, campaign: 'accountKept', page: '/', userAgent: CHROME, ts: signed(email, nth).ts! },
      at,
    );
  for (const page of [1, 2, 3]) await click(ada.email, now, page % 2);
  await click(bo.email, ago(40));
  await click(bo.email, ago(40), 1);
  const token = await tokenOf(database.db, await makeUser(database.db, { isAdmin: true }));
  const read = async (what: string, bearer = token) => {
    const headers = { Authorization: `Bearer ${bearer}` };
    const answer = await fetch(`${web.url}/api/v1/email-tracking/${what}`, { headers });
    return { status: answer.status, said: await answer.json() };
  };
  const user = await tokenOf(database.db, ada);
  for (const what of ['summary', 'analytics']) assert.equal((await read(what, user)).status, 403);
  const { summary } = (await read('summary')).said;
  assert.deepEqual(summary.allTime, { totalClicks: 4, uniqueClicks: 2 });
  for (const span of ['today', 'thisWeek', 'thisMonth'])
    assert.deepEqual(summary[span], { totalClicks: 2, uniqueClicks: 1 }, span);
  const { analytics } = (await read('analytics')).said;
  assert.deepEqual(analytics.clicksByDevice, [{ _id: 'Desktop', count: 4 }]);
  assert.deepEqual(analytics.clicksByBrowser, [{ _id: 'Chrome', count: 4 }]);
  assert.deepEqual(analytics.topClickers[0], { _id: ada.email, clicks: 2, lastClick: now.toISOString() });
  assert.deepEqual(analytics.recentClicks[2].email, bo.email);
  assert.deepEqual(Object.keys(analytics.recentClicks[0]), ['email', 'device', 'browser', 'os', 'clickedAt']);
});

test('a link of a mail counts as its page is served, and leads on without what it says', async () => {
  const { email, userId } = await mailed();
  const answer = await open(`/app/posts?status=failed&${marks(email)}&page=2`);
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get('Location'), '/app/posts?status=failed&page=2');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Referrer-Policy'), 'no-referrer');
  const of = { campaign: 'accountKept', device: 'Desktop', browser: 'Chrome', system: 'Windows', userId };
  assert.deepEqual(await seen(email), [{ ...of, page: '/app/posts' }]);
  for (let times = 0; times < 3; times += 1) await open(`/app/posts?${marks(email)}`);
  assert.equal((await seen(email)).length, 1, 'the same counts once an hour');
  for (const page of ['/login', '/made-up', '/app']) await open(`${page}?${marks(email)}`);
  assert.equal((await seen(email)).length, 1, 'whatever page is put in');
  await open(`/login?${marks(email, {}, 1)}`);
  assert.equal((await seen(email))[1]?.page, '/login', 'another mail counts by itself');
  assert.doesNotMatch(web.said(), new RegExp(email));
});

test('a signed-in reader ends on the page itself', async () => {
  const actor = await mailed();
  const browser = await browserOf(database.db, actor, web.url);
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${web.url}/app/topics?${marks(actor.email)}`, {
    headers: { ...from(), Cookie },
  });
  assert.equal(answer.url, `${web.url}/app/topics`);
  assert.equal(answer.status, 200);
});

test('nothing leads away from here', async () => {
  const { email } = await mailed();
  for (const path of [
    '//evil.example/',
    '///evil.example/a',
    '/\\evil.example',
    '/%2F%2Fevil.example',
    '/.//evil.example',
  ]) {
    const answer = await open(`${path}?${marks(email, { next: '//evil.example' })}`);
    const to = answer.headers.get('Location');
    if (to) assert.equal(new URL(to, web.url).origin, web.url, `${path} -> ${to}`);
    await answer.arrayBuffer();
  }
});

test('only what we wrote into a mail counts: nobody makes or changes it', async () => {
  const [{ email }, other] = [await mailed(), await mailed()];
  const { ts = '' } = signed(email);
  const [at, mac, key] = ts.split('.');
  const made: Record<string, string>[] = [
    { ts: String(AT) },
    { ts: '' },
    { ts: `${AT + 1}.${mac}.${key}` },
    { ts: `0${at}.${mac}.${key}` },
    { ts: `${at}.${mac!.slice(0, -2)}AA.${key}` },
    { ts: `${at}.${mac}.another` },
    { ts: `${at}.${mac}` },
    { ts: `${'9'.repeat(15)}.${mac}.${key}` },
    { campaign: 'newDevice' },
    { campaign: `made-up-${'x'.repeat(500)}` },
    { email: other.email },
  ];
  for (const more of made)
    assert.equal((await open(`/login?${marks(email, more)}`)).status, 302, JSON.stringify(more));
  assert.deepEqual(await seen(email), []);
  assert.deepEqual(await clicksOf(other.email), []);
});

test('only a whole mark counts, opened by somebody who may be counted, to whom we mailed', async () => {
  const { email } = await mailed();
  const never = await makeUser(database.db);
  const unmarked = await open(`/login?${new URLSearchParams({ email })}`);
  assert.equal(unmarked.status, 200);
  assert.equal((await open(`/login?${marks(email, { source: 'mail' })}`)).status, 200);
  const left: Record<string, string>[] = [
    { 'User-Agent': 'Mozilla/5.0 (compatible; GoogleImageProxy; bot)' },
    { 'User-Agent': '' },
    { DNT: '1' },
    { 'Sec-GPC': '1' },
    { 'Sec-Purpose': 'prefetch;prerender' },
  ];
  for (const headers of left) assert.equal((await open(`/login?${marks(email)}`, headers)).status, 302);
  assert.equal((await open(`/login?${marks(email)}`, {}, 'HEAD')).status, 302);
  for (const who of [
    never.email,
    'nobody@people.example',
    "x' or 1=1 --@people.example",
    `${'a'.repeat(300)}@b.example`,
    'a\0@b.example',
    '',
  ])
    assert.equal((await open(`/login?${marks(who)}`)).status, 302, who);
  assert.deepEqual(await seen(email), []);
  assert.deepEqual(await clicksOf(never.email), []);
});

test('a program may tell of a click, and learns nothing of whom we mailed', async () => {
  const { email } = await mailed();
  const tell = async (body: unknown, headers = {}) => {
    const type = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers: { ...from(), ...type, ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(`${web.url}/api/v1/email-tracking/click`, init);
    return { status: answer.status, said: await answer.json() };
  };
  const click = { ...signed(email), email: ` ${email.toUpperCase()} `, page: '/login' };
  const known = await tell(click);
  const unknown = await tell({ ...click, ...signed('nobody@people.example') });
  assert.deepEqual(await tell({ ...click, ts: 1_795_000_000_000 }), known);
  assert.deepEqual(known, { status: 201, said: { success: true } });
  assert.deepEqual(unknown, known);
  assert.equal((await seen(email))[0]?.page, '/login');
  const refused: unknown[] = [
    {},
    [],
    null,
    { email, source: 'mail' },
    { source: 'email' },
    { ...click, email: 'no address' },
    { ...click, page: 'x'.repeat(3_000) },
    { ...click, campaign: 7 },
    { ...click, email: [email] },
  ];
  for (const body of refused) assert.equal((await tell(body)).status, 422, JSON.stringify(body).slice(0, 80));
});

test('of one address 30 clicks a minute are written down, and its pages come all the same', async () => {
  const one = (nth: number) => ({ 'X-Forwarded-For': `192.0.2.${nth}` });
  const openedAfter = async (others: number, address: Record<string, string>) => {
    const { email } = await mailed();
    for (let n = 0; n < others; n += 1) {
      const { status } = await open(`/login?${marks('nobody@people.example')}`, address);
      assert.equal(status, 302);
    }
    // Those before are written down: at most two are at once.
    await seen((await mailed()).email);
    for (let n = 0; n < 3; n += 1) assert.equal((await open(`/login?${marks(email)}`, address)).status, 302);
    return seen(email);
  };
  assert.deepEqual(await openedAfter(30, one(9)), []);
  assert.equal((await openedAfter(28, one(10))).length, 1);
});
