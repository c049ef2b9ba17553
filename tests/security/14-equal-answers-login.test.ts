import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '#app/domain/accounts/password/password.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { startSignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { aMinuteLater, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { assertAlike, CALLS, costOf, costsOf } from '#tests/harness/timing.ts';

const { db } = await testDatabase();
const refused = { status: 401, code: 'invalid_credentials', message: 'Invalid email or password' };
/** Half a minute of hashing on an idle machine. */
const LONG = { timeout: 600_000 };

/** An address with sign-ups that wait for their code, whose password nobody asks about. */
async function pending(attempts: number): Promise<string> {
  const { email } = signUpInput();
  for (let nth = 0; nth < attempts; nth += 1) {
    await startSignUp(db, signUpInput({ email, password: `a password of its own ${nth}` }));
    await aMinuteLater(db, email);
  }
  return email;
}

test(
  `14 over ${CALLS} sign-ins each, a known, a pending, an unknown and a disabled address are refused after the same time`,
  LONG,
  async (t) => {
    const { email: known } = await makeUser(db);
    await startSignUp(db, signUpInput({ email: known, password: 'a password of a stranger' }));
    const { userId, email: disabled } = await makeUser(db);
    const stopped = { userId, reason: 'Spam', disabledAt: new Date() };
    await db.insertInto('disabledAccounts').values(stopped).execute();
    const addresses = { known, pending: await pending(3), unknown: '', disabled };
    const kinds = Object.entries(addresses).map(([name, address]) => {
      const prepare = async () => {
        const email = address || signUpInput().email;
        return () => assert.rejects(checkLogin(db, { email, password: 'not the password' }), refused);
      };
      return [name, prepare] as const;
    });
    await costsOf(Object.fromEntries(kinds), 3);
    const costs = await costsOf(Object.fromEntries(kinds), CALLS);
    const hash = await costOf(() => hashPassword(PASSWORD));
    t.diagnostic(`${assertAlike(costs, { most: hash / 4, ranks: 0.3 })}; a hash ${hash.toFixed(0)} ms`);
  },
);

test('14 the right password of any waiting sign-up is known, however many there are', async () => {
  const email = await pending(4);
  for (let nth = 0; nth < 4; nth += 1) {
    const login = await checkLogin(db, { email, password: `a password of its own ${nth}` });
    assert.equal(login.isVerified, false);
  }
});
