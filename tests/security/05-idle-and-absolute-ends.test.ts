import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const now = new Date();
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const days = (count: number) => hours(count * 24);

test('5 a browser stays signed in for 30 days after it was used last, and for 90 days at most', async () => {
  const { userId } = await makeUser(db);
  const { token } = await createSession(db, userId, 'web', 'test', now);
  for (const day of [20, 40, 60, 80, 89.9]) {
    assert.ok(await findSession(db, token, 'web', days(day)), `${day}`);
  }
  assert.equal(await findSession(db, token, 'web', days(90)), undefined);
  const left = await createSession(db, userId, 'web', 'test', now);
  assert.ok(await findSession(db, left.token, 'web', days(29.9)));
  assert.equal(await findSession(db, left.token, 'web', days(59.9)), undefined);
});

test('5 an admin who was away for eight hours signs in again, here and in programs', async () => {
  const { userId } = await makeUser(db, { isAdmin: true });
  for (const kind of ['web', 'api'] as const) {
    const { token } = await createSession(db, userId, kind, 'test', now);
    assert.ok(await findSession(db, token, kind, hours(7)));
    assert.ok(await findSession(db, token, kind, hours(14.9)));
    assert.equal(await findSession(db, token, kind, hours(23)), undefined);
  }
  const user = await makeUser(db);
  const { token } = await createSession(db, user.userId, 'web', 'test', now);
  assert.ok(await findSession(db, token, 'web', hours(23)), 'others stay');
});

test('5 a program that signed in stays for 30 days, one with a named token for the days chosen', async () => {
  const user = await makeUser(db);
  const { token } = await createSession(db, user.userId, 'api', 'test', now);
  assert.ok(await findSession(db, token, 'api', days(20)));
  assert.equal(await findSession(db, token, 'api', days(30)), undefined);
  const named = await createToken(
    db,
    await inSession(db, user),
    { name: 'CI', scope: 'read', days: 7 },
    { now },
  );
  assert.ok(await findSession(db, named.secret, 'api', days(6)));
  assert.equal(await findSession(db, named.secret, 'api', days(7)), undefined);
  const lasting = await createToken(
    db,
    await inSession(db, user),
    { name: 'Backup', scope: 'read' },
    { now },
  );
  assert.ok(await findSession(db, lasting.secret, 'api', days(400)));
});
