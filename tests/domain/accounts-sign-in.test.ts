import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import type { Db } from '#app/db/client.ts';
import { isPassword } from '#app/domain/accounts/password.ts';
import { createSession, endSession, findSession } from '#app/domain/accounts/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in.ts';
import { startSignUp } from '#app/domain/accounts/sign-ups.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser, PASSWORD, signUpInput } from '#tests/make/accounts.ts';

let db: Db;
before(async () => {
  ({ db } = await testDatabase());
});

const refused = { status: 401, code: 'invalid_credentials', message: 'Invalid email or password' };

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function hashOf(userId: string): Promise<string> {
  const of = db.selectFrom('users').select('passwordHash').where('id', '=', userId);
  return (await of.executeTakeFirstOrThrow()).passwordHash!;
}

/** What the work costs this process, all its threads together: whatever else the machine does counts for nothing. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe('signing in', () => {
  test('needs the right password', async () => {
    const { email, userId } = await makeUser(db);
    assert.deepEqual(await checkLogin(db, { email, password: PASSWORD }), {
      isVerified: true,
      userId,
      isAdmin: false,
    });
    await assert.rejects(checkLogin(db, { email, password: `${PASSWORD} ` }), refused);
  });

  test('tells an admin apart', async () => {
    const { email } = await makeUser(db, { isAdmin: true });
    const login = await checkLogin(db, { email, password: PASSWORD });
    assert.ok(login.isVerified && login.isAdmin);
  });

  test('to an unknown address is refused alike and takes as long', async () => {
    const { email } = await makeUser(db);
    const attempt = (address: string) =>
      costOf(() => assert.rejects(checkLogin(db, { email: address, password: 'not the password' }), refused));
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      known.push(await attempt(email));
      unknown.push(await attempt(`unknown-${round}@example.com`));
    }
    const ratio = median(unknown) / median(known);
    assert.ok(ratio > 0.6 && ratio < 1.7, `unknown takes ${ratio.toFixed(2)} times as long`);
  });

  test('before the code was entered says so, only with the right password', async () => {
    const mine = signUpInput();
    const { email } = mine;
    const { signUpId } = await startSignUp(db, mine);
    const anAttempt = signUpInput({ email, password: 'somebody elses' });
    await startSignUp(db, anAttempt, new Date(Date.now() + 61_000));
    assert.deepEqual(await checkLogin(db, { email, password: PASSWORD }), {
      isVerified: false,
      signUpId,
      email,
    });
    await assert.rejects(checkLogin(db, { email, password: 'not the password' }), refused);
  });

  test('keeps long passwords whole and any character', async () => {
    const long = `${'x'.repeat(127)}`;
    const odd = '  ünï🔑 code\u0000 ';
    for (const password of [`${long}1`, odd]) {
      const { email } = await makeUser(db, { password });
      assert.ok((await checkLogin(db, { email, password })).isVerified);
      assert.ok((await checkLogin(db, { email, password: password.normalize('NFD') })).isVerified);
      await assert.rejects(checkLogin(db, { email, password: `${password.slice(0, -1)}2` }), refused);
    }
  });

  test('brings an old hash up to date', async () => {
    const { email, userId } = await makeUser(db);
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await db.updateTable('users').set({ passwordHash: old }).where('id', '=', userId).execute();
    await checkLogin(db, { email, password: PASSWORD });
    assert.match(await hashOf(userId), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.ok((await checkLogin(db, { email, password: PASSWORD })).isVerified);
  });

  test('by a storm is turned away in time and works afterwards', async () => {
    const { email, userId } = await makeUser(db);
    const stored = await hashOf(userId);
    // Passwords alone: a busy database would let the storm come in one by one.
    const storm = Array.from({ length: 160 }, () => isPassword(stored, PASSWORD));
    const results = await Promise.allSettled(storm);
    const turnedAway = results.filter((result) => result.status === 'rejected');
    assert.deepEqual([turnedAway.length, results.length], [58, 160]);
    for (const { reason } of turnedAway) assert.equal(reason.status, 503);
    assert.ok((await checkLogin(db, { email, password: PASSWORD })).isVerified);
  });
});

describe('a session', () => {
  test('is found by its token only, of its kind, until it ends', async () => {
    const { userId } = await makeUser(db);
    const { token } = await createSession(db, userId, 'web', 'test');
    assert.equal((await findSession(db, token, 'web'))?.actor.userId, userId);
    assert.equal(await findSession(db, token, 'api'), undefined);
    assert.equal(await findSession(db, `${token}x`, 'web'), undefined);
    const stored = await db.selectFrom('sessions').selectAll().execute();
    assert.ok(!JSON.stringify(stored).includes(token));
    await endSession(db, token);
    assert.equal(await findSession(db, token, 'web'), undefined);
  });

  test('ends 30 days after it was last used', async () => {
    const { userId } = await makeUser(db);
    const { token } = await createSession(db, userId, 'web', 'test');
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    assert.equal((await findSession(db, token, 'web', days(29)))?.isSlid, true);
    assert.ok(await findSession(db, token, 'web', days(58)));
    assert.equal(await findSession(db, token, 'web', days(89)), undefined);
  });

  test('follows a change of role at once', async () => {
    const { userId } = await makeUser(db, { isAdmin: true });
    const { token } = await createSession(db, userId, 'web', 'test');
    await db.updateTable('users').set({ role: 'user' }).where('id', '=', userId).execute();
    assert.equal((await findSession(db, token, 'web'))?.actor.isAdmin, false);
  });
});
