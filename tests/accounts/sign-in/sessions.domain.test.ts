import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSIONS_SHOWN } from '#app/domain/accounts/limits.ts';
import { createToken, endToken, listTokens } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { endOtherSessions, endSessionById, listSessions } from '#app/domain/accounts/sign-in/session-list.ts';
import {
  createSession,
  findSession,
  isRecentlyAuthenticated,
  recordReauthentication,
} from '#app/domain/accounts/sign-in/sessions.ts';
import { deviceOf } from '#app/domain/accounts/sign-in/user-agent.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const now = new Date();
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const NOBODY = '00000000-0000-4000-8000-000000000000';

test('a device is named in short, whatever it says of itself', () => {
  const devices = {
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36':
      'Chrome on Windows',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1':
      'Safari on iOS',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    'python-requests/2.32': 'python-requests',
    'curl/8.14.1': 'curl',
    '': '',
    '  ': '',
    '<script>alert(1)</script>': '',
  };
  for (const [said, device] of Object.entries(devices)) assert.equal(deviceOf(said), device, said);
  for (const said of [
    'x'.repeat(8_000),
    '(((('.repeat(2_000),
    '\u202e\0Chrome/1',
    'Mozilla/5.0 ('.repeat(500),
  ]) {
    const from = performance.now();
    assert.match(deviceOf(said), /^[\x20-\x7e]{0,60}$/);
    assert.ok(performance.now() - from < 100);
  }
});

test('a session keeps in short what it was begun with, and is written once in a quarter of an hour', async () => {
  const user = await makeUser(db);
  const said = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const { token } = await createSession(db, user.userId, 'web', said, now, { ipPrefix: '203.0.113.0/24' });
  const [session] = await listSessions(db, user, now);
  assert.deepEqual([session?.device, session?.ipPrefix], ['Firefox on Linux', '203.0.113.0/24']);
  assert.equal((await findSession(db, token, 'web', minutes(14)))?.isExtended, false);
  assert.equal((await findSession(db, token, 'web', minutes(16)))?.isExtended, true);
  assert.equal((await findSession(db, token, 'web', minutes(17)))?.isExtended, false);
  assert.deepEqual((await listSessions(db, user, now))[0]?.lastSeenAt, minutes(16));
});

test('an admin is shown no session that is over because they were away', async () => {
  for (const isAdmin of [true, false]) {
    const user = await makeUser(db, { isAdmin });
    await createSession(db, user.userId, 'web', 'left', now);
    const { token } = await createSession(db, user.userId, 'api', 'left', now);
    const { sessionId } = (await findSession(db, token, 'api', now))!;
    await createToken(db, { ...user, sessionId }, { name: 'CI', scope: 'read' }, { now });
    const shown = async (at: Date) => [
      (await listSessions(db, user, at)).length,
      (await listTokens(db, user, at)).length,
    ];
    assert.deepEqual(await shown(minutes(8 * 60)), [1, 2]);
    assert.deepEqual(await shown(minutes(8 * 60 + 1)), isAdmin ? [0, 1] : [1, 2]);
  }
});

test('the password counts for a quarter of an hour', async () => {
  const { userId } = await makeUser(db);
  const { token } = await createSession(db, userId, 'web', 'test', now);
  const find = async (at: Date) => (await findSession(db, token, 'web', at))!;
  assert.ok(isRecentlyAuthenticated(await find(minutes(15)), minutes(15)));
  const session = await find(minutes(16));
  assert.ok(!isRecentlyAuthenticated(session, minutes(16)));
  await recordReauthentication(db, session.sessionId, minutes(16));
  assert.ok(isRecentlyAuthenticated(await find(minutes(31)), minutes(31)));
});

test('a token is shown once, is listed with its last use, and speaks for its owner until it is revoked', async () => {
  const user = await makeUser(db);
  const other = await makeUser(db);
  const { secret, token } = await createToken(
    db,
    await inSession(db, user),
    { name: 'Zapier', scope: 'read' },
    { now },
  );
  assert.match(secret, /^tp_[\w-]{43}$/);
  assert.ok(!JSON.stringify(await db.selectFrom('sessions').selectAll().execute()).includes(secret));
  assert.equal(await findSession(db, secret, 'web', minutes(1)), undefined, 'pages know no tokens');
  assert.equal((await listTokens(db, user, now))[0]?.lastUsedAt, null);
  const found = await findSession(db, secret, 'api', minutes(1));
  assert.deepEqual(
    [found?.actor.userId, found?.scope, found?.reauthenticatedAt],
    [user.userId, 'read', null],
  );
  assert.deepEqual((await listTokens(db, user, now))[0]?.lastUsedAt, minutes(1));
  assert.deepEqual(await listTokens(db, other), []);
  for (const id of [token.id, NOBODY, 'no-uuid']) {
    await assert.rejects(endToken(db, other, id), { status: 404 });
  }
  await endToken(db, user, token.id);
  assert.equal(await findSession(db, secret, 'api', minutes(2)), undefined);
  await assert.rejects(endToken(db, user, token.id), { status: 404 });
});

test('a token lasts no longer than the one that asked for it, and an account has twenty at most', async () => {
  const user = await makeUser(db);
  const until = minutes(60);
  const make = async (days?: number) =>
    createToken(db, await inSession(db, user), { name: 'CI', scope: 'write', days }, { until, now });
  assert.deepEqual((await make()).token.expiresAt, until);
  assert.deepEqual((await make(300)).token.expiresAt, until);
  const all = await Promise.allSettled(Array.from({ length: 25 }, () => make()));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 18);
  await assert.rejects(make(), { status: 409, code: 'too_many_tokens' });
});

test('of many browsers the one that asks comes first, then the latest, and how many there are is known', async () => {
  const user = await makeUser(db);
  const { token } = await createSession(db, user.userId, 'web', 'here', now);
  const here = (await findSession(db, token, 'web', now))!.sessionId;
  for (let later = 1; later <= SESSIONS_SHOWN + 4; later += 1) {
    await createSession(db, user.userId, 'web', `later ${later}`, minutes(later));
  }
  const listed = await listSessions(db, user, minutes(60), here);
  assert.equal(listed.length, SESSIONS_SHOWN);
  assert.equal(listed[0]?.id, here);
  assert.deepEqual(listed[1]?.lastSeenAt, minutes(SESSIONS_SHOWN + 4));
  assert.equal(Number(listed[0]?.total), SESSIONS_SHOWN + 5);
});

test('somebody sees and ends their own browsers only; all others at once, but not the programs with a name', async () => {
  const user = await makeUser(db);
  const other = await makeUser(db);
  const here = await createSession(db, user.userId, 'web', 'here', now);
  const there = await createSession(db, user.userId, 'web', 'there', now);
  const program = await createSession(db, user.userId, 'api', 'program', now);
  const { secret } = await createToken(db, await inSession(db, user), { name: 'CI', scope: 'read' }, { now });
  const theirs = await createSession(db, other.userId, 'web', 'theirs', now);
  const idOf = async (token: string) => (await findSession(db, token, 'web', now))!.sessionId;
  const [hereId, thereId, theirId] = await Promise.all([here, there, theirs].map(({ token }) => idOf(token)));
  assert.deepEqual((await listSessions(db, user, now)).map(({ id }) => id).sort(), [hereId, thereId].sort());
  for (const id of [theirId!, NOBODY, '%00']) {
    await assert.rejects(endSessionById(db, user, id), { status: 404 });
  }
  await endSessionById(db, user, thereId!);
  assert.equal(await findSession(db, there.token, 'web', now), undefined);
  await endOtherSessions(db, user, hereId!);
  assert.equal(await findSession(db, program.token, 'api', now), undefined);
  assert.ok(await findSession(db, secret, 'api', now));
  assert.ok(await findSession(db, here.token, 'web', now));
  assert.ok(await findSession(db, theirs.token, 'web', now));
});
