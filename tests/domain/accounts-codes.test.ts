import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { countCode, findNextCodeAt, MOST_OF_ALL } from '#app/domain/accounts/codes.ts';
import { startReset } from '#app/domain/accounts/resets.ts';
import { resendCode, startSignUp } from '#app/domain/accounts/sign-ups.ts';
import { testDatabase } from '#tests/database.ts';
import { mailsTo, makeUser, signUpInput } from '#tests/make/accounts.ts';

const { db } = await testDatabase();
const START = new Date('2027-03-01T08:00:00Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const tooSoon = { status: 429, code: 'rate_limited' };
const count = (email: string, now: Date) => transact(db, (trx) => countCode(trx, email, now));

test('an address waits a minute for its next code, whichever form asks', async () => {
  const input = signUpInput();
  const { email } = input;
  const doors = [
    (now: Date) => startSignUp(db, input, now),
    (now: Date) => resendCode(db, { email }, now),
    (now: Date) => startReset(db, email, now),
  ];
  let seconds = 0;
  for (const ask of doors) {
    await ask(at(seconds));
    for (const other of doors) await assert.rejects(other(at(seconds + 59)), tooSoon);
    assert.deepEqual(await findNextCodeAt(db, email, at(seconds + 59)), at(seconds + 60));
    assert.equal(await findNextCodeAt(db, email, at(seconds + 60)), null);
    seconds += 60;
  }
  const { email: another } = signUpInput();
  await count(another, at(1));
});

test('twelve sign-ups in two seconds mail one code', async () => {
  const { email } = signUpInput();
  const now = at(0);
  const sign = (nth: number) => startSignUp(db, signUpInput({ email, name: `Stranger ${nth}` }), now);
  const answers = await Promise.allSettled(Array.from({ length: 12 }, (_, nth) => sign(nth)));
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  const mails = await mailsTo(db, email, 'verifyEmail');
  assert.equal(mails.length, 1);
  assert.doesNotMatch(JSON.stringify(mails), /Stranger/);
});

test('of twelve resets at once one is begun', async () => {
  const { email } = await makeUser(db);
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => startReset(db, email, at(0))));
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await mailsTo(db, email, 'resetPassword')).length, 1);
});

test('an address gets six codes an hour and ten a day, known or not', async () => {
  const { email: known } = await makeUser(db);
  for (const email of [known, signUpInput().email]) {
    for (let nth = 0; nth < 6; nth += 1) await startReset(db, email, at(nth * 60));
    await assert.rejects(startReset(db, email, at(3_599)), { ...tooSoon, retryAfter: 1 });
    for (let nth = 0; nth < 4; nth += 1) await startReset(db, email, at(3_600 + nth * 60));
    await assert.rejects(startReset(db, email, at(8 * 3_600)), tooSoon);
    await assert.rejects(startReset(db, email, at(86_399)), { ...tooSoon, retryAfter: 1 });
    await startReset(db, email, at(86_400));
  }
});

test('so many codes are sent in a day to all addresses together, and no more', async () => {
  const askedAt = new Date('2028-01-01T00:00:00Z');
  const rows = Array.from({ length: MOST_OF_ALL - 1 }, (_, nth) => ({
    email: `e${nth}@example.com`,
    askedAt,
  }));
  await db.insertInto('codeRequests').values(rows.slice(0, 5_000)).execute();
  await db.insertInto('codeRequests').values(rows.slice(5_000)).execute();
  await count('last@example.com', askedAt);
  await assert.rejects(count('one-more@example.com', askedAt), tooSoon);
  await count('one-more@example.com', new Date(askedAt.getTime() + 86_400_000));
});
