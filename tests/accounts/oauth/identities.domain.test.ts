import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  linkIdentity,
  linkPending,
  signInWithIdentity,
  unlinkIdentity,
  type VerifiedIdentity,
} from '#app/domain/accounts/oauth/identities.ts';
import { env } from '#app/env.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

const proved = (email: string, provider: VerifiedIdentity['provider'] = 'google'): VerifiedIdentity => ({
  provider,
  subject: randomUUID(),
  email,
  isEmailVerified: true,
  name: 'Ada Marlow',
});
const url = `${env().APP_URL}/app/account/security`;

test('an owner is told once of each provider that signs in to their account from now on, and as whom', async () => {
  const actor = await makeUser(db);
  const google = proved('ada@elsewhere.example');
  await linkIdentity(db, await inSession(db, actor), google);
  await linkIdentity(db, await inSession(db, actor), google);
  const said = { name: actor.name, provider: 'Google', as: 'ada@elsewhere.example', url };
  assert.deepEqual(await mailsTo(db, actor.email, 'signInLinked'), [said]);
  await linkIdentity(db, await inSession(db, actor), { ...proved('', 'linkedin'), email: null });
  const [newest] = await mailsTo(db, actor.email, 'signInLinked');
  assert.deepEqual(newest, { ...said, provider: 'LinkedIn', as: null });
});

test('an owner is told of the provider that they were asked about at its sign-in', async () => {
  const actor = await makeUser(db);
  const entered = await signInWithIdentity(db, proved(actor.email), { timeZone: null });
  assert.equal(entered.kind, 'taken');
  assert.deepEqual(await mailsTo(db, actor.email, 'signInLinked'), [], 'nothing is linked yet');
  await linkPending(db, await inSession(db, actor), entered.kind === 'taken' ? entered.pendingId : '');
  assert.equal((await mailsTo(db, actor.email, 'signInLinked')).length, 1);
});

test('an owner is told of a provider that is unlinked', async () => {
  const actor = await makeUser(db);
  await linkIdentity(db, await inSession(db, actor), proved(actor.email));
  await unlinkIdentity(db, actor, 'google');
  assert.deepEqual(await mailsTo(db, actor.email, 'signInUnlinked'), [
    { name: actor.name, provider: 'Google', url },
  ]);
  await assert.rejects(unlinkIdentity(db, actor, 'google'), { code: 'not_linked' });
  assert.equal((await mailsTo(db, actor.email, 'signInUnlinked')).length, 1);
});

test('what is refused is told to nobody, nor is an account that a provider makes', async () => {
  const [one, other] = [await makeUser(db), await makeUser(db)];
  const google = proved(one.email);
  await linkIdentity(db, await inSession(db, one), google);
  await assert.rejects(linkIdentity(db, await inSession(db, other), google), { code: 'identity_taken' });
  await assert.rejects(linkIdentity(db, await inSession(db, one), proved(one.email)), {
    code: 'has_another',
  });
  assert.deepEqual(await mailsTo(db, other.email, 'signInLinked'), []);
  assert.equal((await mailsTo(db, one.email, 'signInLinked')).length, 1);
  const email = `${randomUUID()}@people.example`;
  assert.equal((await signInWithIdentity(db, proved(email), { timeZone: null })).kind, 'new');
  assert.deepEqual(await mailsTo(db, email, 'signInLinked'), []);
});
