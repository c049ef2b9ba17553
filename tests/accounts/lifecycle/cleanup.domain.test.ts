import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { startSignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { makeUser, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const DAY = 86_400_000;

test('what has served its time goes, what is alive stays', async () => {
  const { userId } = await makeUser(db);
  const now = new Date();
  const { token } = await createSession(db, userId, 'web', '', now);
  const old = await createSession(db, userId, 'web', '', new Date(now.getTime() - 40 * DAY));
  await startSignUp(db, signUpInput());
  await cleanUp(db, now);
  assert.ok(await findSession(db, token, 'web', now));
  assert.equal(await findSession(db, old.token, 'web', new Date(now.getTime() - 20 * DAY)), undefined);
  assert.equal((await db.selectFrom('signUps').select('id').execute()).length, 1);
  await cleanUp(db, new Date(now.getTime() + 2 * DAY));
  assert.equal((await db.selectFrom('signUps').select('id').execute()).length, 0);
});
