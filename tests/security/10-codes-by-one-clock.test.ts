import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';
import { startReset } from '#app/domain/accounts/password/reset.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { ROOT } from '#scripts/run.ts';
import { codeFor, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db, url: databaseUrl } = await testDatabase();
const MINUTE_MS = 60_000;
const NEW = 'a new password entirely';
const SHIFTED = path.join(ROOT, 'tests/harness/worker/shifted-clock.ts');

/** When a session began that ends in so many minutes. */
const endsIn = (minutes: number) => new Date(Date.now() - 30 * 86_400_000 + minutes * MINUTE_MS);

/** A web process whose own clock is wrong; the database's is not. It is ready once it has compared them. */
async function wrongBy(minutes: number): Promise<Web> {
  const web = await startWeb({
    databaseUrl,
    env: { NODE_OPTIONS: `--import ${SHIFTED}`, CLOCK_SHIFT_MS: String(minutes * MINUTE_MS) },
  });
  const user = await makeUser(db);
  const { token: open } = await createSession(db, user.userId, 'api', 'test', endsIn(12));
  const { token: over } = await createSession(db, user.userId, 'api', 'test', endsIn(-12));
  await until('it knows what time it is', async () => {
    const [one, other] = await Promise.all(
      [open, over].map((token) => call(web.url, 'GET', '/auth/me', undefined, token)),
    );
    return one!.status === 200 && other!.status === 401;
  });
  return web;
}

let webs: Web[];
before(async () => {
  webs = await Promise.all([wrongBy(25), wrongBy(-25)]);
});
const isNear = (at: Date | null | undefined, minutes: number) =>
  Math.abs(at!.getTime() - Date.now() - minutes * MINUTE_MS) < MINUTE_MS;

test('10 a code of a process with the right clock is good at one whose clock is wrong, and the other way round', async () => {
  for (const { url } of webs) {
    const { email } = await makeUser(db);
    await startReset(db, email);
    const given = { email, otp: await codeFor(db, email, 'resetPassword'), newPassword: NEW };
    assert.equal((await call(url, 'POST', '/auth/reset-password', given)).status, 200);

    const other = await makeUser(db);
    assert.equal((await call(url, 'POST', '/auth/forgot-password', { email: other.email })).status, 200);
    const kept = db.selectFrom('passwordResets').select('codeExpiresAt').where('email', '=', other.email);
    assert.ok(isNear((await kept.executeTakeFirstOrThrow()).codeExpiresAt, 10), 'ten minutes, not more');
    await assert.rejects(startReset(db, other.email), { status: 429 });
  }
});

test('05 a session ends at the same moment whichever process is asked', async () => {
  for (const { url } of webs) {
    const { userId, email } = await makeUser(db);
    const { token } = await createSession(db, userId, 'api', 'test', endsIn(12));
    assert.equal((await call(url, 'GET', '/auth/me', undefined, token)).status, 200, 'in twelve minutes');
    const { token: dead } = await createSession(db, userId, 'api', 'test', endsIn(-12));
    assert.equal((await call(url, 'GET', '/auth/me', undefined, dead)).status, 401, 'twelve minutes ago');

    const browser = new Browser(url);
    const answer = await browser.post('/login', { email, password: PASSWORD });
    const line = answer.headers.getSetCookie().find((each) => each.startsWith('tidepost='))!;
    const seconds = Number(/Max-Age=(\d+)/.exec(line)![1]);
    assert.ok(Math.abs(seconds - 30 * 86_400) < 60, `${seconds}`);
  }
});
