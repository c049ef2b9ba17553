import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { setRole } from '#app/domain/accounts/users.ts';
import { codeFor, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** Where a browser with this session cookie is led to by the dashboard; null when it is shown. */
async function ledTo(cookie: string): Promise<string | null> {
  const browser = new Browser(url);
  browser.cookies.set('tidepost', cookie);
  return (await browser.get('/app/payments')).headers.get('Location');
}

test('2 signing in gives a new id, and the one of before is dead', async () => {
  const user = await makeUser(database.db);
  for (const planted of ['a cookie of a stranger', 'signed in']) {
    const browser = planted === 'signed in' ? await browserOf(database.db, user, url) : new Browser(url);
    if (planted !== 'signed in')
      browser.cookies.set('tidepost', 'IkFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUEi');
    const before = browser.cookies.get('tidepost')!;
    if (planted === 'signed in') assert.equal(await ledTo(before), null);
    // Who is signed in is led away from the form; who sends it from another window signs in anew.
    if (planted === 'signed in') browser.cookies.delete('tidepost');
    const answer = await browser.post('/login', { email: user.email, password: PASSWORD });
    assert.equal(answer.headers.get('Location'), '/app/dashboard');
    const after = browser.cookies.get('tidepost')!;
    assert.notEqual(after, before);
    assert.equal(await ledTo(after), null);
    if (planted !== 'signed in') assert.equal(await ledTo(before), '/login');
  }
});

test('2 the code of a sign-up gives a new id, and the session that the browser had is dead', async () => {
  const { db } = database;
  const browser = await browserOf(db, await makeUser(db), url);
  const before = browser.cookies.get('tidepost')!;
  browser.cookies.delete('tidepost');
  const { email } = signUpInput();
  const fields = { name: 'Ada', email, password: PASSWORD, confirmPassword: PASSWORD, timeZone: 'UTC' };
  await browser.post('/signup', fields);
  browser.cookies.set('tidepost', before);
  const answer = await browser.post('/verify-otp', boxes(await codeFor(db, email)));
  assert.equal(answer.headers.get('Location'), '/verify-otp?state=verified');
  assert.notEqual(browser.cookies.get('tidepost'), before);
  assert.equal(await ledTo(before), '/login');
  assert.equal(await ledTo(browser.cookies.get('tidepost')!), null);
});

test('2 a new role ends what was opened under the one of before, and the same role nothing', async () => {
  const { db } = database;
  const user = await makeUser(db);
  for (const [role, isEnded] of [
    ['user', false],
    ['admin', true],
    ['admin', false],
    ['user', true],
  ] as const) {
    const browser = await browserOf(db, user, url);
    const token = await tokenOf(db, user);
    assert.ok(await setRole(db, user.email, role));
    assert.equal((await browser.get('/app/payments')).headers.get('Location'), isEnded ? '/login' : null);
    assert.equal((await call(url, 'GET', '/auth/me', undefined, token)).status, isEnded ? 401 : 200);
    assert.equal((await findSession(db, token, 'api')) === undefined, isEnded);
  }
  assert.equal(await setRole(db, 'nobody@example.com', 'admin'), undefined);
});

const BLOCKED = `select from pg_stat_activity
  where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;

test('2 a new role ends the session that is being made at that moment', async () => {
  const { db, pool } = database;
  const user = await makeUser(db);
  const [isMade, mayEnd] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const signingIn = db.transaction().execute(async (trx) => {
    isMade.resolve((await createSession(trx, user.userId, 'api', 'a program')).token);
    await mayEnd.promise;
  });
  const token = await isMade.promise;
  let isOver = false;
  const promoted = setRole(db, user.email, 'admin').finally(() => {
    isOver = true;
  });
  await until('it waits, or is over', async () => isOver || (await pool.query(BLOCKED)).rowCount);
  mayEnd.resolve();
  await Promise.all([signingIn, promoted]);
  assert.equal(await findSession(db, token, 'api'), undefined);
});
