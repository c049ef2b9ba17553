import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import { hashPassword, isPassword } from '#app/domain/accounts/password/password.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { costOf } from '#tests/harness/timing.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db } = await testDatabase();

async function hashOf(userId: string): Promise<string> {
  const of = db.selectFrom('users').select('passwordHash').where('id', '=', userId);
  return (await of.executeTakeFirstOrThrow()).passwordHash!;
}

test('9 a password is kept as argon2id with its costs in the hash, and no two are the same', async () => {
  const [one, two] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(one!) ?? [];
  assert.ok(Number(memory) >= 19_456 && Number(passes) >= 2, one);
  assert.notEqual(one, two);
  assert.ok((await isPassword(one, PASSWORD)) && (await isPassword(two, PASSWORD)));
  assert.equal(await isPassword(one, `${PASSWORD}.`), false);
});

test('9 a guess costs at least 50 ms of work, also at an address that nobody has', async () => {
  for (const stored of [await hashPassword(PASSWORD), undefined]) {
    const costs: number[] = [];
    for (let nth = 0; nth < 9; nth += 1) costs.push(await costOf(() => isPassword(stored, 'a guess')));
    const median = costs.toSorted((a, b) => a - b)[4]!;
    assert.ok(median >= 50, `${median.toFixed(1)} ms`);
  }
});

test('9 a sign-in brings an old hash up to date', async () => {
  const { email, userId } = await makeUser(db);
  const costs = (stored: string) => stored.split('$').slice(0, 4).join('$');
  const today = costs(await hashOf(userId));
  const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await db.updateTable('users').set({ passwordHash: old }).where('id', '=', userId).execute();
  await assert.rejects(checkLogin(db, { email, password: 'not the password' }), { status: 401 });
  assert.equal(await hashOf(userId), old);
  await checkLogin(db, { email, password: PASSWORD });
  assert.equal(costs(await hashOf(userId)), today);
  assert.ok((await checkLogin(db, { email, password: PASSWORD })).isVerified);
});

test('9 an old hash brought up to date takes the place of no password that was chosen meanwhile', async () => {
  const { email, userId } = await makeUser(db);
  const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await db.updateTable('users').set({ passwordHash: old }).where('id', '=', userId).execute();
  const chosen = await hashPassword('a new password entirely');
  const { login } = await db.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ passwordHash: chosen }).where('id', '=', userId).execute();
    const login = checkLogin(db, { email, password: PASSWORD });
    login.catch(() => {});
    await until('the sign-in waits for the row', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
      return rows.length > 0;
    });
    return { login };
  });
  await assert.rejects(login, { status: 401 });
  assert.equal(await hashOf(userId), chosen);
});

test('9 of some who sign in at once with an old hash each gets in with what is stored then', async () => {
  const { email, userId } = await makeUser(db);
  const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await db.updateTable('users').set({ passwordHash: old }).where('id', '=', userId).execute();
  const logins = await Promise.all([1, 2, 3].map(() => checkLogin(db, { email, password: PASSWORD })));
  const stored = await hashOf(userId);
  for (const login of logins) assert.ok(login.isVerified && login.passwordHash === stored);
});

test('9 an account without a password lets no password in', async () => {
  const { email, userId } = await makeUser(db);
  for (const passwordHash of [null, '']) {
    await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
    for (const password of ['', ' ', PASSWORD]) {
      await assert.rejects(checkLogin(db, { email, password }), { status: 401 });
    }
  }
});
