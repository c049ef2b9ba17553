import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ANSWERS } from '#app/routes/landing/help/questions.ts';
import { searchAnswers } from '#app/routes/landing/help/search.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const SUBMITTED = /Support request submitted! We’ll reply via email soon/;
const all = ANSWERS.flatMap(({ answers }) => answers);
const first = (asked: string) => searchAnswers(asked)[0]?.answers[0]?.question;
const asked = (more: object = {}) => ({
  name: 'Ada',
  email: 'ada@example.com',
  category: 'technical',
  subject: 'Clock',
  message: 'Whose is it?',
  ...more,
});

const ticketsNamed = (subject: string) =>
  database.db.selectFrom('supportTickets').selectAll().where('subject', '=', subject).execute();

test('every answer leads to a screen that is there', async () => {
  assert.ok(all.length >= 20, `${all.length}`);
  assert.equal(new Set(all.map(({ question }) => question)).size, all.length);
  const browser = await browserOf(database.db, await makeUser(database.db), url);
  const visitor = new Browser(url);
  for (const to of new Set(all.map((answer) => answer.to))) {
    const { status } = await (to.startsWith('/app') ? browser : visitor).get(to);
    // Without a sign-up that was begun, there is no code to enter.
    assert.deepEqual([to, status], [to, to === '/verify-otp' ? 302 : 200]);
  }
});

test('answers are found by words that people use, in any form of them', () => {
  const wanted: [string, RegExp][] = [
    ['paying with paypal', /How do I pay/],
    ['refund', /change or cancel my plan/],
    ['cancelling', /change or cancel my plan/],
    ['how do I delete my account?', /delete my account/],
    ['pausing', /pause everything/],
    ['vacation', /pause|weekends/],
    ['PASSWORD', /forgot my password/],
    ['verification of payment', /verification take/],
    ['linkedin disconnected', /not connected any more/],
    ['2fa', /safer/],
    ['approve posts', /approve each post/],
    ['token', /API|LinkedIn/],
    ['UTR', /transaction ID/],
  ];
  for (const [words, question] of wanted) assert.match(first(words) ?? '', question, words);
  assert.equal(searchAnswers('').length, ANSWERS.length);
  assert.equal(searchAnswers('how do I').length, ANSWERS.length);
  assert.deepEqual(searchAnswers('xyzzy'), []);
  assert.ok(searchAnswers('a'.repeat(5_000)).length <= 1);
  assert.match(first(`${'xyzzy '.repeat(15)}refund`) ?? '', /change or cancel/);
  assert.deepEqual(searchAnswers(`${'xyzzy '.repeat(17)}refund`), [], 'what is beyond the bound is not read');
});

test('the page searches without scripts, and says what was searched for as text', async () => {
  const browser = new Browser(url);
  const words = wordsOf(mainOf(await browser.read('/help')));
  for (const said of ['24/7', 'within 24 hours', 'Get Support', ...ANSWERS.map(({ title }) => title)]) {
    assert.ok(words.includes(said), said);
  }
  const page = await browser.read('/help?q=refund');
  assert.match(wordsOf(mainOf(page)), /Can I change or cancel my plan/);
  assert.doesNotMatch(mainOf(page), /How do I begin/);
  assert.match(page, /<details open/);
  const hostile = await browser.read(`/help?q=${encodeURIComponent('"><script>zzqq()</script>')}`);
  assert.ok(!hostile.includes('<script>zzqq'));
  assert.match(wordsOf(mainOf(hostile)), /Write to us/);
});

test('a visitor asks by the form, and reads the number; what is wrong stands beside its field with what was typed', async () => {
  const browser = new Browser(url);
  const sent = await browser.post('/help', asked({ subject: 'By form' }));
  const [ticket] = await ticketsNamed('By form');
  assert.equal(sent.headers.get('Location'), `/help?sent=${ticket!.number}#support`);
  assert.equal(ticket!.userId, null);
  const page = await browser.read(`/help?sent=${ticket!.number}`);
  assert.match(wordsOf(page), SUBMITTED);
  assert.match(wordsOf(page), new RegExp(`number is # ?${ticket!.number}`));
  const opened = await new Browser(url).read(`/help?sent=${ticket!.number}`);
  assert.doesNotMatch(wordsOf(opened), /has arrived/, 'said to who sent nothing');
  const wrong = await browser.post(
    '/help',
    asked({ email: 'nobody', message: ' ', subject: 'Kept <b>words</b>' }),
  );
  assert.equal(wrong.status, 422);
  const text = await wrong.text();
  assert.match(wordsOf(text), /Please enter one valid email address/);
  assert.match(wordsOf(text), /Please write a message/);
  assert.match(text, /value="Kept &lt;b&gt;words&lt;\/b&gt;"/);
  const long = await browser.post('/help', asked({ message: 'x'.repeat(11_000) }));
  assert.equal(long.status, 413);
});

test('who is signed in owns what they ask, and comes back to the page they asked from, and nowhere else', async () => {
  const ada = await makeUser(database.db, { name: 'Ada Marlow' });
  const browser = await browserOf(database.db, ada, url);
  const page = await browser.read('/help');
  assert.match(page, /value="Ada Marlow"/);
  assert.ok(page.includes(`value="${ada.email}"`) && page.includes('href="/app/support"'));
  const back = async (to: string, subject: string) =>
    (await browser.post('/help', asked({ subject, back: to }))).headers.get('Location');
  assert.equal(await back('/app/topics?edit=1', 'From topics'), '/app/topics?edit=1');
  assert.equal((await ticketsNamed('From topics'))[0]!.userId, ada.userId);
  assert.match(wordsOf(await browser.read('/app/topics')), SUBMITTED);
  for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '/a\r\nSet-Cookie: a=b']) {
    assert.match((await back(to, `Elsewhere ${to}`))!, /^\/help\?sent=/);
  }
});
