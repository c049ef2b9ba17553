import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { FeedbackInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let admin: Actor;
let browser: Browser;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  admin = await makeUser(database.db, { isAdmin: true, name: 'Vera Desk' });
  browser = await browserOf(database.db, admin, url);
});

const DESK = '/app/admin/support-feedback';
const read = async (path: string) => wordsOf(mainOf(await browser.read(path)));
const newWord = () => `w${crypto.randomUUID().slice(0, 8)}`;

async function makeTicket(subject: string, more: object = {}) {
  const ticket = {
    name: 'Ada Quill',
    email: 'ada@example.com',
    category: 'billing' as const,
    subject,
    message: `About ${subject} <b>now</b>`,
    ...more,
  };
  const { id } = await database.db
    .insertInto('supportTickets')
    .values(ticket)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function makeFeedback(title: string) {
  const author = await makeUser(database.db, { name: 'Bo Author' });
  const input = FeedbackInput.parse({ type: 'bug', title, description: `Seen in ${title}`, rating: 2 });
  return (await submitFeedback(database.db, author, input)).id;
}

const entriesOf = (subjectId: string) =>
  database.db
    .selectFrom('auditLog')
    .select(['action', 'adminId'])
    .where('subjectId', '=', subjectId)
    .orderBy('id')
    .execute();

test('each tab shows its own, narrowed by text and status, page by page', async () => {
  assert.match(await read(DESK), /Nobody asks for anything/);
  assert.match(await read(`${DESK}?tab=feedback`), /No feedback yet/);
  const word = newWord();
  await makeTicket(`Invoice ${word}`);
  await makeTicket(`Solved ${word}`, { status: 'resolved' });
  const ids = [];
  for (const title of [`Crash ${word}`, `Typo ${word}`]) ids.push(await makeFeedback(title));
  await database.db.updateTable('feedback').set({ status: 'completed' }).where('id', '=', ids[1]!).execute();

  const tickets = await browser.read(DESK);
  assert.match(tickets, /&lt;b&gt;now&lt;\/b&gt;/);
  assert.match(tickets, /<a(?=[^>]*aria-current="page")[^>]*href="[^"]*support-feedback"[^>]*><svg/);
  assert.match(
    wordsOf(mainOf(tickets)),
    new RegExp(`Invoice ${word} Ada Quill · ada@example.com .*Open Billing`),
  );
  assert.doesNotMatch(tickets, new RegExp(`Crash ${word}`));
  const feedback = await read(`${DESK}?tab=feedback`);
  assert.match(feedback, new RegExp(`Crash ${word} Bo Author · .*New Bug 0 votes Rated 2`));
  assert.doesNotMatch(feedback, /Invoice/);

  const shows = async (query: string) =>
    [...(await read(`${DESK}?${query}`)).matchAll(new RegExp(`(\\w+) ${word} (?:Ada|Bo)`, 'g'))].map(
      ([, said]) => said,
    );
  assert.deepEqual(await shows(`q=invoice ${word}`), ['Invoice']);
  assert.deepEqual(await shows('status=resolved'), ['Solved']);
  assert.deepEqual(await shows('tab=feedback&status=open'), ['Crash']);
  assert.deepEqual(await shows('tab=feedback&status=resolved'), ['Typo']);
  assert.deepEqual(await shows('tab=feedback&status=completed'), ['Typo']);
  assert.match(await read(`${DESK}?tab=feedback&status=closed`), /Nothing like that/);
  const ofAnotherList = Buffer.from(JSON.stringify([1, Date.now(), crypto.randomUUID()])).toString(
    'base64url',
  );
  for (const odd of [
    'status=nonsense',
    'tab=nonsense',
    `q=${'x'.repeat(500)}`,
    'open=nothing',
    `cursor=${ofAnotherList}`,
    `tab=feedback&cursor=${ofAnotherList}`,
  ])
    assert.equal((await browser.get(`${DESK}?${odd}`)).status, 200, odd);
  assert.match(await read(`${DESK}?open=${crypto.randomUUID()}`), /This is not there/);

  for (let nth = 0; nth < 26; nth += 1) await makeTicket(`Many ${nth} ${word}`);
  const first = await browser.read(`${DESK}?q=Many`);
  const [, next] = /href="([^"]*cursor=[^"]*)"[^>]*>Earlier ones/.exec(first)!;
  const later = await browser.read(next!.replaceAll('&amp;', '&'));
  assert.deepEqual(
    [first, later].map((page) => page.match(/class="line"/g)?.length),
    [25, 1],
  );
});

test('a request is opened, answered by mail, noted on, and its status saved, all of it written down', async () => {
  const { db } = database;
  const id = await makeTicket(`Refund ${newWord()}`);
  const opened = `${DESK}?open=${id}`;
  const send = async (fields: Record<string, string>) => {
    const answer = await browser.post(opened, fields);
    return [answer.status, answer.headers.get('Location')];
  };
  assert.deepEqual(await send({ status: 'resolved' }), [302, opened]);
  assert.match(await browser.read(opened), /Support ticket updated/);
  await send({ status: 'open' });
  assert.deepEqual(await send({ act: 'note', message: 'Ask the bank <i>first</i>' }), [302, opened]);
  assert.deepEqual(await send({ act: 'answer', message: 'It is on its way' }), [302, opened]);
  const page = await browser.read(opened);
  assert.match(page, /Your answer goes to ada@example\.com/);
  assert.match(page, /Ask the bank &lt;i&gt;first&lt;\/i&gt;/);
  assert.match(
    wordsOf(page),
    /\S wrote · .*Vera Desk noted for admins .*Vera Desk answered .*It is on its way/,
  );
  assert.match(page, /<option value="in_progress" selected="">/);
  const mailed = await db
    .selectFrom('mails')
    .select('kind')
    .where('toAddress', '=', 'ada@example.com')
    .execute();
  assert.equal(mailed.length, 1);
  assert.deepEqual(await entriesOf(id), [
    ...['support.status', 'support.status', 'support.noted', 'support.answered'].map((action) => ({
      action,
      adminId: admin.userId,
    })),
  ]);
  for (const [fields, sentence] of [
    [{ act: 'answer', message: ' ' }, 'Please write a message'],
    [{ act: 'note', message: 'x'.repeat(5_001) }, 'The message can have at most 5,000 characters'],
    [{ status: 'new' }, 'Please choose a status from the list'],
  ] as const) {
    const answer = await browser.post(opened, fields as Record<string, string>);
    assert.equal(answer.status, 422);
    assert.ok(wordsOf(await answer.text()).includes(sentence), sentence);
  }
  assert.equal((await entriesOf(id)).length, 4);
  const gone = await browser.post(`${DESK}?open=${crypto.randomUUID()}`, { act: 'answer', message: 'Hello' });
  assert.equal(gone.status, 404);
});

test('a reply is saved, and an answer begins with it, without scripts', async () => {
  const saved = '/app/admin/saved-replies';
  assert.match(await read(saved), /No saved replies yet/);
  const form = { title: 'Zones <b>', message: 'Dear {name}, about {number}: <i>choose</i> your zone.' };
  const wrong = await browser.post(`${saved}?edit=new`, { ...form, title: ' ' });
  assert.equal(wrong.status, 422);
  const text = await wrong.text();
  assert.match(text, /Please enter a title/);
  assert.match(text, /&lt;i&gt;choose&lt;\/i&gt;/, 'what was typed is kept');
  assert.equal((await browser.post(`${saved}?edit=new`, form)).headers.get('Location'), saved);
  const twice = await browser.post(`${saved}?edit=new`, form);
  assert.equal(twice.status, 409);
  assert.match(await twice.text(), /There is a saved reply with this title/);
  const list = await browser.read(saved);
  const [, replyId] = /href="[^"]*\?edit=([\w-]{36})"[^>]*><bdi>Zones &lt;b&gt;<\/bdi>/.exec(list)!;

  const id = await makeTicket(`Times ${newWord()}`);
  const { number } = await database.db
    .selectFrom('supportTickets')
    .select('number')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const answerOf = (html: string) => /<textarea[^>]*id="answer-message"[^>]*>([^<]*)</.exec(html)![1];
  const opened = await browser.read(`${DESK}?open=${id}`);
  assert.equal(answerOf(opened), '');
  const begun = `open=${id}&amp;reply=${replyId}`;
  assert.ok(opened.includes(begun));
  assert.equal(
    answerOf(await browser.read(`${DESK}?${begun.replace('&amp;', '&')}`)),
    `Dear Ada Quill, about #${number}: &lt;i&gt;choose&lt;/i&gt; your zone.`,
  );
  assert.equal(answerOf(await browser.read(`${DESK}?open=${id}&reply=nothing`)), '');

  assert.match(await read(`${saved}?confirm-delete=${replyId}`), /Answers that were sent stay as they are/);
  assert.equal((await browser.post(`${saved}?confirm-delete=${replyId}`)).status, 302);
  assert.match(await read(saved), /Reply deleted|No saved replies yet/);
  assert.equal((await browser.post(`${saved}?confirm-delete=${replyId}`)).status, 404);
});

test('feedback is opened, and its status saved and written down', async () => {
  const id = await makeFeedback(`Slow ${newWord()}`);
  const opened = `${DESK}?tab=feedback&q=Slow&open=${id}`;
  assert.match(wordsOf(await browser.read(opened)), /Status New Reviewed Planned .*Save .*Seen in Slow/);
  const saved = await browser.post(opened, { status: 'planned' });
  assert.deepEqual([saved.status, saved.headers.get('Location')], [302, opened]);
  const page = await browser.read(opened);
  assert.match(page, /Feedback updated/);
  assert.match(page, /<option value="planned" selected="">/);
  assert.equal((await browser.post(opened, { status: 'open' })).status, 422);
  assert.deepEqual(await entriesOf(id), [{ action: 'feedback.status_changed', adminId: admin.userId }]);
  assert.match(await read('/app/admin/audit'), /Changed the status of feedback .*planned/);
  const made = await browser.post(opened, { act: 'request' });
  const request = await browser.read(made.headers.get('Location')!);
  const [, number] = /This is request #(\d+) now/.exec(request)!;
  assert.match(wordsOf(request), /Seen in Slow/);
  assert.match(request, /<textarea[^>]*id="answer-message"/);
  assert.ok(
    wordsOf(await browser.read(opened))
      .replaceAll('# ', '#')
      .includes(`Open request #${number}`),
  );
});

test('an answer too long to wait in a cookie stays where it was typed until its writer has proved to be the owner', async () => {
  const id = await makeTicket(`Long ${newWord()}`);
  const message = 'An answer in many words. '.repeat(120);
  const send = () => browser.post(`${DESK}?open=${id}`, { act: 'answer', message });
  const replies = () =>
    database.db.selectFrom('supportReplies').select('message').where('ticketId', '=', id).execute();
  const reauthenticatedAt = new Date(Date.now() - 16 * 60_000);
  await database.db
    .updateTable('sessions')
    .set({ reauthenticatedAt })
    .where('userId', '=', admin.userId)
    .execute();
  const refused = await send();
  assert.equal(refused.status, 403);
  const html = await refused.text();
  assert.ok(html.includes(message.trim()));
  assert.match(html, /in another tab, at \/app\/confirm/);
  assert.deepEqual(await replies(), []);
  assert.match(await browser.read('/app/confirm'), /action="\/app\/confirm"/);
  const wrong = await browser.post('/app/confirm', { 'proof-password': 'not this one' });
  assert.equal(wrong.headers.get('Location'), '/app/confirm');
  assert.equal((await send()).status, 403);
  const proved = await browser.post('/app/confirm', { 'proof-password': PASSWORD });
  assert.equal(proved.headers.get('Location'), '/app');
  assert.equal((await send()).status, 302);
  assert.equal((await replies()).length, 1);
});
