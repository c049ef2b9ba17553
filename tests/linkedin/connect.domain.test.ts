import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { connectMember, fetchMember } from '#app/domain/linkedin/connect/connect.ts';
import {
  acceptPendingConnection,
  canOfferConnection,
  createPendingConnection,
  declinePendingConnection,
  findPendingConnection,
} from '#app/domain/linkedin/connect/pending.ts';
import { connectUrl, readTicket } from '#app/domain/linkedin/connect/tickets.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { askedMember, connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { nobody, serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const person = async () => ({ actor: await makeUser(db) });
const refused = (code: string) => ({ name: 'Refusal', code });
const member = () => `${randomUUID()}@members.example`;

test('a member who lets us publish is connected, with what LinkedIn says of them', async () => {
  const { actor } = await person();
  const now = new Date();
  await connectMember(db, actor.userId, await askedMember(db, 'ada@members.example'), now);
  const connection = (await getConnection(db, actor))!;
  assert.equal(connection.isAlive, true);
  assert.equal(connection.email, 'ada@members.example');
  assert.deepEqual(connection.scopes, ['email', 'openid', 'profile', 'w_member_social']);
  assert.deepEqual(connection.connectedAt, now);
  const days = (connection.expiresAt.getTime() - now.getTime()) / 86_400_000;
  assert.ok(days > 59.9 && days <= 60.1);
});

test('a code that LinkedIn does not know and a LinkedIn that is away are a refusal', async () => {
  await assert.rejects(fetchMember(db, 'wrong'), refused('connect_failed'));
  const broken = await serve((_, res) => res.writeHead(500).end());
  for (const LINKEDIN_AUTH_URL of [broken, await nobody()]) {
    await withEnv({ LINKEDIN_AUTH_URL }, () =>
      assert.rejects(fetchMember(db, 'c'), refused('connect_failed')),
    );
  }
});

test('a grant without the permission to post is no connection', async () => {
  const { actor } = await person();
  const optOut = await askedMember(db, member());
  optOut.tokens.scopes = ['openid', 'profile', 'email'];
  await assert.rejects(connectMember(db, actor.userId, optOut), refused('scope_missing'));
  assert.equal(await canOfferConnection(db, actor.userId, optOut), false);
  assert.equal(await getConnection(db, actor), null);
});

test('what LinkedIn gave at a sign-in waits sealed for an answer, and for ten minutes', async () => {
  const { actor } = await person();
  const given = await askedMember(db, member());
  assert.equal(await canOfferConnection(db, actor.userId, given), true);
  const id = await createPendingConnection(db, actor.userId, given);
  const [row] = await db.selectFrom('pendingLinkedinConnections').selectAll().where('id', '=', id).execute();
  assert.ok(!JSON.stringify(row).includes(given.tokens.accessToken));
  assert.deepEqual(Object.keys((await findPendingConnection(db, id))!).toSorted(), [
    'email',
    'name',
    'picture',
    'userId',
  ]);
  const late = new Date(Date.now() + 10 * 60_000 + 1000);
  assert.equal(await findPendingConnection(db, id, late), undefined);
  await assert.rejects(acceptPendingConnection(db, id, late), refused('state_invalid'));
  assert.equal(await getConnection(db, actor), null);
  await acceptPendingConnection(db, id);
  assert.equal((await getConnection(db, actor))!.isAlive, true);
  await assert.rejects(acceptPendingConnection(db, id), refused('state_invalid'));
  assert.equal(await canOfferConnection(db, actor.userId, given), false, 'it is connected already');
  const other = await person();
  assert.equal(
    await canOfferConnection(db, other.actor.userId, given),
    false,
    'it is connected to somebody else',
  );
});

test('of an offer that was declined nothing is kept', async () => {
  const { actor } = await person();
  const id = await createPendingConnection(db, actor.userId, await askedMember(db, member()));
  await declinePendingConnection(db, id);
  assert.deepEqual(
    await db.selectFrom('pendingLinkedinConnections').select('id').where('id', '=', id).execute(),
    [],
  );
});

const MINUTE_MS = 60_000;
const ticketOf = (userId: string, now: Date) => connectUrl(userId, now).split('/').at(-1)!;

test('the address by which a program has LinkedIn connected is good for ten minutes, and for the account it was made for', () => {
  const [userId, other] = [randomUUID(), randomUUID()];
  const now = new Date();
  const ticket = ticketOf(userId, now);
  const after = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
  assert.equal(readTicket(ticket, after(9.9)), userId);
  assert.equal(readTicket(ticket, after(10)), undefined);
  const said = Buffer.from(ticket, 'base64url').toString();
  const forged = (text: string) => readTicket(Buffer.from(text).toString('base64url'), now);
  assert.equal(forged(said), userId);
  assert.equal(forged(said.replace(userId, other)), undefined);
  assert.equal(forged(said.replace(String(after(10).getTime()), String(after(90).getTime()))), undefined);
  assert.equal(forged(said.split('.').slice(0, 2).join('.')), undefined);
  assert.match(ticket, /^[\w-]+$/, 'it never looks like a file');
  assert.equal(readTicket(''), undefined);
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
