import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createSession, findSession } from '#app/domain/accounts/sessions.ts';
import { finishConnecting, startConnecting } from '#app/domain/linkedin/connect.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { env } from '#app/env.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { connectLinkedIn, consent, setConnection } from '#tests/make/linkedin.ts';
import { nobody, serve, startOutside } from '#tests/make/outside.ts';
import { withEnv } from '#tests/make/set-env.ts';

const outside = await startOutside();
const { db } = await testDatabase();

/** A user with a signed-in browser. */
const person = async () => browserOf((await makeUser(db)).userId);

async function browserOf(userId: string) {
  const { token } = await createSession(db, userId, 'web', 'test');
  const { actor, sessionId } = (await findSession(db, token, 'web'))!;
  return { actor, sessionId };
}

const refused = (code: string) => ({ name: 'Refusal', code });

/** Runs `act` and answers what LinkedIn's token address was asked meanwhile. */
async function tokenRequestsOf(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const url = await serve((_, res) => {
    count += 1;
    res.writeHead(500).end();
  });
  await withEnv({ LINKEDIN_AUTH_URL: url }, act);
  return count;
}

test('a connection begun on a page is completed in the same browser', async () => {
  const viewer = await person();
  const authUrl = await startConnecting(db, viewer.actor, viewer);
  const { searchParams } = new URL(authUrl);
  assert.equal(searchParams.get('scope'), 'openid profile email w_member_social');
  assert.equal(searchParams.get('redirect_uri'), `${env().APP_URL}/auth/linkedin/callback`);
  assert.match(searchParams.get('state')!, /^[\w-]{43}$/);
  assert.match(authUrl, /scope=openid%20profile/);
  assert.ok(!searchParams.has('code_challenge') && !searchParams.has('nonce'));

  const now = new Date();
  await finishConnecting(db, await consent(authUrl, 'ada@members.example'), viewer, now);
  const connection = (await getConnection(db, viewer.actor))!;
  assert.equal(connection.isAlive, true);
  assert.equal(connection.email, 'ada@members.example');
  assert.deepEqual(connection.scopes, ['email', 'openid', 'profile', 'w_member_social']);
  assert.deepEqual(connection.connectedAt, now);
  const days = (connection.expiresAt.getTime() - now.getTime()) / 86_400_000;
  assert.ok(days > 59.9 && days <= 60.1);
});

test('a bad, foreign or used state is refused and no token is asked for', async () => {
  const [one, two] = [await person(), await person()];
  const otherBrowser = await browserOf(one.actor.userId);
  const begin = async (sessionId: string | null) =>
    new URL(await startConnecting(db, one.actor, { sessionId })).searchParams.get('state')!;
  const fromPage = await begin(one.sessionId);
  const fromApi = await begin(null);

  const asked = await tokenRequestsOf(async () => {
    const finish = (state: string | undefined, viewer: typeof one | null, now?: Date) =>
      assert.rejects(finishConnecting(db, { state, code: 'c' }, viewer, now), refused('state_invalid'));
    await finish(undefined, one);
    await finish('', null);
    await finish('A'.repeat(43), one);
    await finish(fromPage, two);
    await finish(fromPage, otherBrowser);
    await finish(fromPage, null);
    await finish(fromApi, two);
    const late = new Date(Date.now() + 10 * 60_000);
    await finish(fromPage, one, late);
    await finish(fromApi, null, late);
  });
  assert.equal(asked, 0);
  assert.equal(await getConnection(db, one.actor), null);
});

test('a state is used up by its first use, even by a failing one, and by two at once', async () => {
  const viewer = await person();
  const back = await consent(await startConnecting(db, viewer.actor, viewer), 'once@members.example');
  const both = await Promise.allSettled([
    finishConnecting(db, back, viewer),
    finishConnecting(db, back, viewer),
  ]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await assert.rejects(finishConnecting(db, back, viewer), refused('state_invalid'));

  const denied = await consent(
    await startConnecting(db, viewer.actor, viewer),
    'x@members.example',
    'cancel',
  );
  await assert.rejects(finishConnecting(db, denied, viewer), refused('access_denied'));
  await assert.rejects(finishConnecting(db, denied, viewer), refused('state_invalid'));
});

test('only a hash of the state is stored, and expired ones are cleared away', async () => {
  const viewer = await person();
  const { userId } = viewer.actor;
  const authUrl = await startConnecting(db, viewer.actor, viewer, new Date(Date.now() - 700_000));
  const state = new URL(authUrl).searchParams.get('state')!;
  const rows = () => db.selectFrom('oauthStates').selectAll().where('userId', '=', userId).execute();
  const [first] = await rows();
  assert.ok(!JSON.stringify(first).includes(state));
  await startConnecting(db, viewer.actor, viewer);
  assert.equal((await rows()).length, 1);
  assert.notEqual((await rows())[0]!.stateHash, first!.stateHash);
});

test('a connection begun through the API needs no browser session, and may come back in the user’s own', async () => {
  const one = await person();
  await connectLinkedIn(db, one.actor, outside.url);
  assert.equal((await getConnection(db, one.actor))!.isAlive, true);
  const back = await consent(
    await startConnecting(db, one.actor, { sessionId: null }),
    `${randomUUID()}@members.example`,
  );
  await finishConnecting(db, back, one);
});

test('a refusal at LinkedIn is told apart from a failure, and can be tried again', async () => {
  const viewer = await person();
  const back = async (error: string) => {
    const authUrl = await startConnecting(db, viewer.actor, viewer);
    return { error, state: new URL(authUrl).searchParams.get('state')! };
  };
  for (const error of ['user_cancelled_login', 'user_cancelled_authorize', 'access_denied']) {
    const message = 'LinkedIn access was denied';
    await assert.rejects(finishConnecting(db, await back(error), viewer), { message });
  }
  for (const error of ['server_error', 'unauthorized_scope_error', '<script>']) {
    const message = 'Failed to connect LinkedIn account';
    await assert.rejects(finishConnecting(db, await back(error), viewer), { message, status: 502 });
  }
  await connectLinkedIn(db, viewer.actor, outside.url);
});

test('a code that LinkedIn does not know and a LinkedIn that is away leave no connection', async () => {
  const viewer = await person();
  const state = async () =>
    new URL(await startConnecting(db, viewer.actor, viewer)).searchParams.get('state')!;
  const failed = refused('connect_failed');
  await assert.rejects(finishConnecting(db, { state: await state(), code: 'wrong' }, viewer), failed);
  const given = await state();
  const asked = await tokenRequestsOf(() =>
    assert.rejects(finishConnecting(db, { state: given, code: 'c' }, viewer), failed),
  );
  assert.equal(asked, 1);
  const other = await state();
  await withEnv({ LINKEDIN_AUTH_URL: await nobody() }, () =>
    assert.rejects(finishConnecting(db, { state: other, code: 'c' }, viewer), failed),
  );
  await assert.rejects(finishConnecting(db, { state: await state() }, viewer), failed);
  assert.equal(await getConnection(db, viewer.actor), null);
});

test('a grant without the permission to post is no connection', async () => {
  const viewer = await person();
  const authUrl = new URL(await startConnecting(db, viewer.actor, viewer));
  authUrl.searchParams.set('scope', 'openid profile email');
  const back = await consent(authUrl.href, 'mute@members.example');
  await assert.rejects(finishConnecting(db, back, viewer), refused('scope_missing'));
  assert.equal(await getConnection(db, viewer.actor), null);
});

test('one member is connected to one account, also when two connect at once', async () => {
  const [one, two] = [await person(), await person()];
  const email = `${randomUUID()}@members.example`;
  await connectLinkedIn(db, one.actor, outside.url, email);
  await assert.rejects(connectLinkedIn(db, two.actor, outside.url, email), refused('member_taken'));
  assert.equal(await getConnection(db, two.actor), null);

  const [three, four, wanted] = [await person(), await person(), `${randomUUID()}@members.example`];
  const both = await Promise.allSettled([
    connectLinkedIn(db, three.actor, outside.url, wanted),
    connectLinkedIn(db, four.actor, outside.url, wanted),
  ]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});

test('connecting again renews the same connection', async () => {
  const viewer = await person();
  const email = `${randomUUID()}@members.example`;
  await connectLinkedIn(db, viewer.actor, outside.url, email);
  await setConnection(db, viewer.actor, { status: 'expired' });
  assert.equal((await getConnection(db, viewer.actor))!.isAlive, false);
  await connectLinkedIn(db, viewer.actor, outside.url, email);
  assert.equal((await getConnection(db, viewer.actor))!.isAlive, true);
});
