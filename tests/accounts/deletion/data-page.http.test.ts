import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { findDeletion } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, call, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
const PAGE = '/app/account/data';
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

const leaving = async (actor: Actor) => (await findDeletion(db, actor.userId)) !== undefined;
const linkOf = async (mails: Db, actor: Actor) => {
  const [mail] = await mailsTo(mails, actor.email, 'deletionBegun');
  const { pathname, search } = new URL(mail!.url);
  return pathname + search;
};

test('the page says what goes and what stays, and deletes nothing without the password', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, origin);
  const page = wordsOf(mainOf(await browser.read(PAGE)));
  assert.match(page, /What goes Your posts here.*What stays Posts that are on LinkedIn/);
  assert.match(page, /deleted in 7 days/);
  assert.match(
    wordsOf(await browser.read(`${PAGE}?dialog=delete`)),
    /We mail you a link with which you can keep the account for 7 days\. Then everything in it is deleted/,
  );
  for (const [fields, sentence] of [
    [{}, 'Please enter your password'],
    [{ password: 'wrong horse' }, 'This is not your password'],
    [{ password: 'x'.repeat(200) }, 'This is not your password'],
    [{ otp: '123456' }, 'Please enter your password'],
  ] as const) {
    const answer = await browser.post(`${PAGE}?dialog=delete`, fields);
    assert.ok([403, 422].includes(answer.status), `${answer.status}`);
    const html = await answer.text();
    assert.ok(html.includes(sentence) && html.includes('Delete your account?'), sentence);
    assert.ok(!html.includes('wrong horse'));
  }
  assert.equal(await leaving(actor), false);
});

test('what ends the tokens of programs says so before it does', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, origin);
  for (const path of [PAGE, `${PAGE}?dialog=delete`, '/app/account', '/app/account?form=email']) {
    const page = wordsOf(await browser.read(path));
    assert.match(page, /API tokens are revoked|revokes your API tokens/, path);
  }
  const { secret } = await createToken(db, await inSession(db, actor), { name: 'CI', scope: 'read' });
  await browser.post(`${PAGE}?dialog=delete`, { password: PASSWORD });
  assert.equal((await call(origin, 'GET', '/auth/me', undefined, secret)).status, 401);
  await browser.post(`${PAGE}/keep`);
  assert.match(wordsOf(await browser.read(PAGE)), /Your account stays\. .*programs need new API tokens/);
});

test('with the password it waits, is said on every page, and is undone with a button', async () => {
  const actor = await makeUser(db);
  const [browser, other] = [await browserOf(db, actor, origin), await browserOf(db, actor, origin)];
  const answer = await browser.post(`${PAGE}?dialog=delete`, { password: PASSWORD });
  assert.equal(answer.headers.get('Location'), PAGE);
  assert.match(wordsOf(await browser.read(PAGE)), /Your account will be deleted on .*Keep my account/);
  assert.match(wordsOf(await browser.read('/app/topics')), /Your account will be deleted on .* Undo/);
  assert.equal((await other.get('/app/topics')).headers.get('Location'), '/login');
  assert.equal(await leaving(actor), true);
  const twice = await browser.post(`${PAGE}?dialog=delete`, { password: PASSWORD });
  assert.equal(twice.status, 409);
  await browser.post(`${PAGE}/keep`);
  assert.match(wordsOf(await browser.read('/app/topics')), /Your account stays/);
  assert.equal(await leaving(actor), false);
});

test('once its day has come, no page offers to undo what cannot be undone', async () => {
  const actor = await makeUser(db);
  await requestDeletion(db, actor, null);
  const browser = new Browser(origin);
  await browser.post('/login', { email: actor.email, password: PASSWORD });
  const past = new Date(Date.now() - 60_000);
  const erasing = { eraseAt: past, erasingAt: past };
  await db.updateTable('accountDeletions').set(erasing).where('userId', '=', actor.userId).execute();
  const page = wordsOf(await browser.read('/app/topics'));
  assert.match(page, /Your account is being deleted/);
  assert.doesNotMatch(page, /will be deleted on|Undo/);
});

test('the banner of an admin says it too', async () => {
  await makeUser(db, { isAdmin: true });
  const admin = await makeUser(db, { isAdmin: true });
  const browser = await browserOf(db, admin, origin);
  await browser.post(`${PAGE}?dialog=delete`, { password: PASSWORD });
  assert.match(wordsOf(await browser.read('/app/admin')), /Your account will be deleted on .* Undo/);
});

test('who has no password is mailed a code', async () => {
  const actor = await makeUser(db);
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', actor.userId).execute();
  const browser = await browserOf(db, actor, origin);
  const dialog = await browser.read(`${PAGE}?dialog=delete`);
  assert.match(dialog, /Mail me a code/);
  await browser.post(`${PAGE}/code`);
  const [mail] = await mailsTo(db, actor.email, 'proveOwner');
  assert.equal((await browser.post(`${PAGE}?dialog=delete`, { otp: '000000' })).status, 400);
  const answer = await browser.post(`${PAGE}?dialog=delete`, { otp: mail!.code });
  assert.equal(answer.status, 302);
  assert.equal(await leaving(actor), true);
});

test('the link in the mail undoes it for who is not signed in, by its button alone', async () => {
  const actor = await makeUser(db, { timeZone: 'Pacific/Auckland' });
  await requestDeletion(db, actor, null);
  const path = await linkOf(db, actor);
  const browser = new Browser(origin);
  const looked = await browser.get(path);
  assert.equal(looked.headers.get('Referrer-Policy'), 'same-origin');
  const [told] = await mailsTo(db, actor.email, 'deletionBegun');
  const page = wordsOf(await looked.text());
  assert.match(page, /Keep your account\?/);
  assert.ok(page.includes(`It will be deleted on ${told!.at}.`), 'as the mail says it');
  assert.equal((await browser.head(path)).status, 200);
  assert.equal(await leaving(actor), true, 'looking changes nothing');
  const evil = await fetch(new URL(path, origin), {
    method: 'POST',
    headers: { Origin: 'https://evil.example' },
  });
  assert.ok(evil.status >= 400 && evil.status < 500, `${evil.status}`);
  assert.equal(await leaving(actor), true);
  const answer = await browser.post(path);
  assert.equal(await leaving(actor), false);
  assert.match(wordsOf(await browser.read(answer.headers.get('Location')!)), /Your account stays.*Sign in/);
  const again = await browser.get(path);
  assert.equal(again.status, 404);
  assert.match(wordsOf(await again.text()), /There is nothing to undo here/);
  assert.equal((await browser.get('/keep-account')).status, 404);
});

test('everything is downloaded as one JSON file', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, origin);
  const answer = await browser.get('/app/account/export.json');
  assert.equal(answer.headers.get('Content-Disposition'), 'attachment; filename="tidepost-account.json"');
  assert.match(answer.headers.get('Content-Type')!, /^application\/json/);
  assert.equal(answer.headers.get('Content-Encoding'), null);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store, no-transform');
  const file = (await answer.json()) as { account: { email: string } };
  assert.equal(file.account.email, actor.email);
  assert.equal((await browser.get('/app/account/export.json.data')).status, 404);
  for (let time = 0; time < 9; time += 1) await (await browser.get('/app/account/export.json')).text();
  const refused = await browser.get('/app/account/export.json');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('Refresh'), `0; url=${PAGE}`);
  const visitor = await new Browser(origin).get('/app/account/export.json');
  assert.equal(visitor.headers.get('Location'), '/login');
});

test('whoever finds a screen open is asked for the password before the file', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, origin);
  const reauthenticatedAt = new Date(Date.now() - 16 * 60_000);
  await db.updateTable('sessions').set({ reauthenticatedAt }).where('userId', '=', actor.userId).execute();
  const file = '/app/account/export.json';
  const refused = await browser.get(file);
  assert.equal(refused.headers.get('Location'), `${PAGE}#export`);
  const page = await browser.read(PAGE);
  assert.match(wordsOf(page), /Prove first that it is you/);
  assert.ok(!page.includes(`href="${file}"`));
  const allow = '/app/account/data/export';
  assert.ok(page.includes(`action="${allow}"`));
  assert.equal((await browser.post(allow)).headers.get('Location'), '/app/confirm');
  const guessed = await browser.post(allow, { 'proof-password': 'a guess' });
  assert.equal(guessed.headers.get('Location'), '/app/confirm');
  assert.equal((await browser.get(file)).status, 302);
  const proved = await browser.post(allow, { 'proof-password': PASSWORD });
  assert.equal(proved.headers.get('Location'), `${PAGE}#export`);
  assert.ok((await browser.read(PAGE)).includes(`href="${file}"`));
  assert.equal((await browser.get(file)).status, 200);
});

test('a program downloads the same, and deletes the account with a proof in the body alone', async () => {
  const actor = await makeUser(db);
  const token = await tokenOf(db, actor);
  const file = await call(origin, 'GET', '/account/export', undefined, token);
  assert.equal((file.body as { account: { email: string } }).account.email, actor.email);
  assert.equal((await call(origin, 'GET', '/account/export')).status, 401);

  const remove = (body?: object, query = '') => call(origin, 'DELETE', `/account${query}`, body, token);
  const missing = await remove();
  assert.equal(missing.status, 422);
  assert.deepEqual(missing.body, {
    message: 'Please enter your password',
    code: 'invalid',
    fields: { password: ['Please enter your password'] },
  });
  assert.equal((await remove(undefined, `?password=${encodeURIComponent(PASSWORD)}`)).status, 422);
  assert.equal((await remove({ password: 'wrong horse' })).status, 403);
  assert.equal((await remove({ password: 7 })).status, 422);
  assert.equal(await leaving(actor), false);
  const { status, body } = await remove({ password: PASSWORD });
  assert.equal(status, 200);
  const { deletesAt } = body as { deletesAt: string };
  assert.ok(Math.abs(Date.parse(deletesAt) - Date.now() - 7 * 86_400_000) < 60_000);
  assert.equal((await remove({ password: PASSWORD })).status, 401, 'its token is over');
});

test('a program of who has no password is told to send the code that was mailed', async () => {
  const actor = await makeUser(db);
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', actor.userId).execute();
  const token = await tokenOf(db, actor);
  const asked = await call(origin, 'DELETE', '/account', undefined, token);
  assert.equal(asked.status, 422);
  assert.match((asked.body as { message: string }).message, /A code was mailed to you/);
  const [mail] = await mailsTo(db, actor.email, 'proveOwner');
  assert.equal((await call(origin, 'DELETE', '/account', { otp: mail!.code }, token)).status, 200);
  assert.equal(await leaving(actor), true);
});

test('the last admin is told why their account stays', async () => {
  await db.updateTable('users').set({ role: 'user' }).where('role', '=', 'admin').execute();
  const browser = await browserOf(db, await makeUser(db, { isAdmin: true }), origin);
  const answer = await browser.post(`${PAGE}?dialog=delete`, { password: PASSWORD });
  assert.equal(answer.status, 409);
  assert.match(await answer.text(), /You are the only administrator\. Make somebody else one/);
});

test('an admin sees that the account of a payment that waits is being deleted, and decides it as always', async () => {
  const [payer, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const { id } = await makePayment(db, payer, 1);
  const browser = await browserOf(db, admin, origin);
  assert.doesNotMatch(await browser.read('/app/admin?tab=payments'), /This account is being deleted/);
  await requestDeletion(db, payer, null);
  assert.match(await browser.read('/app/admin?tab=payments'), /This account is being deleted/);
  await browser.post(`/app/admin/payments/${id}/verify`);
  assert.match(await browser.read('/app/admin'), /Payment verified and subscription activated!/);
});
