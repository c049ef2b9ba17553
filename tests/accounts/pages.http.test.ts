import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { mailUser } from '#app/domain/accounts/users.ts';
import { listOptOuts } from '#app/domain/email/choices.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, boxes, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGES = ['', '/security', '/tokens', '/emails', '/data'].map((page) => `/app/account${page}`);
const ACCOUNT = '/app/account';
const NEW = 'quite another password';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function somebody(options: Parameters<typeof makeUser>[1] = {}) {
  const actor = await makeUser(database.db, options);
  return { actor, browser: await browserOf(database.db, actor, url) };
}

const rowOf = ({ userId }: Actor) =>
  database.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
const read = async (browser: Browser, path = ACCOUNT) => wordsOf(mainOf(await browser.read(path)));
const post = (browser: Browser, form: string, fields: Record<string, string> = {}) =>
  browser.post(`${ACCOUNT}?form=${form}`, fields);
const newAddress = () => `${crypto.randomUUID()}@example.com`;

test('each page of the account leads to the others and says where its reader is; the sidebar leads there', async () => {
  for (const isAdmin of [false, true]) {
    const { browser } = await somebody({ isAdmin });
    const home = await browser.read(isAdmin ? '/app/admin' : '/app/topics');
    assert.match(home, /<a class="side-who" href="\/app\/account"/);
    for (const path of PAGES) {
      const html = await browser.read(path);
      const nav = /<nav aria-label="Account"[\s\S]*?<\/nav>/.exec(html)![0];
      assert.deepEqual(
        [...nav.matchAll(/href="([^"]*)"/g)].map(([, to]) => to),
        PAGES,
      );
      const here = /<a[^>]*aria-current="page"[^>]*>/.exec(nav)![0];
      assert.ok(here.includes(`href="${path}"`), path);
      assert.equal(html.match(/<h1/g)?.length, 1);
    }
    assert.equal((await browser.read(ACCOUNT)).includes('href="/app/voice"'), !isAdmin);
  }
});

describe('the profile', () => {
  test('takes another name, and refuses none with what was typed kept', async () => {
    const { actor, browser } = await somebody();
    const saved = await post(browser, 'name', { name: ' Grace <b>Hopper</b> ' });
    assert.equal(saved.headers.get('Location'), `${ACCOUNT}#name`);
    const page = await browser.read(ACCOUNT);
    assert.match(page, /Your name is saved/);
    assert.ok(page.includes('Grace &lt;b&gt;Hopper&lt;/b&gt;'));
    for (const [name, why] of [
      [' ', /Please enter your name/],
      ['x'.repeat(101), /at most 100 characters/],
    ] as const) {
      const refused = await post(browser, 'name', { name });
      assert.equal(refused.status, 422);
      assert.match(await refused.text(), why);
    }
    assert.equal((await rowOf(actor)).name, 'Grace <b>Hopper</b>');
    const odd = await post(browser, 'constructor');
    assert.equal(odd.headers.get('Location'), ACCOUNT);
  });

  test('takes another time zone with all that follows from it', async () => {
    const { actor, browser } = await somebody();
    assert.ok(!(await browser.read(ACCOUNT)).includes('<optgroup'), 'the list comes when it is asked for');
    assert.ok((await browser.read(`${ACCOUNT}?form=zone`)).includes('<optgroup label="Asia">'));
    const refused = await post(browser, 'zone', { timeZone: 'Mars/Olympus' });
    assert.equal(refused.status, 422);
    await post(browser, 'zone', { timeZone: 'Asia/Tokyo' });
    assert.equal((await rowOf(actor)).timeZone, 'Asia/Tokyo');
    assert.match(await read(browser), /Asia\/Tokyo, where it is \d\d:\d\d/);

    const planned = await somebody();
    await makePlan(database.db, planned.actor, 1);
    const { publishTimes } = await saveSettings(database.db, planned.actor, { publishTimes: ['09:00'] });
    const day = Temporal.Now.plainDateISO('UTC').add({ days: 2 }).toString();
    const id = await makeScheduledPost(database.db, planned.actor, {
      dueAt: new Date(`${day}T${publishTimes[0]}:00Z`),
    });
    await post(planned.browser, 'zone', { timeZone: 'Asia/Tokyo' });
    const { dueAt } = await database.db
      .selectFrom('postSchedules')
      .select('dueAt')
      .where('postId', '=', id)
      .executeTakeFirstOrThrow();
    assert.match(dueAt!.toISOString(), /T00:00:00/, 'nine in Tokyo');
  });

  test('takes another password, beside whose fields stands what is wrong, and sends none back', async () => {
    const { actor, browser } = await somebody();
    const elsewhere = await browserOf(database.db, actor, url);
    const fields = { password: PASSWORD, newPassword: NEW, confirmPassword: NEW };
    const wrongs = [
      [{ ...fields, password: 'not this one' }, 403, /This is not your password/],
      [{ ...fields, password: '' }, 422, /Please enter your password/],
      [{ ...fields, confirmPassword: 'something else' }, 422, /Passwords do not match/],
      [{ ...fields, newPassword: '12345', confirmPassword: '12345' }, 422, /at least 6 characters/],
      [{ ...fields, newPassword: 'password1', confirmPassword: 'password1' }, 422, /most common/],
      [{ ...fields, newPassword: '', confirmPassword: '' }, 422, /Please enter both password fields/],
    ] as const;
    for (const [wrong, status, why] of wrongs) {
      const answer = await post(browser, 'password', wrong);
      const html = await answer.text();
      assert.equal(answer.status, status);
      assert.match(html, why);
      assert.match(html, /aria-invalid="true"/);
      for (const typed of [PASSWORD, NEW]) assert.ok(!html.includes(typed));
    }
    assert.equal((await elsewhere.get(ACCOUNT)).status, 200);
    const saved = await post(browser, 'password', fields);
    assert.equal(saved.headers.get('Location'), `${ACCOUNT}#password`);
    assert.match(await browser.read(ACCOUNT), /Your password is saved/);
    assert.equal((await elsewhere.get(ACCOUNT)).headers.get('Location'), '/login');
    assert.equal((await mailsTo(database.db, actor.email, 'passwordChanged')).length, 1);
  });

  test('lets who has no password set one, once a mailed code has proven them', async () => {
    const { actor, browser } = await somebody();
    await database.db
      .updateTable('users')
      .set({ passwordHash: null })
      .where('id', '=', actor.userId)
      .execute();
    assert.match(await read(browser), /Set a password/);
    assert.match(await browser.read(`${ACCOUNT}/security`), /href="\/app\/account\?form=password#password"/);
    const fields = { newPassword: NEW, confirmPassword: NEW };
    assert.match(await (await post(browser, 'password', fields)).text(), /Please enter the code/);
    const mailed = await post(browser, 'prove-password');
    assert.equal(mailed.headers.get('Location'), `${ACCOUNT}?form=password#password`);
    assert.match(await read(browser, `${ACCOUNT}?form=password`), /Another code from \d\d:\d\d/);
    const soon = await post(browser, 'prove-password');
    assert.equal(soon.headers.get('Location'), `${ACCOUNT}?form=password#password`);
    assert.match(await browser.read(`${ACCOUNT}?form=password`), /A code was sent a moment ago/);
    const otp = await codeFor(database.db, actor.email, 'proveOwner');
    await post(browser, 'password', { ...fields, otp });
    assert.ok((await rowOf(actor)).passwordHash);
    assert.match(await read(browser), /Change password/);
  });
});

describe('another address', () => {
  test('takes the code from its mailbox, and ends every other session', async () => {
    const { actor, browser } = await somebody();
    const elsewhere = await browserOf(database.db, actor, url);
    const email = newAddress();
    const refused = await post(browser, 'email', { email, password: 'not this one' });
    assert.equal(refused.status, 403);
    const html = await refused.text();
    assert.ok(html.includes(`value="${email}"`) && !html.includes('not this one'));
    const asked = await post(browser, 'email', { email: ` ${email.toUpperCase()} `, password: PASSWORD });
    assert.equal(asked.headers.get('Location'), `${ACCOUNT}#email`);
    assert.ok((await read(browser)).includes(email));
    assert.ok(!(await read(elsewhere)).includes(email), 'only where it was begun');
    const otp = await codeFor(database.db, email, 'confirmNewEmail');
    const guess = otp === '000000' ? '000001' : '000000';
    assert.match(await (await post(browser, 'code', boxes(guess))).text(), /Invalid or expired OTP/);
    assert.match(
      await (await post(browser, 'code', boxes('123'))).text(),
      /Please enter complete 6-digit code/,
    );
    assert.equal((await rowOf(actor)).email, actor.email);
    const changed = await post(browser, 'code', boxes(otp));
    assert.equal(changed.headers.get('Location'), `${ACCOUNT}#email`);
    assert.match(await browser.read(ACCOUNT), /Your email is changed/);
    assert.equal((await rowOf(actor)).email, email);
    assert.equal((await elsewhere.get(ACCOUNT)).headers.get('Location'), '/login');
  });

  test('looks the same whether or not it is somebody’s', async () => {
    const taken = await makeUser(database.db);
    const answers = [];
    for (const email of [newAddress(), taken.email]) {
      const { browser } = await somebody({ email: newAddress() });
      const asked = await post(browser, 'email', { email, password: PASSWORD });
      const page = (await read(browser)).replaceAll(email, 'ADDRESS').replaceAll(/[\da-f-]{36}@\S+/g, 'OWN');
      const again = await post(browser, 'again');
      const wrong = await post(browser, 'code', boxes('000000'));
      await aMinuteLater(database.db, email);
      const later = await post(browser, 'again');
      const said = wordsOf(mainOf(await wrong.text())).replaceAll(email, 'ADDRESS');
      answers.push({
        statuses: [asked, again, wrong, later].map(({ status, headers }) => [
          status,
          headers.get('Location'),
        ]),
        page: page.replace(/\d\d:\d\d/g, 'TIME'),
        said: said.replaceAll(/[\da-f-]{36}@\S+/g, 'OWN').replace(/\d\d:\d\d/g, 'TIME'),
      });
    }
    assert.deepEqual(answers[0], answers[1]);
  });

  test('can be given up, and is asked for ten times an hour at most', async () => {
    const { actor, browser } = await somebody();
    const email = newAddress();
    await post(browser, 'email', { email, password: PASSWORD });
    const otp = await codeFor(database.db, email, 'confirmNewEmail');
    await post(browser, 'keep');
    assert.match(await read(browser), /Change email/);
    assert.equal((await post(browser, 'code', boxes(otp))).status, 400);
    assert.equal((await rowOf(actor)).email, actor.email);
    for (let nth = 1; nth < 10; nth++) {
      await post(browser, 'email', { email: newAddress(), password: PASSWORD });
    }
    const eleventh = await post(browser, 'email', { email: newAddress(), password: PASSWORD });
    assert.equal(eleventh.status, 429);
    assert.ok(eleventh.headers.get('Retry-After'));
  });
});

test('the page of emails shows what is chosen, stores it, and refuses what is no choice', async () => {
  const { actor, browser } = await somebody();
  const path = '/app/account/emails';
  const ticked = async () =>
    [...(await browser.read(path)).matchAll(/name="wanted"[^>]*>/g)].map(([tag]) => tag.includes('checked'));
  assert.deepEqual(await ticked(), [true, true, true]);
  const saved = await browser.post(path, [
    ['wanted', 'schedule'],
    ['wanted', 'reminders'],
  ]);
  assert.equal(saved.headers.get('Location'), `${path}#choices`);
  assert.deepEqual(await ticked(), [true, false, true]);
  assert.equal((await browser.post(path, { wanted: 'essential' })).status, 422);
  assert.deepEqual(await ticked(), [true, false, true]);
  await browser.post(path, {});
  assert.deepEqual(await listOptOuts(database.db, actor.userId), ['schedule', 'topics', 'reminders']);
  await mailUser(database.db, actor.userId, 'connectLinkedIn', { posts: 1, url });
  assert.deepEqual(await mailsTo(database.db, actor.email, 'connectLinkedIn'), []);
});
