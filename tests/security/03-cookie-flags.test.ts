import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createCookie } from 'react-router';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

const APP_URL = 'https://tidepost.example';
const NAME = '__Host-tidepost';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { APP_URL } }));
});

/** A session as old as this, in a cookie. */
async function cookieOf(actor: Actor, hoursOld = 0): Promise<string> {
  const at = new Date(Date.now() - hoursOld * 3_600_000);
  const { token } = await createSession(database.db, actor.userId, 'web', 'test', at);
  return (await createCookie(NAME).serialize(token)).split(';')[0]!;
}

async function send(path: string, cookie: string, fields?: Record<string, string>) {
  const headers = { Cookie: cookie, Origin: APP_URL, Host: 'tidepost.example' };
  const form = fields && { method: 'POST', body: new URLSearchParams(fields) };
  const answer = await fetch(url + path, { headers, redirect: 'manual', ...form });
  await answer.arrayBuffer();
  const kept = answer.headers.get('Cache-Control');
  return { status: answer.status, cookies: answer.headers.getSetCookie(), kept };
}

function checkLine(line: string, path: string): void {
  const [pair, ...flags] = line.split('; ');
  // The colours that a reader chose are no secret, and nothing is decided by them.
  assert.match(pair!, /^(?:__Host-[\w-]+(?::[\w-]+)?|theme)=/, path);
  for (const flag of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
    assert.ok(flags.includes(flag), `${path}: ${line}`);
  assert.ok(!flags.some((flag) => /^domain/i.test(flag)), path);
}

test('3 every cookie is of this host alone, for https alone, out of reach of scripts and of other sites', async () => {
  const user = await makeUser(database.db);
  const seen = new Set<string>();
  const note = ({ cookies, kept }: Awaited<ReturnType<typeof send>>, path: string) => {
    if (cookies.length > 0) assert.equal(kept, 'no-store', `${path} is given to nobody else`);
    for (const line of cookies) {
      checkLine(line, path);
      seen.add(line.split('=')[0]!);
    }
  };
  for (const path of PAGE_PATHS) {
    note(await send(filled(path), await cookieOf(user, 1)), path);
    if (path !== '/logout') note(await send(filled(path), await cookieOf(user, 1), {}), path);
    note(await send(filled(path), '', {}), path);
  }
  const { email } = signUpInput();
  const signUp = { name: 'Ada', email, password: PASSWORD, confirmPassword: PASSWORD, timeZone: 'UTC' };
  note(await send('/signup', '', signUp), '/signup');
  note(await send('/login', '', { email: user.email, password: PASSWORD }), '/login');
  note(await send('/logout', await cookieOf(user), {}), '/logout');
  note(await send('/theme', await cookieOf(user), { theme: 'dark' }), '/theme');
  for (const name of [NAME, '__Host-notices', '__Host-sign-up'])
    assert.ok(
      [...seen].some((one) => one === name || one.startsWith(`${name}-`)),
      name,
    );
});

test('3 cookies of a neighbouring host, which carry no prefix, take no notice away', async () => {
  const session = await cookieOf(await makeUser(database.db));
  const form = { type: 'bug', title: 'Hours', description: 'They are quiet.' };
  const { cookies } = await send('/app/feedback?dialog=feedback', session, form);
  const told = cookies.find((line) => line.startsWith('__Host-notices'))!.split(';')[0]!;
  const theirs = Array.from({ length: 20 }, (_, nth) => `notices${nth}=a`);
  const headers = {
    Cookie: [session, ...theirs, told.replace('__Host-', '').replace(/=.*/, '=a'), told].join('; '),
  };
  const page = await fetch(`${url}/app/feedback`, { headers: { ...headers, Host: 'tidepost.example' } });
  assert.match(await page.text(), /Thank you for your feedback/);
  assert.deepEqual(
    page.headers.getSetCookie().map((line) => line.split('=')[0]),
    [told.split('=')[0]],
  );
});

test('3 the cookie of a session that was moved is sent again, beside any other cookie, and lasts no longer than it', async () => {
  const user = await makeUser(database.db);
  const ours = (cookies: string[]) => cookies.filter((line) => line.startsWith(`${NAME}=`));
  assert.deepEqual(ours((await send('/app/topics', await cookieOf(user))).cookies), [], 'a fresh one is not');
  const [page] = ours((await send('/app/topics', await cookieOf(user, 1))).cookies);
  const days = (line = '') => Number(/Max-Age=(\d+)/.exec(line)?.[1]) / 86_400;
  assert.ok(days(page) > 29.9 && days(page) <= 30, String(page));
  const form = await send('/app/runs/00000000-0000-4000-8000-000000000000/stop', await cookieOf(user, 1), {});
  assert.equal(ours(form.cookies).length, 1);
  assert.ok(
    form.cookies.some((line) => line.startsWith('__Host-notices-')),
    'together with another cookie',
  );

  const old = await cookieOf(user, 29 * 24);
  const moved = new Date(Date.now() - 80 * 86_400_000);
  const last = await database.db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', user.userId)
    .orderBy('createdAt')
    .executeTakeFirstOrThrow();
  await database.db.updateTable('sessions').set({ createdAt: moved }).where('id', '=', last.id).execute();
  const [line] = ours((await send('/app/topics', old)).cookies);
  assert.ok(days(line) > 9.9 && days(line) <= 10, String(line));
});
