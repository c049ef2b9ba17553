import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import { linkIdentity, unlinkIdentity } from '#app/domain/accounts/oauth/identities.ts';
import { checkPasskey, requestPasskey } from '#app/domain/accounts/two-step/authenticate-passkey.ts';
import { listPasskeys, removePasskey, renamePasskey } from '#app/domain/accounts/two-step/passkeys.ts';
import { addPasskey, beginPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import { findFactors } from '#app/domain/accounts/two-step/verify.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { TestPasskey } from '#tests/fixtures/passkeys.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const invalid = { status: 400, code: 'invalid_passkey' };
const ORIGIN = 'https://tidepost.example';
const rp = { id: 'tidepost.example', origin: ORIGIN };
const NOW = new Date();
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function add(actor: Actor, said = {}, passkey = new TestPasskey(ORIGIN)) {
  const { options, challengeId } = await beginPasskey(db, actor, rp, NOW);
  const response = passkey.make(options, said);
  const codes = await addPasskey(
    db,
    await inSession(db, actor),
    { name: 'My laptop', challengeId, response },
    rp,
    NOW,
  );
  return { passkey, codes };
}

async function ask(userId: string | null = null) {
  const { options, challengeId } = await requestPasskey(db, userId, rp, NOW);
  const answer = (response: ReturnType<TestPasskey['sign']>, now = NOW) =>
    checkPasskey(db, userId, { challengeId, response }, rp, now);
  return { options, answer };
}

test('a passkey signs in by itself, and is a second step with recovery codes', async () => {
  const actor = await makeUser(db);
  const { passkey, codes } = await add(actor);
  assert.equal(codes?.length, 10);
  assert.deepEqual(await findFactors(db, actor.userId), { hasApp: false, passkeys: 1, recoveryCodes: 10 });
  assert.match((await mailsTo(db, actor.email, 'twoStepChanged'))[0]!.change, /passkey named "My laptop"/);
  const alone = await ask();
  assert.deepEqual(await alone.answer(passkey.sign(alone.options)), { userId: actor.userId });
  const second = await ask(actor.userId);
  assert.deepEqual(
    second.options.allowCredentials?.map(({ id }) => id),
    [passkey.id],
  );
  assert.deepEqual(await second.answer(passkey.sign(second.options, { isVerified: false })), {
    userId: actor.userId,
  });
  assert.ok((await listPasskeys(db, actor))[0]!.lastUsedAt);
  assert.equal((await add(actor)).codes, null, 'those of before stay');
});

test('a challenge is answered once, within five minutes, and for what it was asked', async () => {
  const actor = await makeUser(db);
  const { passkey } = await add(actor);
  const once = await ask();
  const signed = passkey.sign(once.options);
  await once.answer(signed);
  await assert.rejects(once.answer(signed), invalid);
  const late = await ask();
  await assert.rejects(late.answer(passkey.sign(late.options), at(300)), invalid);
  const second = await requestPasskey(db, actor.userId, rp, NOW);
  const response = passkey.sign(second.options, { isVerified: false });
  const { challengeId } = second;
  await assert.rejects(checkPasskey(db, null, { challengeId, response }, rp, NOW), invalid);
  const other = await makeUser(db);
  const own = await requestPasskey(db, other.userId, rp, NOW);
  const theirs = { challengeId: own.challengeId, response: passkey.sign(own.options) };
  await assert.rejects(
    checkPasskey(db, other.userId, theirs, rp, NOW),
    invalid,
    'the passkey of somebody else',
  );
});

test('a passkey that does not count, as those that are on several devices, answers once all the same', async () => {
  const { passkey } = await add(await makeUser(db), { counter: 0 });
  const sign = (options: { challenge: string }) => passkey.sign(options, { counter: 0 });
  const one = await ask();
  await one.answer(sign(one.options));
  await assert.rejects(one.answer(sign(one.options)), invalid);
  const two = await ask();
  const signed = sign(two.options);
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => two.answer(signed)));
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('what was asked to add a passkey signs nobody in, and the other way round', async () => {
  const actor = await makeUser(db);
  const { passkey } = await add(actor);
  const adding = await beginPasskey(db, actor, rp, NOW);
  const used = { challengeId: adding.challengeId, response: passkey.sign(adding.options) };
  await assert.rejects(checkPasskey(db, actor.userId, used, rp, NOW), invalid);
  const { options, challengeId } = await requestPasskey(db, actor.userId, rp, NOW);
  const user = { id: Buffer.from(actor.userId).toString('base64url') };
  const response = new TestPasskey(ORIGIN).make({ ...options, user });
  await assert.rejects(
    addPasskey(db, await inSession(db, actor), { name: 'x', challengeId, response }, rp, NOW),
    invalid,
  );
});

test('of twenty who send the same answer at once one gets in', async () => {
  const { passkey } = await add(await makeUser(db));
  const { options, answer } = await ask();
  const signed = passkey.sign(options);
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => answer(signed)));
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('of twenty who answer at once with one count, each to a question of its own, one gets in', async () => {
  const { passkey } = await add(await makeUser(db));
  const first = await ask();
  await first.answer(passkey.sign(first.options));
  const counter = passkey.counter + 1;
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask()));
  const answers = await Promise.allSettled(
    asked.map(({ options, answer }) => answer(passkey.sign(options, { counter }))),
  );
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('origin, host, challenge, account, counter and who was there are checked', async () => {
  const { passkey } = await add(await makeUser(db));
  const other = await makeUser(db);
  const wrong: [string, Parameters<TestPasskey['sign']>[1]][] = [
    ['another origin', { origin: 'https://tidepost.example.evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['nobody was checked', { isVerified: false }],
    ['another account', { userHandle: Buffer.from(other.userId).toString('base64url') }],
    ['no account', { userHandle: '' }],
    ['a copy that counts less', { counter: 0 }],
  ];
  const first = await ask();
  await first.answer(passkey.sign(first.options));
  for (const [what, said] of wrong) {
    const { options, answer } = await ask();
    await assert.rejects(answer(passkey.sign(options, said)), invalid, what);
  }
  const { answer } = await ask();
  await assert.rejects(answer(passkey.sign({ challenge: 'bm90IG91cnM' })), invalid);
  const stranger = await ask();
  await assert.rejects(stranger.answer(new TestPasskey(ORIGIN).sign(stranger.options)), invalid);
  const broken = await ask();
  const signed = passkey.sign(broken.options);
  signed.response.signature = signed.response.signature.replace(/^./, 'A').replace(/.$/, 'B');
  await assert.rejects(broken.answer(signed), invalid);
});

test('a passkey that does not verify is not added, nor one twice, nor one for somebody else', async () => {
  const actor = await makeUser(db);
  for (const said of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }])
    await assert.rejects(add(actor, said), invalid);
  const { options, challengeId } = await beginPasskey(db, actor, rp, NOW);
  const response = new TestPasskey(ORIGIN).make(options);
  const other = await makeUser(db);
  await assert.rejects(
    addPasskey(db, await inSession(db, other), { name: 'x', challengeId, response }, rp, NOW),
    invalid,
  );
  const { passkey } = await add(actor);
  await assert.rejects(add(other, {}, passkey), invalid, 'a passkey belongs to one account');
  assert.equal((await listPasskeys(db, actor)).length, 1);
});

test('a passkey is renamed and removed by its owner alone; the codes go with the last', async () => {
  const [actor, other] = [await makeUser(db), await makeUser(db)];
  await add(actor);
  const { id } = (await listPasskeys(db, actor))[0]!;
  await assert.rejects(renamePasskey(db, other, id, 'Mine'), { status: 404 });
  await assert.rejects(removePasskey(db, other, id), { status: 404 });
  await assert.rejects(removePasskey(db, actor, 'no id'), { status: 404 });
  await renamePasskey(db, actor, id, 'Blue key');
  await removePasskey(db, actor, id);
  assert.match((await mailsTo(db, actor.email, 'twoStepChanged'))[0]!.change, /"Blue key".*one step now/);
  assert.deepEqual(await findFactors(db, actor.userId), { hasApp: false, passkeys: 0, recoveryCodes: 0 });
});

test('a passkey signs in by itself, so it counts as a way in: a provider may go, and then the passkey stays', async () => {
  const actor = await makeUser(db);
  const proved = {
    provider: 'google',
    subject: actor.userId,
    email: actor.email,
    isEmailVerified: true,
  } as const;
  await linkIdentity(db, await inSession(db, actor), { ...proved, name: '' });
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', actor.userId).execute();
  const lastWayIn = { status: 409, code: 'last_way_in' };
  await assert.rejects(unlinkIdentity(db, actor, 'google'), lastWayIn);
  await add(actor);
  await unlinkIdentity(db, actor, 'google');
  const [passkey] = await listPasskeys(db, actor);
  await assert.rejects(removePasskey(db, actor, passkey!.id), lastWayIn);
  await add(actor);
  await removePasskey(db, actor, passkey!.id);
  assert.equal((await listPasskeys(db, actor)).length, 1);
});

test('one account has at most twenty passkeys', async () => {
  const actor = await makeUser(db);
  for (let made = 0; made < 20; made++) await add(actor);
  await assert.rejects(add(actor), { status: 409, code: 'too_many_passkeys' });
});

test('challenges that nobody answers are cleaned up', async () => {
  await ask();
  await cleanUp(db, at(2 * 86_400));
  assert.deepEqual(await db.selectFrom('passkeyChallenges').selectAll().execute(), []);
});
