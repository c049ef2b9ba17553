import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { isPassword } from '#app/domain/accounts/password/password.ts';
import { createSession, endSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { startSignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { cheapHash, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

let db: Db;
before(async () => {
  ({ db } = await testDatabase());
});

const refused = { status: 401, code: 'invalid_credentials', message: 'Invalid email or password' };

const _median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function hashOf(userId: string): Promise<string> {
  const of = db.selectFrom('users').select('passwordHash').where('id', '=', userId);
  return (await of.executeTakeFirstOrThrow()).passwordHash!;
}

/** What the work costs this process, all its threads together: whatever else the machine does counts for nothing. */
async function _costOf(work: () => Promise<unknown>): Promise<number> {
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
      passwordHash: await hashOf(userId),
    });
    await assert.rejects(checkLogin(db, { email, password: `${PASSWORD} ` }), refused);
  });

  test('tells an admin apart', async () => {
    const { email } = await makeUser(db, { isAdmin: true });
    const login = await checkLogin(db, { email, password: PASSWORD });
    assert.ok(login.isVerified && login.isAdmin);
  });

  test('before the code was entered says so, only with the right password', async () => {
    const mine = signUpInput();
    const { email } = mine;
    const { signUpId } = await startSignUp(db, mine);
    const anAttempt = signUpInput({ email, password: 'somebody elses' });
    await startSignUp(db, anAttempt, new Date(Date.now() + 61_000));
    const { waits, ...login } = (await checkLogin(db, { email, password: PASSWORD })) as { waits: string };
    assert.deepEqual(login, { isVerified: false, signUpId, email });
    assert.match(waits, /A code was sent a moment ago/);
    await assert.rejects(checkLogin(db, { email, password: 'not the password' }), refused);
  });

  test('by a storm is turned away in time and works afterwards', async () => {
    const { email } = await makeUser(db);
    const stored = await cheapHash();
    // Passwords alone: a busy database would let the storm come in one by one. A cheap hash has the same turns.
    const storm = Array.from({ length: 160 }, () => isPassword(stored, PASSWORD));
    const results = await Promise.allSettled(storm);
    const turnedAway = results.filter((result) => result.status === 'rejected');
    // A hundred wait; one core is left to pages.
    const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
    assert.deepEqual([turnedAway.length, results.length], [60 - atOnce, 160]);
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
    assert.equal((await findSession(db, token, 'web', days(29)))?.isExtended, true);
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
