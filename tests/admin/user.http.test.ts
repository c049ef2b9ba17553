import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { makePublished } from '#tests/fixtures/published-posts.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call, mainOf, Browser as NewBrowser, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let admin: Actor;
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  admin = await makeUser(database.db, { isAdmin: true, name: 'Ines Okafor' });
});

const deskOf = () => browserOf(database.db, admin, url);
const pageOf = ({ userId }: Actor, query = '') => `/app/admin/users/${userId}${query}`;
const signIn = (email: string) => new NewBrowser(url).post('/login', { email, password: PASSWORD });

test('everything of an account stands in one place, and nothing that lets anybody in', async () => {
  const { db } = database;
  const person = await makeUser(db, { name: 'Wanda <b>Whole</b>', timeZone: 'Asia/Kolkata' });
  const { reference } = await makePlan(db, person, 3);
  await makeConnection(db, person);
  const accessTokenSealed = `k1.${crypto.randomUUID()}`;
  await db
    .updateTable('linkedinConnections')
    .set({ accessTokenSealed })
    .where('userId', '=', person.userId)
    .execute();
  await makeTopic(db, person, 'Quiet weeks');
  await makeScheduledPost(db, person, { content: 'What waits in the queue' });
  const out = await makePublished(db, person, { content: 'What went out' });
  await makeAttempt(db, person, out, {
    state: 'refused',
    finishedAt: new Date(),
    explanation: 'It was too long',
  });
  const said = {
    name: person.name,
    email: person.email,
    category: 'billing',
    subject: 'An invoice',
    message: 'Please',
  };
  await submitTicket(db, person, TicketInput.parse(said));
  const { secret } = await createToken(db, await inSession(db, person), { name: 'Robot', scope: 'read' });
  await browserOf(db, person, url);
  const desk = await deskOf();
  const html = await desk.read(pageOf(person));
  const page = wordsOf(mainOf(html));
  for (const what of [
    'Wanda &lt;b&gt;Whole&lt;/b&gt;',
    person.email,
    'Asia/Kolkata',
    'Premium, 3 posts a day',
    reference,
    'Quiet weeks Active',
    'What waits in the queue',
    'What went out',
    'Robot',
    'May read',
    'An invoice Open',
    'Connected',
    'Signs in with Password',
    'Automation',
    'It was too long.',
    'Writes at 08:00 (Asia/Kolkata)',
    'Publishes at 09:00, 14:00, 18:00 (Asia/Kolkata)',
  ])
    assert.ok(page.includes(what), `${what} in ${page}`);
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', person.userId)
    .executeTakeFirstOrThrow();
  const hashes = await db
    .selectFrom('sessions')
    .select('tokenHash')
    .where('userId', '=', person.userId)
    .execute();
  const data = await (await desk.get(`${pageOf(person)}.data`)).text();
  for (const hidden of [
    passwordHash!,
    secret,
    accessTokenSealed,
    ...hashes.map(({ tokenHash }) => tokenHash),
  ]) {
    assert.ok(hidden.length > 20);
    assert.ok(!html.includes(hidden) && !data.includes(hidden));
  }
  for (const nobody of ['x', '%00', '00000000-0000-4000-8000-000000000000'])
    assert.equal((await desk.get(`/app/admin/users/${nobody}`)).status, 404);
});

test('posts go on in pages', async () => {
  const { db } = database;
  const person = await makeUser(db);
  for (let nth = 0; nth < 11; nth += 1) await makePublished(db, person, { content: `Post ${nth}.` });
  const desk = await deskOf();
  const first = await desk.read(pageOf(person));
  assert.doesNotMatch(first, /Post 0\./);
  const next = /href="([^"]+cursor=[^"]+)"[^>]*>Earlier ones/.exec(first)![1]!.replaceAll('&amp;', '&');
  assert.match(await desk.read(next.split('#')[0]!), /Post 0\./);
  assert.equal((await desk.get(pageOf(person, '?cursor=x'))).status, 400);
});

test('an account is disabled with a reason, cannot sign in meanwhile, and is enabled again', async () => {
  const { db } = database;
  const person = await makeUser(db, { name: 'Dora Disabled' });
  const own = await browserOf(db, person, url);
  const token = await tokenOf(db, person);
  const desk = await deskOf();
  const dialog = pageOf(person, '?dialog=disable');
  assert.match(
    await desk.read(dialog),
    /Publishing for(?: |<!-- -->)*Dora Disabled(?: |<!-- -->)*stops at once/,
  );
  const empty = await desk.post(dialog, { reason: ' ' });
  assert.equal(empty.status, 422);
  assert.match(await empty.text(), /Please give a reason/);
  assert.equal((await own.get('/app/topics')).status, 200);

  const done = await desk.post(dialog, { reason: 'Sells <fake> followers' });
  assert.deepEqual([done.status, done.headers.get('Location')], [302, pageOf(person)]);
  const page = await desk.read(pageOf(person));
  assert.match(page, /Account disabled/);
  assert.match(wordsOf(mainOf(page)), /Disabled since .* Sells &lt;fake&gt; followers/);
  assert.equal((await own.get('/app/topics')).status, 302);
  assert.equal((await call(url, 'GET', '/auth/me', undefined, token)).status, 401);
  const refused = await signIn(person.email);
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /This account has been stopped/);
  const login = await call(url, 'POST', '/auth/login', { email: person.email, password: PASSWORD });
  assert.deepEqual([login.status, login.body.code], [403, 'account_disabled']);
  const wrong = await call(url, 'POST', '/auth/login', { email: person.email, password: 'a guess at it' });
  assert.equal(wrong.body.code, 'invalid_credentials', 'who does not know the password learns nothing');
  assert.match(wordsOf(mainOf(await desk.read('/app/admin?tab=users&show=disabled'))), /Dora Disabled/);
  assert.equal((await desk.post(dialog, { reason: 'Twice' })).status, 409);

  assert.equal((await desk.post(pageOf(person, '?dialog=enable'))).status, 302);
  assert.equal((await signIn(person.email)).status, 302);
  assert.equal((await desk.post(pageOf(person, '?dialog=enable'))).status, 409);
  const log = wordsOf(mainOf(await desk.read('/app/admin/audit')));
  assert.match(
    log,
    /Ines Okafor [^I]*Enabled an account .*?About Dora Disabled .*?It was disabled on .*?: “Sells &lt;fake&gt; followers”.*Disabled an account .*?It can do nothing until it is enabled again: “Sells &lt;fake&gt; followers”/,
  );
});

test('nobody disables their own account, and a dialog that is none changes nothing', async () => {
  const desk = await deskOf();
  assert.doesNotMatch(await desk.read(pageOf(admin, '?dialog=disable')), /<dialog/);
  assert.equal((await desk.post(pageOf(admin, '?dialog=disable'), { reason: 'Why not' })).status, 409);
  for (const odd of ['', '?dialog=x', '?dialog=toString', '?dialog=__proto__'])
    assert.equal((await desk.post(pageOf(admin, odd), { reason: 'x' })).status, 404, odd);
});

test('all sessions of somebody end by a button', async () => {
  const { db } = database;
  const person = await makeUser(db);
  const own = await browserOf(db, person, url);
  const desk = await deskOf();
  assert.match(await desk.read(pageOf(person, '?dialog=end-sessions')), /End all sessions\?/);
  assert.equal((await desk.post(pageOf(person, '?dialog=end-sessions'))).status, 302);
  assert.equal((await own.get('/app/topics')).status, 302);
  assert.match(wordsOf(mainOf(await desk.read(pageOf(person)))), /Nobody is signed in/);
  assert.match(wordsOf(mainOf(await desk.read('/app/admin/audit'))), /Signed somebody out everywhere/);
  assert.equal((await desk.post(pageOf(person, '?dialog=end-sessions'))).status, 302);
  const written = db.selectFrom('auditLog').select('action').where('subjectId', '=', person.userId);
  assert.deepEqual(
    await written.execute(),
    [{ action: 'sessions.ended' }],
    'a second press ends nothing more',
  );
  for (const nobody of ['x', '00000000-0000-4000-8000-000000000000'])
    assert.equal((await desk.post(`/app/admin/users/${nobody}?dialog=end-sessions`)).status, 404);
});

test('a plan is extended by days, with a reason, and what was typed comes back when it is wrong', async () => {
  const { db } = database;
  const person = await makeUser(db);
  const { id } = await makePlan(db, person, 1);
  const endOf = async () =>
    (await db.selectFrom('payments').select('endsAt').where('id', '=', id).executeTakeFirstOrThrow()).endsAt!;
  const before = await endOf();
  const desk = await deskOf();
  const dialog = pageOf(person, '?dialog=extend');
  const shown = async () => /name="endsAt" value="([^"]+)"/.exec(await desk.read(dialog))![1]!;
  const endsAt = await shown();
  const reason = 'We were <down>';
  const wrong = await desk.post(dialog, { endsAt, days: '400', reason });
  assert.equal(wrong.status, 422);
  const said = await wrong.text();
  assert.match(said, /1 to 90 days can be given/);
  assert.match(said, /We were &lt;down&gt;/);
  assert.equal((await desk.post(dialog, { days: '5', reason })).status, 422, 'without what was shown');
  assert.equal((await desk.post(dialog, { endsAt, days: '5', reason })).status, 302);
  assert.equal((await endOf()).getTime() - before.getTime(), 5 * 86_400_000);
  const again = await desk.post(dialog, { endsAt, days: '5', reason });
  assert.equal(again.status, 409);
  const answer = await again.text();
  assert.match(answer, /Nothing was changed now/);
  assert.match(answer, /We were &lt;down&gt;/);
  assert.equal(/name="endsAt" value="([^"]+)"/.exec(answer)![1], await shown(), 'the end as it is now');
  assert.equal((await endOf()).getTime() - before.getTime(), 5 * 86_400_000);
  const log = wordsOf(mainOf(await desk.read('/app/admin/audit')));
  assert.match(log, /Extended a plan .*?By 5 days, from .*? to .*?: “We were &lt;down&gt;”\./);
  const none = await makeUser(db);
  assert.doesNotMatch(await desk.read(pageOf(none, '?dialog=extend')), /<dialog/);
  assert.equal(
    (await desk.post(pageOf(none, '?dialog=extend'), { endsAt, days: '5', reason: 'x' })).status,
    409,
  );
});

test('who waits for a code is found by the whole address, and is mailed another one', async () => {
  const { db } = database;
  const input = signUpInput({ name: 'Waiting Wilma' });
  await startSignUp(db, input);
  const desk = await deskOf();
  const found = `/app/admin?${new URLSearchParams({ tab: 'users', q: input.email.toUpperCase() })}`;
  const page = await desk.read(found);
  assert.match(wordsOf(mainOf(page)), /Waiting Wilma has not verified .* yet/);
  assert.doesNotMatch(await desk.read(`/app/admin?tab=users&q=${input.email.slice(0, 20)}`), /not verified/);
  const resend = /action="(\/app\/admin\/sign-ups\/[^"]+)"/.exec(page)![1]!;
  const mails = async () => (await mailsTo(db, input.email, 'verifyEmail')).length;
  assert.equal((await desk.post(resend)).headers.get('Location'), '/app/admin?tab=users');
  assert.equal(await mails(), 1, 'not within a minute of the last one');
  await aMinuteLater(db, input.email);
  const done = await desk.post(resend);
  assert.match(done.headers.get('Location')!, /tab=users&q=/);
  assert.match(await desk.read(done.headers.get('Location')!), /A new code was mailed/);
  assert.equal(await mails(), 2);
  const log = await desk.read('/app/admin/audit');
  assert.match(log, /Sent a code of verification again/);
  assert.ok(!log.includes(input.email), 'the log outlives accounts');
  await verifySignUp(db, { email: input.email, otp: await codeFor(db, input.email) });
  assert.doesNotMatch(await desk.read(found), /not verified/);
  await desk.post(resend);
  assert.match(await desk.read('/app/admin?tab=users'), /This sign-up was not found/);
});
