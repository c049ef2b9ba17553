import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { cheapHash, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { type Browser, call } from '#tests/harness/http/browser.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
let db: Db;
let databaseUrl: string;
let direct: string;
let behindProxy: string;
let onFly: string;

before(async () => {
  const database = await testDatabase();
  db = database.db;
  databaseUrl = database.url;
  const webs = await Promise.all(
    ['none', 'x-forwarded-for', 'fly'].map((TRUST_PROXY) => startWeb({ databaseUrl, env: { TRUST_PROXY } })),
  );
  [direct, behindProxy, onFly] = webs.map(({ url }) => url) as [string, string, string];
});

type Call = { from?: string; by?: string; url?: string };

function post(
  path: string,
  body: object,
  { from = '', by = 'X-Forwarded-For', url = behindProxy }: Call = {},
) {
  const headers = { 'Content-Type': 'application/json', ...(from && { [by]: from }) };
  return fetch(`${url}/api/v1/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/**
 * How many of the calls pass; each refusal must say how long to wait. Sent at once they count within one minute, however
 * busy the machine is.
 */
async function passes(calls: number, send: (nth: number) => Promise<Response>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: calls }, (_, nth) => send(nth)));
  const refused = answers.filter(({ status }) => status === 429);
  for (const response of refused) {
    const { code } = (await response.json()) as { code: string };
    assert.equal(code, 'rate_limited');
    assert.ok(Number(response.headers.get('Retry-After')) >= 1);
  }
  return calls - refused.length;
}

const unique = () => signUpInput().email;

const hash = cheapHash();
/** The address of somebody at whose password guesses cost little. */
async function somebody(): Promise<string> {
  const { userId, email } = await makeUser(db);
  await db
    .updateTable('users')
    .set({ passwordHash: await hash })
    .where('id', '=', userId)
    .execute();
  return email;
}

const wrong = (email: string) => ({ email, password: 'not the password' });

describe('60 calls a minute are refused', () => {
  type Calls = {
    atLeast?: number;
    who?: () => string | Promise<string>;
    call: (email: string) => [string, object];
  };
  const calls: Record<string, Calls> = {
    'sign-in': { who: somebody, call: (email) => ['login', wrong(email)] },
    // One code a minute goes to an address.
    'sign-up': { atLeast: 1, call: (email) => ['signup', { name: 'Ada', email, password: PASSWORD }] },
    codes: { call: (email) => ['verify-otp', { email, otp: '123456' }] },
    'new codes': { atLeast: 1, call: (email) => ['resend-otp', { email }] },
    'new passwords': { atLeast: 1, call: (email) => ['forgot-password', { email }] },
    'codes for them': {
      call: (email) => ['reset-password', { email, otp: '123456', newPassword: PASSWORD }],
    },
  };
  for (const [index, [name, { atLeast = 5, who = unique, call: make }]] of Object.entries(calls).entries()) {
    test(`${name} for one account`, async () => {
      const email = await who();
      const count = await passes(60, () => post(...make(email), { from: `10.1.${index}.1` }));
      assert.ok(count >= atLeast && count < 60, `${count} passed`);
    });
    test(`${name} from one address`, async () => {
      const emails = await Promise.all(Array.from({ length: 60 }, who));
      const count = await passes(60, (nth) => post(...make(emails[nth]!), { from: `10.1.${index}.2` }));
      assert.ok(count >= 25 && count < 60, `${count} passed`);
    });
  }

  test('the pages count in the same buckets', async () => {
    const email = await somebody();
    await passes(60, () => post('login', wrong(email), { from: '10.1.9.1' }));
    const page = await fetch(`${behindProxy}/login`, {
      method: 'POST',
      headers: { Origin: behindProxy, 'X-Forwarded-For': '10.1.9.1' },
      body: new URLSearchParams(wrong(email)),
      redirect: 'manual',
    });
    assert.equal(page.status, 429);
    assert.ok(Number(page.headers.get('Retry-After')) >= 1);
    assert.match(await page.text(), /Too many attempts\. Please wait \d+ seconds/);
  });
});

test('wrong codes from everywhere keep nobody from the link in their mail', async () => {
  const email = unique();
  await post('signup', { name: 'Ada', email, password: PASSWORD }, { from: '10.9.0.1' });
  const guess = (nth: number) => post('verify-otp', { email, otp: '000000' }, { from: `10.9.1.${nth}` });
  assert.equal(await passes(80, guess), 60);
  const { pathname, search } = new URL((await mailsTo(db, email, 'verifyEmail'))[0]!.url);
  const followed = await fetch(behindProxy + pathname + search, {
    method: 'POST',
    headers: { Origin: behindProxy, 'X-Forwarded-For': '10.9.0.1' },
    body: new URLSearchParams({ password: PASSWORD }),
    redirect: 'manual',
  });
  assert.equal(followed.headers.get('Location'), '/verify-email?state=done');
});

test('one address has some hundred people mailed in a day, however slowly, and others are mailed still', async () => {
  const from = '10.8.0.1';
  const ask = () => post('forgot-password', { email: unique() }, { from });
  let mailed = 0;
  for (let minute = 0; minute < 16; minute += 1) {
    // What counts for a day stays.
    await db.deleteFrom('rateLimits').where('key', 'not like', 'mailing%').execute();
    mailed += await passes(20, ask);
  }
  assert.equal(mailed, 300);
  const refused = await post('signup', { name: 'Ada', email: unique(), password: PASSWORD }, { from });
  assert.match(((await refused.json()) as { message: string }).message, /Please wait 2[34] hours/);
  assert.equal((await post('forgot-password', { email: unique() }, { from: '10.8.0.2' })).status, 200);
  assert.equal((await post('login', wrong(unique()), { from })).status, 401, 'signing in goes on');
});

test('signing in rightly 60 times is not refused', async () => {
  const { email } = await makeUser(db);
  for (let nth = 0; nth < 60; nth += 1) {
    const { status } = await post('login', { email, password: PASSWORD }, { from: '10.2.0.1' });
    assert.equal(status, 200);
  }
});

test('ten downloads in ten minutes are all that an account gets, from however many addresses', async () => {
  const { cookies } = await browserOf(db, await makeUser(db), behindProxy);
  const Cookie = `tidepost=${cookies.get('tidepost')}`;
  const statuses = [];
  for (let nth = 0; nth < 12; nth += 1) {
    const headers = { Cookie, 'X-Forwarded-For': `10.7.0.${nth}` };
    const answer = await fetch(`${behindProxy}/app/posts.csv`, { headers, redirect: 'manual' });
    await answer.text();
    statuses.push(answer.status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
});

describe('sending by hand', () => {
  const VERBS = ['publish', 'retry', 'again'];
  const MOST = 60;

  test('is refused by the API after 60 calls of an account in ten minutes, whatever they are', async () => {
    const actor = await makeUser(db);
    const token = await tokenOf(db, actor);
    const id = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
    const send = (nth: number) =>
      call(direct, 'POST', `/automation/posts/${id}/${VERBS[nth % VERBS.length]}`, {}, token);
    for (let nth = 0; nth < MOST; nth += 1) assert.equal((await send(nth)).status, 409);
    for (const [nth] of VERBS.entries()) {
      const { status, headers, body } = await send(nth);
      assert.deepEqual([status, body.code], [429, 'rate_limited']);
      assert.match(body.message, /^Too many attempts\. Please wait \d+ minutes/);
      assert.ok(Number(headers.get('Retry-After')) > 60);
    }
    assert.equal((await call(direct, 'GET', '/automation/posts', undefined, token)).status, 200);
    const browser = await browserOf(db, actor, direct);
    await browser.post(`/app/posts/${id}/publish`, { from: '/app/scheduled' });
    assert.match(await browser.read('/app/scheduled'), /Too many attempts\. Please wait/);
  });

  test('is refused by the buttons in the same way, and nobody else is', async () => {
    const actor = await makeUser(db);
    const id = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
    const browser = await browserOf(db, actor, direct);
    const press = async (who: Browser, nth: number) => {
      const verb = VERBS[nth % VERBS.length];
      const answer = await who.post(`/app/posts/${id}/${verb}`, { from: '/app/scheduled' });
      assert.equal(answer.status, 302);
      assert.match(answer.headers.get('Location')!, /^\/app\/scheduled(?:#post-|$)/);
    };
    for (let nth = 0; nth < MOST; nth += 1) await press(browser, nth);
    assert.doesNotMatch(await browser.read('/app/scheduled'), /Too many attempts/);
    await press(browser, 0);
    assert.match(await browser.read('/app/scheduled'), /Too many attempts\. Please wait \d+ minutes/);
    await browser.post('/app/linkedin/test');
    assert.match(await browser.read('/app/linkedin'), /Too many attempts\. Please wait \d+ minutes/);
    const other = await browserOf(db, await makeUser(db), direct);
    await press(other, 0);
    assert.doesNotMatch(await other.read('/app/scheduled'), /Too many attempts/);
    const gone = await browser.post(`/app/posts/${id}/delete`, { from: '/app/scheduled' });
    assert.equal(gone.status, 302);
    assert.match(await browser.read('/app/scheduled'), /Post deleted/);
  });
});

test('deleting on LinkedIn counts as sending, by the API and by the button, and deleting here does not', async () => {
  let deletions = 0;
  const linkedIn = await serve((request, response) => {
    if (request.method === 'DELETE') deletions += 1;
    response.writeHead(403).end('{"status":403,"code":"ACCESS_DENIED","message":"No"}');
  });
  const { url } = await startWeb({ databaseUrl, env: { LINKEDIN_API_URL: linkedIn } });
  const actor = await makePublisher(db, outside.url);
  const id = await makeScheduledPost(db, actor);
  await publishPost(db, id);
  const token = await tokenOf(db, actor);
  const remove = (more = '') => call(url, 'DELETE', `/automation/posts/${id}${more}`, undefined, token);
  for (let nth = 0; nth < 60; nth += 1) assert.equal((await remove()).status, 502);
  const { status, headers, body } = await remove();
  assert.deepEqual([status, body.code], [429, 'rate_limited']);
  assert.ok(Number(headers.get('Retry-After')) > 60);
  const browser = await browserOf(db, actor, url);
  await browser.post(`/app/posts/${id}/delete`, { from: '/app/posts' });
  assert.match(await browser.read('/app/posts'), /Too many attempts\. Please wait \d+ minutes/);
  assert.equal(deletions, 60);
  const waiting = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
  assert.equal((await call(url, 'DELETE', `/automation/posts/${waiting}`, undefined, token)).status, 200);
  assert.equal((await remove('?hereOnly=true')).status, 200);
  assert.equal(deletions, 60);
});

describe('the address', () => {
  // Of all calls that count by the address these cost least.
  const guess = (from: Call) => post('verify-otp', { email: unique(), otp: '123456' }, from);
  const floodOf = (make: (nth: number) => Call) => passes(60, (nth) => guess(make(nth)));

  test('is that of the connection when no proxy is trusted, whatever the client claims', async () => {
    const claims = (nth: number) => ({ url: direct, from: `10.4.0.${nth}` });
    assert.ok((await floodOf(claims)) < 60);
    const spoofed = await guess({ url: direct, by: 'X-Tidepost-Peer', from: '10.4.1.1' });
    assert.equal(spoofed.status, 429);
  });

  test('is the last hop, which the proxy wrote', async () => {
    assert.ok((await floodOf((nth) => ({ from: `10.5.0.${nth}, 10.5.1.1` }))) < 60);
  });

  test('is what Fly says', async () => {
    assert.ok((await floodOf(() => ({ url: onFly, by: 'Fly-Client-IP', from: '10.6.0.1' }))) < 60);
    assert.equal((await guess({ url: onFly, by: 'Fly-Client-IP', from: '10.6.0.2' })).status, 400);
  });

  test('of IPv6 counts by the /64', async () => {
    assert.ok((await floodOf((nth) => ({ from: `2001:db8:1:1::${nth + 1}` }))) < 60);
    assert.equal((await guess({ from: '2001:db8:1:2::1' })).status, 400);
  });
});
