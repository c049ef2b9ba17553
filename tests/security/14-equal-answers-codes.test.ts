import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { hashPassword } from '#app/domain/accounts/password/password.ts';
import { startReset } from '#app/domain/accounts/password/reset.ts';
import { startSignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { assertAlike, CALLS, costOf, costsOf } from '#tests/harness/timing.ts';
import { startWeb } from '#tests/harness/web.ts';
import { sources, textOf } from '#tests/project/architecture-imports.ts';

let database: TestDatabase;
let url: string;
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } }));
});

/** The calls by the clock take half a minute each, however idle the machine is. */
const LONG = { timeout: 600_000 };

/** A new address each time, because one gets a code a minute. */
const ADDRESSES = {
  known: async () => (await makeUser(database.db)).email,
  pending: async () => {
    const { email } = signUpInput();
    const { password: passwordHash, ...input } = signUpInput({ email, password: await hash });
    await database.db
      .insertInto('signUps')
      .values({ ...input, passwordHash })
      .execute();
    return email;
  },
  unknown: async () => signUpInput().email,
  disabled: async () => {
    const { userId, email } = await makeUser(database.db);
    const stopped = { userId, reason: 'Spam', disabledAt: new Date() };
    await database.db.insertInto('disabledAccounts').values(stopped).execute();
    return email;
  },
};
const hash = hashPassword('a password of a stranger');

const kindsOf = (prepare: (email: string) => Promise<() => Promise<unknown>>) =>
  Object.fromEntries(
    Object.entries(ADDRESSES).map(([name, make]) => [name, async () => prepare(await make())] as const),
  );

test(
  `14 over ${CALLS} calls each, a sign-up costs as much for a known, a pending, an unknown and a disabled address`,
  LONG,
  async (t) => {
    const kinds = kindsOf(async (email) => () => startSignUp(database.db, signUpInput({ email })));
    await costsOf(kinds, 3);
    const costs = await costsOf(kinds, CALLS);
    const aHash = await costOf(() => hashPassword(PASSWORD));
    t.diagnostic(`${assertAlike(costs, { most: aHash / 4 })}; a hash ${aHash.toFixed(0)} ms`);
  },
);

/** The calls whose work differs by who is there, each for a new address from a place of its own. */
const DOORS: Record<string, (email: string) => Promise<[path: string, body: object]>> = {
  'a forgotten password': async (email) => ['forgot-password', { email }],
  'another code': async (email) => ['resend-otp', { email }],
  'a wrong code for a password': async (email) => {
    await startReset(database.db, email);
    return ['reset-password', { email, otp: '000000', newPassword: PASSWORD }];
  },
};

let asked = 0;
/** How long a stranger waits for an answer, in milliseconds. */
async function waitFor([path, body]: [path: string, body: object]): Promise<number> {
  asked += 1;
  const headers = {
    'Content-Type': 'application/json',
    'X-Forwarded-For': `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`,
  };
  const began = performance.now();
  const answer = await fetch(`${url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await answer.text();
  assert.notEqual(answer.status, 429);
  return performance.now() - began;
}

for (const [door, prepare] of Object.entries(DOORS)) {
  test(
    `14 over ${CALLS} calls each, ${door} is answered after the same time by the clock, whoever is asked about`,
    LONG,
    async (t) => {
      const waits = new Map(Object.keys(ADDRESSES).map((kind) => [kind, [] as number[]]));
      const kinds = Object.entries(ADDRESSES);
      for (let round = 0; round < CALLS; round += 1) {
        // By turns the first of those that are asked at once.
        const first = round % kinds.length;
        const turned = [...kinds.slice(first), ...kinds.slice(0, first)];
        const calls = await Promise.all(
          turned.map(async ([kind, make]) => [kind, await prepare(await make())] as const),
        );
        await Promise.all(calls.map(async ([kind, call]) => waits.get(kind)!.push(await waitFor(call))));
      }
      t.diagnostic(assertAlike(waits, { most: 5, ranks: 0.12 }));
    },
  );
}

test('14 every door of codes answers in even time', () => {
  const names =
    /\b(?:(?:start|resend)(?:Reset|EmailChange)|resetPassword|resendCode|startSignUp|verifySignUp)\(db/g;
  const calls = sources
    .filter((file) => /^app\/(?:routes|http)\//.test(file))
    .flatMap((file) => [...textOf(file).matchAll(names)].map(({ index }) => textOf(file).slice(0, index)));
  assert.ok(calls.length >= 13);
  const uneven = calls.filter((before) => !before.endsWith('inConstantTime(() => '));
  assert.deepEqual(
    uneven.map((before) => before.slice(-60)),
    [],
  );
});

test('14 each door answers a known, a pending, an unknown and a disabled address with the same words', async () => {
  const calls: Record<string, (email: string) => [path: string, body: object]> = {
    'sign-in': (email) => ['/auth/login', { email, password: 'not the password' }],
    'another code': (email) => ['/auth/resend-otp', { email }],
    'forgotten password': (email) => ['/auth/forgot-password', { email }],
    'a wrong code': (email) => ['/auth/verify-otp', { email, otp: '123456' }],
    'a wrong code for a password': (email) => [
      '/auth/reset-password',
      { email, otp: '123456', newPassword: PASSWORD },
    ],
  };
  for (const [name, make] of Object.entries(calls)) {
    const answers = await Promise.all(
      Object.values(ADDRESSES).map(async (address) => {
        const email = await address();
        const { status, body, headers } = await call(url, 'POST', ...make(email));
        const names = [...headers.keys()].toSorted();
        return JSON.stringify([status, body, names]).replaceAll(email, 'ADDRESS');
      }),
    );
    assert.equal(new Set(answers).size, 1, `${name}: ${answers.join('\n')}`);
  }
  const signUps = await Promise.all(
    [ADDRESSES.known, ADDRESSES.unknown, ADDRESSES.disabled].map(async (address) => {
      const { timeZone, ...input } = signUpInput({ email: await address() });
      const { status, body } = await call(url, 'POST', '/auth/signup', input);
      return JSON.stringify([status, body]).replaceAll(input.email, 'ADDRESS');
    }),
  );
  assert.equal(new Set(signUps).size, 1, signUps.join('\n'));
});
