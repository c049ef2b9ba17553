import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { transact } from '#app/db/client.ts';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import { SESSIONS_MAX } from '#app/domain/accounts/limits.ts';
import { endSessionsFor } from '#app/domain/accounts/sign-in/session-list.ts';
import { createSession, endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { resetTwoStep } from '#app/domain/accounts/two-step/two-step.ts';
import { setRole } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type EmittedEvent, watchEvents } from '#app/domain/platform/events.ts';
import { sendWebhooks } from '#app/domain/webhooks/deliver.ts';
import { RETRY_MINUTES } from '#app/domain/webhooks/limits.ts';
import { sendEvents } from '#app/domain/webhooks/send-events.ts';
import { codeFor, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { agree, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
import { TestPasskey } from '#tests/fixtures/passkeys.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { appCode, makeApp } from '#tests/fixtures/two-step.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call, mainOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { textOf } from '#tests/project/architecture-imports.ts';

type Line = EmittedEvent & Record<string, unknown>;
type Expected = [event: string, about: Record<string, unknown>];

await startOutside();
let database: TestDatabase;
let web: Web;

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } });
});

const NEW = 'another horse battery';
const SECURITY = '/app/account/security';
/** What no log may have. */
const secrets = new Set([PASSWORD, NEW]);
/** Each event that was seen, with each of its words: `session_ended why=reset`. */
const seen = new Set<string>();

const isAbout = (line: Line, [event, about]: Expected) =>
  line.event === event && Object.entries(about).every(([name, value]) => line[name] === value);

/** Each is there once, and nothing else is; what is checked is remembered as seen. */
function compare(lines: Line[], expected: Expected[]): void {
  for (const one of expected) {
    const found = lines.filter((line) => isAbout(line, one));
    assert.equal(found.length, 1, `${JSON.stringify(one)} once in ${JSON.stringify(lines)}`);
  }
  const others = lines.filter((line) => !expected.some((one) => isAbout(line, one)));
  assert.deepEqual(others, []);
  for (const line of lines) {
    seen.add(line.event);
    for (const [name, value] of Object.entries(line)) seen.add(`${line.event} ${name}=${value}`);
  }
}

/** What the web process logs as events while it answers one request; those before it may still write to the log. */
async function logs(
  expected: Expected[],
  send: () => Promise<Response | { headers: Headers }>,
): Promise<void> {
  const answer = await send();
  if (answer instanceof Response && !answer.bodyUsed) await answer.arrayBuffer();
  const id = answer.headers.get('X-Request-Id')!;
  const lines = () =>
    web
      .said()
      .split('\n')
      .filter((line) => line.includes(id));
  while (!lines().some((line) => /"msg":"request(?: refused)?"/.test(line))) await nextTurn();
  const told = lines().flatMap((line) => (line.includes('"msg":"event"') ? [JSON.parse(line)] : []));
  for (const { requestId } of told) assert.match(requestId, /^[\da-f-]{36}$/);
  compare(told, expected);
}

/** What is told in this process, as in that of the worker or of a command. */
async function tells(expected: Expected[], act: () => Promise<unknown>): Promise<void> {
  const lines: Line[] = [];
  const stop = watchEvents((event) => lines.push(event as Line));
  await act().finally(stop);
  compare(lines, expected);
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
const idOf = async (email: string) =>
  (await database.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow())
    .id;

async function code(email: string, kind: Parameters<typeof codeFor>[2]) {
  const mailed = await codeFor(database.db, email, kind);
  secrets.add(mailed);
  return mailed;
}

async function signedIn(options = {}) {
  const actor = await makeUser(database.db, options);
  return { actor, userId: actor.userId, browser: await browserOf(database.db, actor, web.url) };
}

/** Somebody who is signed in elsewhere, too. */
async function twiceSignedIn() {
  const one = await signedIn();
  await tokenOf(database.db, one.actor);
  return one;
}

test('59 signing up, in and out', async () => {
  const browser = new Browser(web.url);
  const { name, email } = signUpInput();
  const form = { name, email, password: PASSWORD, confirmPassword: PASSWORD, timeZone: 'UTC' };
  await logs([['code_sent', { purpose: 'sign_up', userId: null }]], () => browser.post('/signup', form));
  const otp = await code(email, 'verifyEmail');
  await logs([['sign_in_failed', { reason: 'code' }]], () => browser.post('/verify-otp', boxes(wrong(otp))));
  await logs([['sign_in_failed', { reason: 'unverified' }]], () =>
    call(web.url, 'POST', '/auth/login', { email, password: PASSWORD }),
  );
  await logs([['sign_in_failed', { reason: 'code' }]], () =>
    browser.post('/verify-email?token=none', { password: PASSWORD }),
  );
  await logs(
    [
      ['sign_up', {}],
      ['sign_in', { door: 'web' }],
    ],
    () => browser.post('/verify-otp', boxes(otp)),
  );
  const userId = await idOf(email);
  await logs([['session_ended', { why: 'sign_out', userId }]], () => browser.post('/logout'));
  const login = (password: string) => () => call(web.url, 'POST', '/auth/login', { email, password });
  await logs([['sign_in_failed', { reason: 'credentials', userId }]], login('not this one'));
  await logs([['sign_in', { door: 'api', userId }]], login(PASSWORD));
});

test('59 a password: forgotten, changed, asked for', async () => {
  const { db } = database;
  const { actor, userId, browser } = await twiceSignedIn();
  const { email } = actor;
  const form = { password: PASSWORD, newPassword: NEW, confirmPassword: NEW };
  const change = (fields: object) => () => browser.post('/app/account?form=password', { ...form, ...fields });
  await logs([['proof_failed', { means: 'password', userId }]], change({ password: 'not this one' }));
  await logs(
    [
      ['proved', { means: 'password', userId }],
      ['password_changed', { userId }],
      ['session_ended', { why: 'password', userId }],
    ],
    change({}),
  );
  const forgotten = new Browser(web.url);
  await logs([['code_sent', { purpose: 'reset', userId }]], () =>
    forgotten.post('/forgot-password', { email }),
  );
  const otp = await code(email, 'resetPassword');
  const reset = (digits: string) => () =>
    forgotten.post('/reset-password', { otp: digits, newPassword: PASSWORD, confirmPassword: PASSWORD });
  await logs([['sign_in_failed', { reason: 'code' }]], reset(wrong(otp)));
  await logs(
    [
      ['password_reset', { userId }],
      ['session_ended', { why: 'reset', userId }],
    ],
    reset(otp),
  );

  const none = await signedIn();
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', none.userId).execute();
  const token = await tokenOf(db, none.actor);
  const used: Expected = ['token_used', { userId: none.userId }];
  const asked = (path: string, body: object) => () => call(web.url, 'POST', path, body, token);
  await logs(
    [used, ['code_sent', { purpose: 'proof', userId: none.userId }]],
    asked('/account/confirm/code', {}),
  );
  const proof = await code(none.actor.email, 'proveOwner');
  await logs(
    [used, ['proof_failed', { means: 'code', userId: none.userId }]],
    asked('/account/confirm', { otp: wrong(proof) }),
  );
  await logs(
    [used, ['proved', { means: 'code', userId: none.userId }]],
    asked('/account/confirm', { otp: proof }),
  );
});

test('59 a program is told what happens, gets another secret, is told no more, and is gone', async () => {
  const { actor, userId } = await signedIn();
  const token = await tokenOf(database.db, actor);
  const used: Expected = ['token_used', { userId }];
  await logs([used, ['proved', { means: 'password', userId }]], () =>
    call(web.url, 'POST', '/account/confirm', { password: PASSWORD }, token),
  );
  const endpoint = { url: 'https://hooks.example.com/', events: ['post.failed'] };
  const made = await call(web.url, 'POST', '/webhooks', endpoint, token);
  const { secret, webhook } = made.body;
  secrets.add(secret);
  await logs([used, ['webhook_changed', { change: 'added', userId }]], async () => made);
  const asked =
    (method: string, path = '') =>
    () =>
      call(web.url, method, `/webhooks/${webhook._id}${path}`, method === 'POST' ? {} : undefined, token);
  await logs([used, ['webhook_changed', { change: 'secret', userId }]], asked('POST', '/secret'));
  const event = { userId, data: {} };
  await transact(database.db, (trx) => sendEvents(trx, 'post.failed', [event]));
  const long = { attempts: RETRY_MINUTES.length };
  const [delivery] = await database.db.updateTable('webhookDeliveries').set(long).returning('id').execute();
  const ago = new Date(Date.now() - 4 * 86_400_000);
  await database.db.updateTable('webhookEndpoints').set({ failingSince: ago }).execute();
  const nobody = {
    lookup: (_: string, done: (error: Error, found: []) => void) => done(new Error('none'), []),
  };
  await tells([['webhook_changed', { change: 'disabled', userId }]], () =>
    sendWebhooks(database.db, delivery!.id, { rules: nobody }),
  );
  await logs([used, ['webhook_changed', { change: 'enabled', userId }]], asked('POST', '/enable'));
  await logs([used, ['webhook_changed', { change: 'removed', userId }]], asked('DELETE'));
});

test('59 another address', async () => {
  const { userId, browser } = await twiceSignedIn();
  const { email } = signUpInput();
  await logs(
    [
      ['proved', { means: 'password', userId }],
      ['code_sent', { purpose: 'email', userId }],
    ],
    () => browser.post('/app/account?form=email', { email, password: PASSWORD }),
  );
  const otp = await code(email, 'confirmNewEmail');
  const enter = (digits: string) => () => browser.post('/app/account?form=code', boxes(digits));
  await logs([['proof_failed', { means: 'code', userId }]], enter(wrong(otp)));
  await logs(
    [
      ['email_changed', { userId }],
      ['session_ended', { why: 'email', userId }],
    ],
    enter(otp),
  );
});

test('59 sessions that are ended, by whom ever', async () => {
  const { db } = database;
  const { actor, userId, browser } = await signedIn();
  await browserOf(db, actor, web.url);
  const page = await browser.read(SECURITY);
  const [, other] = /sessions\/([\w-]{36})\/end/.exec(page)!;
  await logs([['session_ended', { why: 'owner', userId }]], () =>
    browser.post(`/app/account/sessions/${other}/end`),
  );
  await browserOf(db, actor, web.url);
  await logs([['session_ended', { why: 'everywhere', userId }]], () =>
    browser.post('/app/account/sessions/end-others'),
  );
  const admin = await makeUser(db, { isAdmin: true });
  await tells(
    [
      ['session_ended', { why: 'admin', userId }],
      ['admin_action', { action: 'sessions.ended', userId: admin.userId, subjectId: userId }],
    ],
    () => endSessionsFor(db, admin, userId),
  );
  await tells([], () => endSessionsOf(db, userId, 'role'));
  await tokenOf(db, actor);
  await tells(
    [
      ['role_changed', { role: 'admin', userId }],
      ['session_ended', { why: 'role', userId }],
    ],
    () => setRole(db, actor.email, 'admin'),
  );
  await createSession(db, userId, 'web', '', new Date(Date.now() - 31 * 86_400_000));
  await tells([['session_ended', { why: 'expired', userId }]], () => cleanUp(db));
  await Promise.all(Array.from({ length: SESSIONS_MAX }, () => createSession(db, userId, 'web', '')));
  await tells([['session_ended', { why: 'too_many', userId }]], () => createSession(db, userId, 'web', ''));
});

test('59 tokens, from the first to the last', async () => {
  const { userId, browser } = await signedIn();
  let secret = '';
  await logs([['token_made', { userId }]], async () => {
    const made = await browser.post('/app/account/tokens', { name: 'CI', scope: 'read', days: '' });
    secret = /tp_[\w-]{43}/.exec(await made.text())![0];
    return made;
  });
  secrets.add(secret);
  const used: Expected = ['token_used', { userId }];
  await logs([used], () => call(web.url, 'GET', '/topics', undefined, secret));
  await logs([used, ['access_denied', { what: 'scope', userId }]], () =>
    call(web.url, 'POST', '/topics', { name: 'Planning' }, secret),
  );
  const id = await tokenIdOf(userId);
  await logs([['token_revoked', { userId, tokenId: id }]], () =>
    browser.post(`/app/account/tokens/${id}/revoke`),
  );
});

async function tokenIdOf(userId: string): Promise<string> {
  const rows = database.db.selectFrom('sessions').select('id').where('userId', '=', userId);
  return (await rows.where('name', '=', 'CI').executeTakeFirstOrThrow()).id;
}

const halfSignedIn = async ({ email }: Actor) => {
  const browser = new Browser(web.url);
  await (await browser.post('/login', { email, password: PASSWORD })).text();
  return browser;
};

test('59 the app of the second step, and its recovery codes', async () => {
  const { db } = database;
  const { userId, browser } = await signedIn();
  await browser.post('/app/account/second-step/begin');
  const page = '/app/account/authenticator-app';
  const groups = /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(mainOf(await browser.read(page)))![0];
  secrets.add(groups.replaceAll(' ', ''));
  const proved: Expected = ['proved', { means: 'password', userId }];
  const fields = { code: appCode(groups, new Date()), password: PASSWORD };
  await logs([proved, ['second_step_changed', { change: 'added', means: 'totp', userId }]], () =>
    browser.post(page, fields),
  );
  await logs([proved, ['second_step_changed', { change: 'added', means: 'recovery_code', userId }]], () =>
    browser.post('/app/account/recovery-codes', { password: PASSWORD }),
  );
  await logs([proved, ['second_step_changed', { change: 'removed', means: 'totp', userId }]], () =>
    browser.post('/app/account/remove-factor', { password: PASSWORD }),
  );

  const two = await makeUser(db);
  const { codeAt, recoveryCodes } = await makeApp(db, two);
  for (const each of recoveryCodes) secrets.add(each);
  const enter = async (expected: Expected[], otp: string) => {
    const half = await halfSignedIn(two);
    await logs(expected, () => half.post('/login/second-step', { otp }));
  };
  await enter([['sign_in_failed', { reason: 'second_step', userId: two.userId }]], 'AAAA-AAAA-AAAA-AAAA');
  const entered: Expected = ['sign_in', { door: 'web', userId: two.userId }];
  await enter([['second_step', { means: 'totp', userId: two.userId }], entered], codeAt(new Date()));
  await enter([['second_step', { means: 'recovery_code', userId: two.userId }], entered], recoveryCodes[0]!);
  await tells(
    [
      ['second_step_changed', { change: 'removed', means: 'totp', userId: two.userId }],
      ['session_ended', { why: 'second_step', userId: two.userId }],
    ],
    () => resetTwoStep(db, two.email),
  );
});

test('59 passkeys', async () => {
  const { userId, browser } = await signedIn();
  const passkey = new TestPasskey(web.url);
  const [page, from] = ['/app/account/passkeys/new', '/app/account/passkeys/options'];
  const { options } = await (await browser.post(from, { name: 'Laptop', password: PASSWORD })).json();
  await logs([['second_step_changed', { change: 'added', means: 'passkey', userId }]], () =>
    browser.post(page, { name: 'Laptop', response: JSON.stringify(passkey.make(options)) }),
  );
  const send = async (expected: Expected[], said: object) => {
    const visitor = new Browser(web.url);
    const asked = await (await visitor.post('/login/passkey', { step: 'alone' })).json();
    const response = JSON.stringify(passkey.sign(asked.options, said));
    await logs(expected, () => visitor.post('/login/passkey', { step: 'alone', response }));
  };
  await send([['sign_in_failed', { reason: 'passkey', userId: null }]], { isVerified: false });
  const entered: Expected = ['sign_in', { door: 'web', userId }];
  await send([['second_step', { means: 'passkey', userId }], entered], {});
  const [, id] = /remove-factor\?passkey=([\w-]{36})/.exec(await browser.read(SECURITY))!;
  await logs(
    [
      ['proved', { means: 'password', userId }],
      ['second_step_changed', { change: 'removed', means: 'passkey', userId }],
    ],
    () => browser.post(`/app/account/remove-factor?passkey=${id}`, { password: PASSWORD }),
  );
});

test('59 providers', async () => {
  const stranger = new Browser(web.url);
  const email = `${randomUUID()}@people.example`;
  const back = await sentBack(stranger, 'google', { email });
  await logs(
    [
      ['sign_up', {}],
      ['identity_linked', { provider: 'google' }],
    ],
    () => stranger.get(back),
  );
  const denied = await sentBack(stranger, 'google', { email, decision: 'cancel' });
  await logs([['sign_in_failed', { reason: 'provider' }]], () => stranger.get(denied));
  const { userId, browser } = await signedIn();
  const link = async (provider: string) =>
    agree(locationOf(await browser.post(`${SECURITY}/link`, { provider })), {
      email: `${randomUUID()}@people.example`,
    });
  for (const provider of ['google', 'linkedin']) {
    const linked = await link(provider);
    await logs([['identity_linked', { provider, userId }]], () => browser.get(linked));
    await logs([['identity_unlinked', { provider, userId }]], () =>
      browser.post(`${SECURITY}/unlink`, { provider }),
    );
  }
  const begun = locationOf(await browser.post('/app/linkedin/connect'));
  const connected = await agree(begun, { email: `${randomUUID()}@members.example` });
  await logs([['linkedin_connected', { userId }]], () => browser.get(connected));
  await logs([['linkedin_disconnected', { userId }]], () => browser.post('/app/linkedin/disconnect'));
});

test('59 exports and the end of an account', async () => {
  const { db } = database;
  const { userId, browser } = await twiceSignedIn();
  await logs([['export', { what: 'account', userId }]], () => browser.get('/app/account/export.json'));
  await logs([['export', { what: 'posts', userId }]], () => browser.get('/app/posts.csv'));
  const admin = await makeUser(db, { isAdmin: true });
  const desk = await browserOf(db, admin, web.url);
  await logs([['export', { what: 'ledger', userId: admin.userId }]], () =>
    desk.get(`/app/admin/ledgers/${userId}/ledger.csv`),
  );
  const leave = () => browser.post('/app/account/data?dialog=delete', { password: PASSWORD });
  const left: Expected[] = [
    ['proved', { means: 'password', userId }],
    ['deletion_begun', { userId }],
  ];
  await logs([...left, ['session_ended', { why: 'leaving', userId }]], leave);
  await logs([['deletion_undone', { userId }]], () => browser.post('/app/account/data/keep'));
  await logs(left, leave);
  await tells(
    [
      ['session_ended', { why: 'leaving', userId }],
      ['deletion_done', { userId }],
    ],
    () => eraseDue(db, new Date(Date.now() + 8 * 86_400_000)),
  );
});

/** Told where posts go out and where reports come in, or proved in the other file of this statement. */
const ELSEWHERE = ['publish_outcome', 'csp_report', 'limit_hit', 'access_denied'];

test('59 every event that is declared of an account, and every word of it, was told; and no secret', () => {
  const source = textOf('app/domain/platform/events.ts');
  const words = (text: string) => [...text.matchAll(/'([a-z_]+)'/g)].map(([, word]) => word!);
  const ends = words(/export type SessionEnd =([\s\S]*?);/.exec(source)![1]!);
  const declared = [
    .../export type Events = \{([\s\S]*?)\n\};/.exec(source)![1]!.matchAll(/^ {2}(\w+): (.*);$/gm),
  ]
    .filter(([, event]) => !ELSEWHERE.includes(event!))
    .flatMap(([, event, about]) => [
      event!,
      ...[...about!.matchAll(/(\w+): ([^;}]+)/g)].flatMap(([, name, type]) =>
        (/SessionEnd/.test(type!) ? ends : /Door/.test(type!) ? ['web', 'api'] : words(type!)).map(
          (word) => `${event} ${name}=${word}`,
        ),
      ),
    ]);
  assert.ok(declared.length > 50, `${declared.length}`);
  assert.deepEqual(
    declared.filter((each) => !seen.has(each)),
    [],
  );
  for (const secret of secrets) assert.ok(!web.said().includes(secret), `${secret} is logged`);
  assert.doesNotMatch(web.said(), /@(?:example\.com|people\.example|members\.example)/);
});
