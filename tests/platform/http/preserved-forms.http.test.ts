import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BODY_BYTES_MAX } from '#app/http/limits.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
const { url } = await startWeb({ databaseUrl, env: { LOG_LEVEL: 'silent' } });

const KEPT_MOST = 256 * 1024;
const TYPED = {
  name: '<b>Hiring</b> & "firing"',
  description: '\nTwo lines,\nthe first one empty. </textarea><script>alert(1)</script>',
  keywords: 'one, two',
  tone: 'casual',
  approval: 'settings',
};

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const plain = (html: string) => html.replaceAll(/&(#?\w+);/g, (_, name) => ENTITIES[name] ?? '');

/** The form that gives back what was typed: where it goes, and what a browser would send. */
function typedIn(html: string) {
  const form = /<form class="form mt-8"[^>]*? action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(html);
  if (!form) return undefined;
  const [, action, inner] = form;
  const inputs = [...inner!.matchAll(/<input[^>]*?name="([^"]*)"[^>]*?value="([^"]*)"/g)];
  // A browser leaves out the line break that a text area begins with.
  const areas = [...inner!.matchAll(/<textarea[^>]*?name="([^"]*)"[^>]*>\n?(.*?)<\/textarea>/gs)];
  const fields = [...inputs, ...areas].map(([, name, value]) => [name!, plain(value!)]);
  return { action: plain(action!), fields: Object.fromEntries(fields) as Record<string, string>, inner };
}

/** Runs `act` while a table cannot be read. */
async function without(
  table: 'topics' | 'sessions' | 'users' | 'paymentRequests',
  act: () => Promise<void>,
): Promise<void> {
  await db.schema.alterTable(table).renameTo('away').execute();
  try {
    await act();
  } finally {
    await db.schema.alterTable('away').renameTo(table).execute();
  }
}

test('a form that fails comes back inside the frame, and can be sent again as it was', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  let given: ReturnType<typeof typedIn>;
  await without('topics', async () => {
    const answer = await browser.post('/app/topics?dialog=topic', TYPED);
    assert.equal(answer.status, 500);
    const html = await answer.text();
    assert.match(html, /href="\/app\/topics"/);
    assert.match(html, /What you typed/);
    assert.match(html, /look before you send it again/);
    assert.doesNotMatch(html, /<script|<b>Hiring/);
    given = typedIn(html);
  });
  assert.equal(given?.action, '/app/topics?dialog=topic');
  assert.match(given!.inner!, /<label[^>]*>Description<\/label>/);
  assert.match(given!.inner!, /type="hidden" name="tone"/);
  assert.equal((await browser.post(given!.action, given!.fields)).status, 302);
  const stored = await db
    .selectFrom('topics')
    .selectAll()
    .where('userId', '=', actor.userId)
    .executeTakeFirst();
  assert.equal(stored?.name, TYPED.name);
  assert.equal(stored?.description, TYPED.description.trim());
});

test('a transaction that could not be taken comes back with all that says what it pays, and makes one payment', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  const address = '/app/payments?dialog=subscribe&step=2&posts=3&currency=INR';
  await browser.read(address);
  const sent = {
    transactionId: '0123 4567 8901',
    postsPerDay: '3',
    currencyCode: 'INR',
    amount: '1649.50',
    upgradeType: '',
  };
  const stored = () =>
    db
      .selectFrom('payments')
      .select(['transactionId', 'amountMinor', 'status'])
      .where('userId', '=', actor.userId)
      .execute();
  let given: ReturnType<typeof typedIn>;
  await without('paymentRequests', async () => {
    const answer = await browser.post(address, sent);
    assert.equal(answer.status, 500);
    const html = await answer.text();
    assert.match(html, /look before you send it again/);
    given = typedIn(html);
  });
  assert.deepEqual(await stored(), []);
  assert.equal(given?.action, address);
  assert.deepEqual(given!.fields, sent);
  for (const time of ['once', 'again']) {
    const answer = await browser.post(given!.action, given!.fields);
    assert.deepEqual([answer.status, answer.headers.get('Location')], [302, '/app/payments'], time);
    assert.match(
      await browser.read('/app/payments'),
      /Payment proof submitted! Waiting for admin verification\./,
    );
  }
  const other = await browser.post(given!.action, { ...given!.fields, postsPerDay: '4', amount: '1899.50' });
  assert.equal(other.status, 409);
  assert.deepEqual(await stored(), [
    { transactionId: '012345678901', amountMinor: 164_950, status: 'pending' },
  ]);
});

test('when nobody can be recognised, what was typed comes back on a page of its own', async () => {
  const browser = await browserOf(db, await makeUser(db), url);
  await browser.post('/theme', { theme: 'dark' });
  await without('sessions', async () => {
    const answer = await browser.post('/app/topics', TYPED);
    assert.equal(answer.status, 500);
    const html = await answer.text();
    assert.doesNotMatch(html, /href="\/app\/(?!dashboard")/);
    assert.match(html, /data-theme="dark"/);
    assert.ok(html.includes(answer.headers.get('X-Request-Id')!), 'the request is named');
    assert.equal(typedIn(html)?.fields.name, TYPED.name);
    const page = await browser.get('/app/topics');
    assert.doesNotMatch(await page.text(), /What you typed|<script/);
  });
});

test('what was typed after the session had ended comes back with the way to sign in, and can be sent then', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  await db.deleteFrom('sessions').where('userId', '=', actor.userId).execute();
  const answer = await browser.post('/app/topics?dialog=topic', { ...TYPED, password: PASSWORD });
  assert.equal(answer.status, 401);
  const html = await answer.text();
  assert.match(html, /<h1[^>]*>Sign in again/);
  assert.match(html, /You were signed out\. Sign in in another tab, then try again\./);
  assert.match(html, /<a href="\/login" target="_blank"/);
  assert.doesNotMatch(html, /href="\/app\/|<script/);
  assert.ok(!html.includes(PASSWORD));
  const { action, fields } = typedIn(html)!;
  assert.equal(action, '/app/topics?dialog=topic');
  const again = await browserOf(db, actor, url);
  assert.equal((await again.post(action, fields)).status, 302);
  const topics = db.selectFrom('topics').select('name').where('userId', '=', actor.userId);
  assert.deepEqual(await topics.execute(), [{ name: TYPED.name }]);
});

test('a page asked for after the session had ended leads to the sign-in', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  await db.deleteFrom('sessions').where('userId', '=', actor.userId).execute();
  assert.equal((await browser.get('/app/topics')).headers.get('Location'), '/login');
});

test('passwords and codes are never given back', async () => {
  const visitor = new Browser(url);
  const email = 'ada@people.example';
  await without('users', async () => {
    const signIn = await visitor.post('/login', { email, password: PASSWORD });
    assert.equal(signIn.status, 500);
    const html = await signIn.text();
    assert.ok(!html.includes(PASSWORD));
    assert.deepEqual(typedIn(html)?.fields, { email });
    assert.match(html, /Passwords and codes are not shown again/);
    assert.match(html, />Back to the form</);
  });
  const browser = await browserOf(db, await makeUser(db), url);
  await without('topics', async () => {
    const secrets = { ...boxes('908172'), otp: '908172', newPassword: PASSWORD, token: PASSWORD };
    const answer = await browser.post('/app/topics', { name: 'Hiring', ...secrets });
    assert.deepEqual(typedIn(await answer.text())?.fields, { name: 'Hiring' });
  });
});

test('a visitor gets back no more of what was typed than a page can bear', async () => {
  const email = 'ada@people.example';
  await without('users', async () => {
    const answer = await new Browser(url).post('/login', {
      email,
      password: PASSWORD,
      subject: '"'.repeat(15_000),
    });
    const html = await answer.text();
    assert.deepEqual(typedIn(html)?.fields, { email });
    assert.ok(html.length < BODY_BYTES_MAX, String(html.length));
  });
});

test('what another site sends is not given back', async () => {
  const browser = await browserOf(db, await makeUser(db), url);
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sources: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    {},
  ];
  for (const source of sources) {
    const body = new URLSearchParams({ name: 'Planted words' });
    const headers = { ...source, Cookie };
    const answer = await fetch(`${url}/app/topics`, { method: 'POST', headers, body, redirect: 'manual' });
    assert.ok([400, 403].includes(answer.status));
    assert.doesNotMatch(await answer.text(), /Planted words/);
  }
});

test('a text that is too long comes back to whom we know, up to a bound', async () => {
  const browser = await browserOf(db, await makeUser(db), url);
  const post = async (from: Browser, length: number) => {
    const description = 'so many words '.repeat(length / 14);
    const answer = await from.post('/app/topics', { ...TYPED, description });
    assert.equal(answer.status, 413);
    return { html: await answer.text(), description };
  };
  const { html, description } = await post(browser, 100_000);
  assert.match(html, /That is more than we can take in one form/);
  assert.match(html, /href="\/app\/topics"/);
  assert.match(html, /Nothing was changed/);
  assert.ok(typedIn(html)?.fields.description === description);
  assert.doesNotMatch((await post(browser, KEPT_MOST)).html, /so many words/);
  assert.doesNotMatch((await post(new Browser(url), 100_000)).html, /so many words/);
});

test('what a guard refuses is said inside the frame', async () => {
  const browser = await browserOf(db, await makeUser(db), url);
  const answers = [
    await browser.get('/app/admin'),
    await browser.get('/app/posts?cursor=abc'),
    await browser.post('/app/admin/publishing', { reason: 'Because I can' }),
    await browser.post('/app/topics', { 'a.b.c.d': 'x' }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 400, 403, 400],
  );
  for (const answer of answers) {
    const html = await answer.text();
    assert.match(html, /href="\/app\/topics"/);
    assert.match(html, /<main id="main"[^>]*>.*<h1/s);
    if (answer.status === 403) assert.doesNotMatch(html, />(?:Retry|Try again)</);
  }
});
