import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, test } from 'node:test';
import { confirmEmailChange, startEmailChange } from '#app/domain/accounts/lifecycle/change-email.ts';
import { signInWithIdentity } from '#app/domain/accounts/oauth/identities.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { codeFor, mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { agree, enterBy, follow, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call, wordsOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

// More sign-ins than one address may try.
beforeEach(() => database.db.deleteFrom('rateLimits').execute());

const anybody = () => `${randomUUID()}@people.example`;
const usersOf = (email: string) =>
  database.db.selectFrom('users').selectAll().where('email', '=', email).execute();
const identitiesOf = (email: string) =>
  database.db.selectFrom('identities').selectAll().where('email', '=', email).execute();
const isIn = async (browser: Browser) => (await browser.get('/app/dashboard')).status === 200;
const EVIL = 'an attacker knows this one';

for (const provider of ['google', 'linkedin'] as const) {
  test(`21 who signed up first with the address of another gains nothing when its owner comes by ${provider}`, async () => {
    const email = anybody();
    const attacker = new Browser(url);
    await attacker.post('/signup', { name: 'Mallory', email, password: EVIL, confirmPassword: EVIL });
    const otp = await codeFor(database.db, email);
    const owner = new Browser(url);
    await enterBy(owner, provider, { email, name: 'Ada Marlow' });
    assert.equal(await isIn(owner), true);
    const [user, ...more] = await usersOf(email);
    assert.deepEqual([more.length, user!.name, user!.passwordHash], [0, 'Ada Marlow', null]);

    const wrong = await attacker.post('/login', { email, password: EVIL });
    assert.equal(wrong.status, 401, 'the password of the sign-up opens nothing');
    await attacker.post(
      '/verify-otp',
      Object.fromEntries([...otp].map((digit, at) => [`digit${at + 1}`, digit])),
    );
    assert.equal(await isIn(attacker), false, 'its code neither');
    assert.equal((await call(url, 'POST', '/auth/verify-otp', { email, otp })).status, 400);
    assert.deepEqual(
      await database.db.selectFrom('signUps').selectAll().where('email', '=', email).execute(),
      [],
    );
  });

  test(`21 ${provider} signs nobody in to an account by its address alone`, async () => {
    const email = anybody();
    const owner = await makeUser(database.db, { email });
    const somebody = new Browser(url);
    const { at } = await enterBy(somebody, provider, { email });
    assert.equal(at, '/auth/link');
    assert.equal(await isIn(somebody), false);
    assert.deepEqual(await identitiesOf(email), []);
    assert.equal(locationOf(await somebody.post('/auth/link')), '/auth/link', 'nor does its button');
    assert.deepEqual(await identitiesOf(email), []);

    const other = await makeUser(database.db);
    await somebody.post('/login', { email: other.email, password: PASSWORD });
    assert.match(await somebody.read('/auth/link'), /which is another account/);
    await somebody.post('/auth/link');
    assert.deepEqual(await identitiesOf(email), [], 'nor another account');
    assert.equal((await usersOf(owner.email)).length, 1);
  });

  test(`21 an address that ${provider} has not verified is nobody's`, async () => {
    const email = anybody();
    if (provider === 'google') await outside.fault('google.id-token-unverified', { match: email });
    else await outside.fault('linkedin.userinfo-bare', { times: 2 });
    const browser = new Browser(url);
    const { html } = await enterBy(browser, provider, { email });
    assert.match(html, /Authentication failed: email_unverified/);
    assert.equal(await isIn(browser), false);
    assert.deepEqual(await usersOf(email), []);
  });
}

test('21 an unverified address does not even ask for the account that has it', async () => {
  const email = anybody();
  await makeUser(database.db, { email });
  const { html } = await enterBy(new Browser(url), 'google', { email, unverified: true });
  assert.match(html, /Authentication failed: email_unverified/);
});

test('21 nobody can link what is theirs to the account of another, whose browser they send back', async () => {
  const [attacker, victim] = [new Browser(url), new Browser(url)];
  const [mallory, ada] = [await makeUser(database.db), await makeUser(database.db)];
  await attacker.post('/login', { email: mallory.email, password: PASSWORD });
  await victim.post('/login', { email: ada.email, password: PASSWORD });
  const theirs = anybody();
  for (const begin of [
    () => attacker.post('/app/account/security/link', { provider: 'google' }),
    () => attacker.post('/auth/google'),
  ]) {
    const back = await agree(locationOf(await begin()), { email: theirs });
    await follow(victim, back);
    assert.deepEqual(await identitiesOf(theirs), []);
    assert.ok((await victim.read('/app/account/security')).includes(ada.email), 'and stays who they are');
  }
});

test('21 who proves their mailbox unlinks what a stranger linked, and the proof itself stays linked', async () => {
  const { db } = database;
  const ada = await makeUser(db);
  const stranger = new Browser(url);
  await stranger.post('/login', { email: ada.email, password: PASSWORD });
  const token = await tokenOf(db, ada);
  const theirs = anybody();
  const link = async (provider: 'google' | 'linkedin', who: { email: string; unverified?: boolean }) => {
    const begun = await stranger.post('/app/account/security/link', { provider });
    await follow(stranger, await agree(locationOf(begun), who));
  };
  await link('google', { email: theirs });
  await link('linkedin', { email: ada.email });
  const linked = () =>
    db
      .selectFrom('identities')
      .select('provider')
      .where('userId', '=', ada.userId)
      .orderBy('provider')
      .execute();
  assert.deepEqual(await linked(), [{ provider: 'google' }, { provider: 'linkedin' }]);
  const onTheWay = new Browser(url);
  const back = await onTheWay.get(await sentBack(onTheWay, 'google', { email: theirs }));
  assert.match(locationOf(back), /token=/);

  const owner = new Browser(url);
  await owner.post('/forgot-password', { email: ada.email });
  const otp = await codeFor(db, ada.email, 'resetPassword');
  const done = await owner.post('/reset-password', { otp, newPassword: EVIL, confirmPassword: EVIL });
  assert.match(wordsOf(await owner.read(locationOf(done))), /Google signs in no more: our mail says why/);
  assert.deepEqual(await linked(), [{ provider: 'linkedin' }]);
  const [mail] = await mailsTo(db, ada.email, 'passwordChanged');
  assert.deepEqual([mail!.unlinked, mail!.others!.waysIn], [[['Google', theirs]], [['LinkedIn', ada.email]]]);

  await follow(onTheWay, locationOf(back));
  assert.equal(await isIn(onTheWay), false, 'nor does what was on its way back');
  assert.equal(await isIn(stranger), false);
  assert.equal((await call(url, 'GET', '/auth/me', undefined, token)).status, 401);
  const again = new Browser(url);
  await enterBy(again, 'google', { email: theirs });
  assert.notEqual((await usersOf(theirs))[0]?.id, ada.userId, 'it makes an account of its own');
  const own = new Browser(url);
  await enterBy(own, 'linkedin', { email: ada.email });
  assert.ok((await own.read('/app/account/security')).includes(ada.email));
});

test('21 an address that the provider did not verify proves no mailbox, also when it is the right one', async () => {
  const { db } = database;
  const ada = await makeUser(db);
  const stranger = new Browser(url);
  await stranger.post('/login', { email: ada.email, password: PASSWORD });
  const begun = await stranger.post('/app/account/security/link', { provider: 'google' });
  await follow(stranger, await agree(locationOf(begun), { email: ada.email, unverified: true }));
  assert.equal((await identitiesOf(ada.email)).length, 1);
  await call(url, 'POST', '/auth/forgot-password', { email: ada.email });
  const otp = await codeFor(db, ada.email, 'resetPassword');
  const said = { email: ada.email, otp, newPassword: EVIL };
  assert.deepEqual((await call(url, 'POST', '/auth/reset-password', said)).body.unlinked, ['google']);
  assert.deepEqual(await identitiesOf(ada.email), []);
});

test('21 a change to the address of somebody who comes by a provider meanwhile comes to nothing', async () => {
  const { db } = database;
  const email = anybody();
  const mallory = await makeUser(db);
  const { token } = await createSession(db, mallory.userId, 'web', 'test');
  const session = (await findSession(db, token, 'web'))!;
  await startEmailChange(
    db,
    { userId: mallory.userId, sessionId: session.sessionId },
    { email, password: PASSWORD },
  );
  const [mail] = await mailsTo(db, email, 'confirmNewEmail');
  const owner = new Browser(url);
  await enterBy(owner, 'google', { email });
  assert.equal(await isIn(owner), true);
  const change = confirmEmailChange(db, { userId: mallory.userId, sessionId: session.sessionId }, mail!.code);
  await assert.rejects(change);
  const [user] = await usersOf(email);
  assert.notEqual(user!.id, mallory.userId);
});

test('21 what a provider calls somebody is kept as a name that is typed would be', async () => {
  const names = {
    'Ada\0 \u202eMarlow ': 'Ada Marlow',
    '\0': 'ada',
    '': 'ada',
    '\u200b': 'ada',
    [`${'x'.repeat(99)}🦊`]: 'x'.repeat(99),
  };
  for (const [said, kept] of Object.entries(names)) {
    const email = `ada@${randomUUID()}.example`;
    const proved = { provider: 'google', subject: randomUUID(), email, isEmailVerified: true } as const;
    await signInWithIdentity(database.db, { ...proved, name: said }, { timeZone: null });
    assert.deepEqual(
      (await usersOf(email)).map(({ name }) => name),
      [kept],
    );
  }
});
