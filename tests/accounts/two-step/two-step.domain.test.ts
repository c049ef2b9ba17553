import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { beginTotp, findAppToSetUp } from '#app/domain/accounts/two-step/totp.ts';
import {
  removeAuthenticatorApp,
  renewRecoveryCodes,
  resetTwoStep,
  setUpAuthenticatorApp,
} from '#app/domain/accounts/two-step/two-step.ts';
import { findFactors, hasSecondStep, passSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import { codeFor, mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { appCode, makeApp } from '#tests/fixtures/two-step.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const wrongCode = { status: 400, code: 'invalid_second_step' };
/** The start of a step of 30 seconds. */
const NOW = new Date(Math.floor(Date.now() / 30_000) * 30_000);
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function makeTwoStep() {
  const actor = await makeUser(db);
  return { actor, ...(await makeApp(db, actor, NOW)) };
}

/** A code of six digits that is right at no step near by. */
function wrongFor({ codeAt }: { codeAt: (at: Date) => string }): string {
  const right = [-60, -30, 0, 30, 60].map((seconds) => codeAt(at(seconds)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!;
}

test('an app counts once one of its codes was right; then its owner has ten recovery codes and a mail', async () => {
  const actor = await makeUser(db);
  await beginTotp(db, actor, NOW);
  const begun = (await findAppToSetUp(db, actor, NOW))!;
  assert.match(begun.groups, /^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  assert.match(begun.uri, /^otpauth:\/\/totp\/Tidepost:/);
  assert.deepEqual(await findAppToSetUp(db, actor, at(60)), begun, 'looking again changes nothing');
  assert.equal(await hasSecondStep(db, actor.userId), false);

  await assert.rejects(
    setUpAuthenticatorApp(db, await inSession(db, actor), '000000', at(-90_000)),
    wrongCode,
  );
  const codes = await setUpAuthenticatorApp(db, await inSession(db, actor), appCode(begun.groups, NOW), NOW);
  assert.equal(new Set(codes).size, 10);
  assert.match(codes![0]!, /^[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}$/);
  assert.deepEqual(await findFactors(db, actor.userId), { hasApp: true, passkeys: 0, recoveryCodes: 10 });
  assert.equal(await findAppToSetUp(db, actor, NOW), undefined, 'the secret is shown no more');
  assert.equal((await mailsTo(db, actor.email, 'twoStepChanged')).length, 1);
  await assert.rejects(beginTotp(db, actor, NOW), { status: 409 });
  await assert.rejects(passSecondStep(db, actor.userId, appCode(begun.groups, NOW), NOW), wrongCode);
});

test('who begins again is given a secret that nobody has seen', async () => {
  const actor = await makeUser(db);
  await beginTotp(db, actor, NOW);
  const left = (await findAppToSetUp(db, actor, NOW))!;
  await beginTotp(db, actor, at(60));
  const own = (await findAppToSetUp(db, actor, at(60)))!;
  assert.notEqual(own.groups, left.groups);
  const me = await inSession(db, actor);
  await assert.rejects(setUpAuthenticatorApp(db, me, appCode(left.groups, at(60)), at(60)), wrongCode);
  await setUpAuthenticatorApp(db, me, appCode(own.groups, at(60)), at(60));
});

test('a secret that nobody confirms is void after an hour', async () => {
  const actor = await makeUser(db);
  await beginTotp(db, actor, NOW);
  const { groups } = (await findAppToSetUp(db, actor, NOW))!;
  assert.equal(await findAppToSetUp(db, actor, at(3600)), undefined);
  await assert.rejects(
    setUpAuthenticatorApp(db, await inSession(db, actor), appCode(groups, at(3600)), at(3600)),
    wrongCode,
  );
  await beginTotp(db, actor, at(3600));
  assert.notEqual((await findAppToSetUp(db, actor, at(3600)))!.groups, groups);
});

test('a sealed secret that is moved to the row of another account does not open', async () => {
  const [mine, theirs] = [await makeTwoStep(), await makeTwoStep()];
  const { secretSealed } = await db
    .selectFrom('authenticatorApps')
    .select('secretSealed')
    .where('userId', '=', mine.actor.userId)
    .executeTakeFirstOrThrow();
  assert.ok(!secretSealed.includes(mine.groups.replaceAll(' ', '')));
  await db
    .updateTable('authenticatorApps')
    .set({ secretSealed })
    .where('userId', '=', theirs.actor.userId)
    .execute();
  await assert.rejects(passSecondStep(db, theirs.actor.userId, mine.codeAt(NOW), NOW), /authenticate/);
});

test('a code is right one step early or late, and once', async () => {
  for (const drift of [-30, 0, 30]) {
    const { actor, codeAt } = await makeTwoStep();
    await passSecondStep(db, actor.userId, codeAt(at(drift)), NOW);
    await assert.rejects(passSecondStep(db, actor.userId, codeAt(at(drift)), NOW), wrongCode);
  }
  const two = await makeTwoStep();
  for (const drift of [-60, 60]) {
    await assert.rejects(passSecondStep(db, two.actor.userId, two.codeAt(at(drift)), NOW), wrongCode);
  }
  await passSecondStep(db, two.actor.userId, two.codeAt(at(30)), NOW);
  await assert.rejects(passSecondStep(db, two.actor.userId, two.codeAt(NOW), NOW), wrongCode);
  await passSecondStep(db, two.actor.userId, ` ${two.codeAt(at(60)).replace(/^.../, '$& ')}`, at(60));
});

test('of twenty who send the same code at once one gets in', async () => {
  const { actor, codeAt } = await makeTwoStep();
  const tries = Array.from({ length: 20 }, () => passSecondStep(db, actor.userId, codeAt(NOW), NOW));
  const answers = await Promise.allSettled(tries);
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('of 200 guesses at once at most five are compared, and a stranger counts on no one', async () => {
  const two = await makeTwoStep();
  const wrong = wrongFor(two);
  const guesses = Array.from({ length: 200 }, () =>
    passSecondStep(db, two.actor.userId, wrong, NOW).catch(({ code }) => code),
  );
  const answers = Map.groupBy(await Promise.all(guesses), String);
  assert.equal(answers.get('invalid_second_step')?.length, 5);
  assert.equal(answers.get('rate_limited')?.length, 195);
  const limited = { status: 429, message: 'Too many wrong codes. Please wait 15 minutes and try again.' };
  await assert.rejects(passSecondStep(db, two.actor.userId, two.codeAt(NOW), NOW), limited);
  assert.equal((await mailsTo(db, two.actor.email, 'secondStepFailed')).length, 1, 'its owner is told once');
  const other = await makeTwoStep();
  await passSecondStep(db, other.actor.userId, other.codeAt(NOW), NOW);
  assert.deepEqual(await mailsTo(db, other.actor.email, 'secondStepFailed'), []);
  await passSecondStep(db, two.actor.userId, two.codeAt(at(900)), at(900));
});

test('who guesses on and on has a few codes a day, until a code is right or the password is another', async () => {
  const DAY = 86_400;
  // Neither does it help to stop before the last one.
  for (const atOnce of [4, 9]) {
    const { actor, codeAt } = await makeTwoStep();
    const guess = wrongFor({ codeAt });
    let compared = 0;
    for (let seconds = 0; seconds < 3 * DAY; seconds += 900) {
      for (let nth = 0; nth < atOnce; nth += 1) {
        const { code } = await passSecondStep(db, actor.userId, guess, at(seconds)).catch((error) => error);
        compared += code === 'invalid_second_step' ? 1 : 0;
      }
    }
    assert.ok(compared >= 35 && compared <= 60, `${compared} compared in three days`);
  }

  const two = await makeTwoStep();
  const { userId, email } = two.actor;
  const guess = async (seconds: number) => {
    for (const _ of [1, 2, 3, 4, 5, 6])
      await assert.rejects(passSecondStep(db, userId, wrongFor(two), at(seconds)));
  };
  for (let day = 0; day < 20; day += 1) await guess(day * DAY);
  await guess(20 * DAY);
  const limited = { status: 429, message: 'Too many wrong codes. Please wait 24 hours and try again.' };
  await assert.rejects(passSecondStep(db, userId, two.codeAt(at(20 * DAY)), at(20 * DAY)), limited);

  const otp = await startReset(db, email).then(() => codeFor(db, email, 'resetPassword'));
  await resetPassword(db, { email, otp, newPassword: 'the owner chose another' });
  await passSecondStep(db, userId, two.codeAt(at(20 * DAY)), at(20 * DAY));
  await guess(20 * DAY);
  await passSecondStep(db, userId, two.codeAt(at(20 * DAY + 900)), at(20 * DAY + 900));
});

test('a right code ends the count of wrong ones', async () => {
  const two = await makeTwoStep();
  for (const _ of [1, 2, 3, 4])
    await assert.rejects(passSecondStep(db, two.actor.userId, wrongFor(two), NOW), wrongCode);
  await passSecondStep(db, two.actor.userId, two.codeAt(NOW), NOW);
  for (const _ of [1, 2, 3, 4, 5])
    await assert.rejects(passSecondStep(db, two.actor.userId, wrongFor(two), NOW), wrongCode);
});

test('a recovery code works once, however it is typed, and its owner is told how many are left', async () => {
  const { actor, recoveryCodes } = await makeTwoStep();
  await passSecondStep(db, actor.userId, recoveryCodes[0]!.toLowerCase().replaceAll('-', ' '), NOW);
  await assert.rejects(passSecondStep(db, actor.userId, recoveryCodes[0]!, NOW), wrongCode);
  const other = await makeTwoStep();
  await assert.rejects(passSecondStep(db, other.actor.userId, recoveryCodes[1]!, NOW), wrongCode);
  assert.deepEqual(
    (await mailsTo(db, actor.email, 'recoveryCodeUsed')).map(({ left }) => left),
    [9],
  );
  const rows = await db.selectFrom('recoveryCodes').select('codeHash').execute();
  assert.ok(!JSON.stringify(rows).includes(recoveryCodes[1]!.replaceAll('-', '')));
});

test('of fifty who send the same recovery code at once one gets in', async () => {
  const { actor, recoveryCodes } = await makeTwoStep();
  const tries = Array.from({ length: 50 }, () => passSecondStep(db, actor.userId, recoveryCodes[0]!, NOW));
  const answers = await Promise.allSettled(tries);
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await findFactors(db, actor.userId)).recoveryCodes, 9);
});

test('new recovery codes void those before, and need a second step', async () => {
  const { actor, recoveryCodes } = await makeTwoStep();
  const fresh = await renewRecoveryCodes(db, actor);
  await assert.rejects(passSecondStep(db, actor.userId, recoveryCodes[0]!, NOW), wrongCode);
  await passSecondStep(db, actor.userId, fresh[0]!, NOW);
  await assert.rejects(renewRecoveryCodes(db, await makeUser(db)), { status: 409, code: 'no_second_step' });
});

test('without its app an account signs in in one step again, and its owner is told', async () => {
  const { actor } = await makeTwoStep();
  await removeAuthenticatorApp(db, actor);
  assert.deepEqual(await findFactors(db, actor.userId), { hasApp: false, passkeys: 0, recoveryCodes: 0 });
  const [mail] = await mailsTo(db, actor.email, 'twoStepChanged');
  assert.match(mail!.change, /was removed\. Signing in takes one step now\.$/);
  await removeAuthenticatorApp(db, actor);
  assert.equal((await mailsTo(db, actor.email, 'twoStepChanged')).length, 2, 'nothing was there any more');
});

test('an operator resets what was lost: every factor and session goes, and the owner is told', async () => {
  const { actor } = await makeTwoStep();
  const { token } = await createSession(db, actor.userId, 'web', '');
  assert.equal(await resetTwoStep(db, actor.email), 'reset');
  assert.equal(await hasSecondStep(db, actor.userId), false);
  assert.equal(await findSession(db, token, 'web'), undefined);
  assert.match((await mailsTo(db, actor.email, 'twoStepChanged'))[0]!.change, /^An operator/);
  assert.equal(await resetTwoStep(db, actor.email), 'off');
  assert.equal(await resetTwoStep(db, 'nobody@example.com'), 'unknown');
});

test('what was begun and never finished is cleaned up', async () => {
  const actor = await makeUser(db);
  await beginTotp(db, actor, NOW);
  const two = await makeTwoStep();
  await assert.rejects(passSecondStep(db, two.actor.userId, wrongFor(two), NOW), wrongCode);
  await cleanUp(db, at(31 * 86_400));
  const tables = ['authenticatorApps', 'twoFactorAttempts'] as const;
  const left = await Promise.all(
    tables.map((table) =>
      db.selectFrom(table).select('userId').where('userId', 'in', [actor.userId, two.actor.userId]).execute(),
    ),
  );
  assert.deepEqual(left, [[{ userId: two.actor.userId }], []]);
});
