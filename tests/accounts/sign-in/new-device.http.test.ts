import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { recordSignIn } from '#app/domain/accounts/sign-in/new-device.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const HOUR = 3_600_000;

let database: TestDatabase;
let url: string;
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const toldOf = (email: string) => mailsTo(database.db, email, 'newDevice');

async function signInFrom(browser: Browser, email: string) {
  browser.cookies.delete('tidepost');
  const answer = await browser.post('/login', { email, password: PASSWORD });
  assert.equal(answer.headers.get('Location'), '/app/dashboard');
  return answer;
}

test('a browser that an account does not know is told to its owner once, and the very first one is not', async () => {
  const { email } = await makeUser(database.db);
  const first = new Browser(url);
  const answer = await signInFrom(first, email);
  const line = answer.headers.getSetCookie().find((each) => each.startsWith('known='))!;
  assert.match(line, /HttpOnly/);
  assert.match(line, /Max-Age=34560000/);
  await signInFrom(first, email);
  assert.deepEqual(await toldOf(email), []);
  const other = new Browser(url, { 'User-Agent': FIREFOX });
  await signInFrom(other, email);
  const [mail, ...more] = await toldOf(email);
  assert.deepEqual(more, []);
  assert.equal(mail!.device, 'Firefox on Windows');
  assert.ok(mail!.url.endsWith('/forgot-password'));
  await signInFrom(other, email);
  await signInFrom(first, email);
  assert.equal((await toldOf(email)).length, 1);
});

test('a cookie that another made, or of another account, makes no browser known', async () => {
  const [mine, theirs] = [await makeUser(database.db), await makeUser(database.db)];
  await signInFrom(new Browser(url), mine.email);
  await signInFrom(new Browser(url), theirs.email);
  const shared = new Browser(url, { 'User-Agent': FIREFOX });
  await signInFrom(shared, theirs.email);
  await signInFrom(shared, mine.email);
  assert.equal((await toldOf(mine.email)).length, 1, 'known to another account alone');
  const [payload] = decodeURIComponent(shared.cookies.get('known')!).split('.');
  const forger = new Browser(url, { 'User-Agent': 'curl/8.1' });
  forger.cookies.set('known', encodeURIComponent(`${payload}.bm90IG91cnM`));
  await signInFrom(forger, mine.email);
  assert.equal((await toldOf(mine.email)).length, 2);
});

test('a flood from one kind of browser is one mail an hour, with the time where its owner is', async () => {
  const { db } = database;
  const { userId, email } = await makeUser(db, { timeZone: 'Asia/Tokyo' });
  const now = new Date('2026-03-03T09:00:00Z');
  const unknown = { userAgent: FIREFOX, isKnown: false };
  await recordSignIn(db, userId, unknown, new Date(now.getTime() - HOUR));
  for (let n = 0; n < 5; n += 1) await recordSignIn(db, userId, unknown, now);
  const told = await toldOf(email);
  assert.deepEqual(
    told.map(({ at }) => at),
    [formatInMail(now, 'Asia/Tokyo')],
  );
  await recordSignIn(db, userId, unknown, new Date(now.getTime() + HOUR));
  await recordSignIn(db, userId, { ...unknown, userAgent: '' }, now);
  assert.equal((await toldOf(email)).length, 3);
});

test('the mail and the list of sessions name the place, and the network when it is nowhere; a mail keeps no address', async () => {
  const { db } = database;
  const { email } = await makeUser(db);
  const proxied = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } });
  const from = (address: string, userAgent: string) =>
    new Browser(proxied.url, { 'User-Agent': userAgent, 'X-Forwarded-For': address });
  await signInFrom(from('203.0.113.9', 'curl/8.1'), email);
  await signInFrom(from('203.0.113.9', 'wget/1'), email);
  const browser = from('88.198.0.7', FIREFOX);
  await signInFrom(browser, email);
  assert.deepEqual((await toldOf(email)).map(({ place }) => place).sort(), ['', 'Germany']);
  const page = await (await browser.get('/app/account/security')).text();
  assert.match(page, /from (?:<!-- -->)?Germany/);
  assert.match(page, /from (?:<!-- -->)?the network 203\.0\.113\.0\/24/);
  assert.doesNotMatch(page, /88\.198\./);
  const { rows } = await sql<{
    row: string;
  }>`select mails::text as row from mails where to_address = ${email}`.execute(db);
  assert.doesNotMatch(JSON.stringify(rows), /88\.198\.|203\.0\./);
});
