import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { cancelDeletion, requestDeletion } from '#app/domain/account-deletion/request.ts';
import { startEmailChange } from '#app/domain/accounts/lifecycle/change-email.ts';
import { listDueDeletions, startErasing } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { changePassword } from '#app/domain/accounts/password/change.ts';
import { hashPassword, isPassword } from '#app/domain/accounts/password/password.ts';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { createSession, endSessionsOf, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { othersWait } from '#tests/harness/concurrency.ts';
import { testDatabase } from '#tests/harness/database.ts';

const DAY = 86_400_000;
let db: Db;

before(async () => {
  ({ db } = await testDatabase());
});

async function signedIn() {
  const actor = await makeUser(db);
  const { token } = await createSession(db, actor.userId, 'web', 'a test');
  const { sessionId } = (await findSession(db, token, 'web'))!;
  return { actor, session: { userId: actor.userId, sessionId } };
}

const storedOf = ({ userId }: Actor) =>
  db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirstOrThrow();

/** Makes `act` wait where it writes, while the owner sets a new password by a reset. */
async function duringReset<T>(actor: Actor, act: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  const passwordHash = await hashPassword('what the owner chose');
  let acting: Promise<PromiseSettledResult<T>[]> | undefined;
  await transact(db, async (trx: Trx) => {
    await lockUser(trx, actor.userId);
    acting = Promise.allSettled([act()]);
    await othersWait(db);
    await trx.updateTable('users').set({ passwordHash }).where('id', '=', actor.userId).execute();
    await endSessionsOf(trx, actor.userId, 'reset');
  });
  return (await acting!)[0]!;
}

const isOwners = async (actor: Actor) =>
  isPassword((await storedOf(actor)).passwordHash!, 'what the owner chose');

test('a session that a reset has ended meanwhile sets no password over the new one', async () => {
  const { actor, session } = await signedIn();
  const change = { password: PASSWORD, newPassword: 'what a thief chose', otp: undefined };
  const ended = await duringReset(actor, () => changePassword(db, session, change));
  assert.equal(ended.status === 'rejected' && ended.reason.code, 'unauthenticated');
  assert.ok(await isOwners(actor));
  assert.deepEqual(await mailsTo(db, actor.email, 'passwordChanged'), []);
});

test('a session that a reset has ended meanwhile begins no change of the address', async () => {
  const { actor, session } = await signedIn();
  const email = `thief-${crypto.randomUUID()}@example.com`;
  const change = { email, password: PASSWORD, otp: undefined };
  const ended = await duringReset(actor, () => startEmailChange(db, session, change));
  assert.equal(ended.status === 'rejected' && ended.reason.code, 'unauthenticated');
  assert.deepEqual(await mailsTo(db, email, 'confirmNewEmail'), []);
  assert.deepEqual(await mailsTo(db, actor.email, 'emailChangeBegun'), []);
});

test('who signs in with an old hash while the password is reset does not bring the old password back', async () => {
  const actor = await makeUser(db);
  // As it was stored when a hash cost less.
  const passwordHash = await hash(PASSWORD, {
    algorithm: 2,
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
  await db.updateTable('users').set({ passwordHash }).where('id', '=', actor.userId).execute();
  await duringReset(actor, () => checkLogin(db, { email: actor.email, password: PASSWORD }));
  assert.ok(await isOwners(actor));
});

test('a reset that comes while the owner changes the password or the address waits, and ends neither by a deadlock', async () => {
  const { actor } = await signedIn();
  const { resetId, email } = await startReset(db, actor.email);
  const [mail] = await mailsTo(db, email, 'resetPassword');
  const given = { email, resetId, otp: mail!.code, newPassword: 'what the owner chose' };
  let reset: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    reset = Promise.allSettled([resetPassword(db, given)]);
    await othersWait(db);
    await trx.deleteFrom('passwordResets').where('userId', '=', actor.userId).execute();
  });
  const [ended] = await reset!;
  assert.equal(ended!.status === 'rejected' && ended!.reason.code, 'invalid_otp');
});

test('an account that was kept, and is to be deleted anew, has its days again, though a worker has listed it', async () => {
  const { actor } = await signedIn();
  const begun = new Date(Date.now() - 8 * DAY);
  await requestDeletion(db, actor, null, begun);
  const now = new Date();
  const due = await listDueDeletions(db, now);
  assert.ok(due.some(({ userId }) => userId === actor.userId));
  await cancelDeletion(db, actor.userId);
  await requestDeletion(db, actor, null);
  assert.equal(await transact(db, (trx) => startErasing(trx, actor.userId, now)), false);
  await cancelDeletion(db, actor.userId);
});
