import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { countCode, findNextCodeAt, GLOBAL_DAILY_MAX } from '#app/domain/accounts/one-time-codes.ts';
import { startReset } from '#app/domain/accounts/password/reset.ts';
import { resendCode, startSignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { aMinuteLater, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
const START = new Date('2027-03-01T08:00:00Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const tooSoon = { status: 429, code: 'rate_limited' };
const count = (email: string, now: Date) => transact(db, (trx) => countCode(trx, email, now));

test('13 an address waits a minute for its next code, whichever form asks', async () => {
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

test('13 twelve sign-ups in two seconds mail one code', async () => {
  const { email } = signUpInput();
  const now = at(0);
  const sign = (nth: number) => startSignUp(db, signUpInput({ email, name: `Stranger ${nth}` }), now);
  const answers = await Promise.allSettled(Array.from({ length: 12 }, (_, nth) => sign(nth)));
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  const mails = await mailsTo(db, email, 'verifyEmail');
  assert.equal(mails.length, 1);
  assert.doesNotMatch(JSON.stringify(mails), /Stranger/);
});

test('13 of twelve resets at once one is begun', async () => {
  const { email } = await makeUser(db);
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => startReset(db, email, at(0))));
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await mailsTo(db, email, 'resetPassword')).length, 1);
});

test('13 an address gets six codes an hour and ten a day, known or not', async () => {
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

test('13 so many codes are sent in a day to all addresses together, and no more', async () => {
  const askedAt = new Date('2028-01-01T00:00:00Z');
  const rows = Array.from({ length: GLOBAL_DAILY_MAX - 1 }, (_, nth) => ({
    email: `e${nth}@example.com`,
    requestedAt: askedAt,
  }));
  await db.insertInto('codeRequests').values(rows.slice(0, 5_000)).execute();
  await db.insertInto('codeRequests').values(rows.slice(5_000)).execute();
  await count('last@example.com', askedAt);
  await assert.rejects(count('one-more@example.com', askedAt), tooSoon);
  await count('one-more@example.com', new Date(askedAt.getTime() + 86_400_000));
  await db.deleteFrom('codeRequests').where('requestedAt', '>=', askedAt).execute();
});

let url: string;
before(async () => {
  ({ url } = await startWeb({ databaseUrl, env: { TRUST_PROXY: 'x-forwarded-for' } }));
});

let nth = 0;
/** Nobody's address is used twice: what comes from many places is bounded as well. */
function from() {
  nth += 1;
  return { 'X-Forwarded-For': `10.${nth >> 8}.${nth & 255}.1` };
}

const send = (path: string, body: Record<string, string>, cookies = '') =>
  fetch(url + path, {
    method: 'POST',
    headers: { Origin: url, Cookie: cookies, ...from() },
    body: new URLSearchParams(body),
    redirect: 'manual',
  });

const ask = (path: string, body: object) =>
  fetch(`${url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...from() },
    body: JSON.stringify(body),
  });

const cookiesOf = (browser: Browser) => [...browser.cookies].map((pair) => pair.join('=')).join('; ');

/** Everybody who waits for a code: with the cookies of the browser that asked for it. */
async function waiting(email: string, page: '/signup' | '/forgot-password'): Promise<string> {
  const browser = new Browser(url);
  const { name, password } = signUpInput();
  await browser.post(page, { name, email, password, confirmPassword: password });
  await aMinuteLater(db, email);
  return cookiesOf(browser);
}

type Door = (email: string) => Promise<() => Promise<Response>>;
const signUp = (email: string) => ({ name: 'Ada', email, password: PASSWORD, confirmPassword: PASSWORD });

/** Each way by which somebody who is not signed in has a code mailed. */
const SIGN_UP_DOORS: Record<string, Door> = {
  'the page of signing up': async (email) => () => send('/signup', signUp(email)),
  'the call of signing up': async (email) => () => ask('signup', signUp(email)),
  'the button for another code': async (email) => {
    const cookies = await waiting(email, '/signup');
    return () => send('/verify-otp/resend', {}, cookies);
  },
  'the call for another code': async (email) => {
    await waiting(email, '/signup');
    return () => ask('resend-otp', { email });
  },
  'the page of signing in, unverified': async (email) => {
    await waiting(email, '/signup');
    return () => send('/login', { email, password: PASSWORD });
  },
  'the call of signing in, unverified': async (email) => {
    await waiting(email, '/signup');
    return () => ask('login', { email, password: PASSWORD });
  },
};
const RESET_DOORS: Record<string, Door> = {
  'the page of a forgotten password': async (email) => () => send('/forgot-password', { email }),
  'the call of a forgotten password': async (email) => () => ask('forgot-password', { email }),
  'the button for another code for a password': async (email) => {
    const cookies = await waiting(email, '/forgot-password');
    return () => send('/reset-password/resend', {}, cookies);
  },
};

/** Sends a form of the account, or a call, as somebody who is signed in and has no password. */
async function asOwner(email: string) {
  const { id: userId } = await db
    .updateTable('users')
    .set({ passwordHash: null })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow();
  const actor = { userId, name: 'Ada', email, isAdmin: false, timeZone: 'UTC' };
  const [browser, token] = [await browserOf(db, actor, url), await tokenOf(db, actor)];
  return {
    form: (path: string, fields: Record<string, string> = {}) => send(path, fields, cookiesOf(browser)),
    call: (method: string, path: string) =>
      fetch(`${url}/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...from() },
        body: '{}',
      }),
  };
}

/** Each way by which an owner without a password has a code mailed that proves them. */
const PROOF_DOORS: Record<string, Door> = {};
for (const path of [
  '/app/account?form=prove-email',
  '/app/account?form=prove-password',
  '/app/account/data/code',
  '/app/account/second-step/prove',
  '/app/confirm/code',
]) {
  PROOF_DOORS[`the form ${path}`] = async (email) => {
    const { form } = await asOwner(email);
    return () => form(path);
  };
}
for (const [method, path] of [
  ['POST', '/account/confirm/code'],
  ['DELETE', '/account'],
] as const) {
  PROOF_DOORS[`the call ${method} ${path}`] = async (email) => {
    const { call } = await asOwner(email);
    return () => call(method, path);
  };
}

/** A stranger who is signed in to an account of their own, and wants this address for it. */
async function asStranger(email: string) {
  const browser = await browserOf(db, await makeUser(db), url);
  const fields = { email, password: PASSWORD };
  const begin = () => send('/app/account?form=email', fields, cookiesOf(browser));
  return { begin, again: () => send('/app/account?form=again', {}, cookiesOf(browser)) };
}

const CHANGE_DOORS: Record<string, Door> = {
  'the page of another address': async (email) => (await asStranger(email)).begin,
  'the page of another address, of many accounts': async (email) => async () =>
    (await asStranger(email)).begin(),
  'the button for another code for an address': async (email) => {
    const { begin, again } = await asStranger(email);
    await (await begin()).text();
    await aMinuteLater(db, email);
    return again;
  },
};

const DOORS = [
  ...Object.entries(SIGN_UP_DOORS).map(([name, door]) => ({ name, door, kind: 'verifyEmail' as const })),
  ...Object.entries(RESET_DOORS).map(([name, door]) => ({ name, door, kind: 'resetPassword' as const })),
  ...Object.entries(PROOF_DOORS).map(([name, door]) => ({ name, door, kind: 'proveOwner' as const })),
  ...Object.entries(CHANGE_DOORS).map(([name, door]) => ({ name, door, kind: 'confirmNewEmail' as const })),
];
for (const { name, door, kind } of DOORS) {
  test(`13 ${name} mails an address one code a minute, wherever it is asked from`, async () => {
    const isNew = kind === 'verifyEmail' || kind === 'confirmNewEmail';
    const email = isNew ? signUpInput().email : (await makeUser(db)).email;
    const ring = await door(email);
    const before = (await mailsTo(db, email, kind)).length;
    for (let call = 0; call < 8; call += 1) await (await ring()).text();
    assert.equal((await mailsTo(db, email, kind)).length, before + 1);
  });
}
