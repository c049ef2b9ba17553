import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { disableAccount, enableAccount } from '#app/domain/operations/disable-account.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { noteOnTicket, replyToTicket, setTicketStatus } from '#app/domain/support/list-tickets.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import { listReplies } from '#app/domain/support/thread.ts';
import { createThreadLink } from '#app/domain/support/thread-links.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
let admin: Actor;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  admin = await makeUser(database.db, { isAdmin: true });
});

const ask = (actor: Actor | null, email: string, message = 'Whose clock <b>is</b> it?') =>
  submitTicket(
    database.db,
    actor,
    TicketInput.parse({ name: 'Ada', email, subject: 'Publish times', message }),
  );
const statusOf = async (id: string) =>
  (
    await database.db
      .selectFrom('supportTickets')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status;

test('who asked reads their requests and answers there, and writing again opens what was resolved', async () => {
  const { db } = database;
  const ada = await makeUser(db);
  const { id, number } = await ask(ada, ada.email);
  const browser = await browserOf(db, ada, url);
  assert.match(wordsOf(await browser.read('/app/support')), /Not answered yet/);
  await noteOnTicket(db, admin, { ticketId: id, message: 'A NOTE AMONG US' });
  await replyToTicket(db, admin, { ticketId: id, message: 'Yours <i>alone</i>', status: 'resolved' });
  const list = await browser.read('/app/support');
  assert.match(wordsOf(mainOf(list)), /Publish times Resolved # ?\d+ · General .* Yours &lt;i&gt;alone/);
  const page = await browser.read(`/app/support/${id}`);
  assert.ok(page.includes('&lt;b&gt;is') && !page.includes('<b>is') && !page.includes('A NOTE AMONG US'));
  assert.match(wordsOf(page), /Tidepost support .* it is open again/);
  const empty = await browser.post(`/app/support/${id}`, { message: ' ' });
  assert.equal(empty.status, 422);
  const sent = await browser.post(`/app/support/${id}`, { message: 'Not quite' });
  assert.equal(sent.headers.get('Location'), `/app/support/${id}`);
  assert.equal(await statusOf(id), 'open');
  assert.match(wordsOf(await browser.read(`/app/support/${id}`)), /Not quite/);
  await setTicketStatus(db, admin, { ticketId: id, status: 'closed' });
  const shut = await browser.read(`/app/support/${id}`);
  assert.match(wordsOf(shut), new RegExp(`This request is closed .* name # ?${number}`));
  assert.match(shut, /<a href="\/help#support"[^>]*>Send a new request</);
  assert.doesNotMatch(shut, /<textarea/);
  assert.equal((await browser.post(`/app/support/${id}`, { message: 'Hello?' })).status, 409);
  const unanswered = await ask(ada, ada.email, 'Never mind');
  assert.match(wordsOf(await browser.read('/app/support')), /Not answered yet/);
  await setTicketStatus(db, admin, { ticketId: unanswered.id, status: 'closed' });
  assert.doesNotMatch(wordsOf(await browser.read('/app/support')), /Not answered yet/);
  const other = await browserOf(db, await makeUser(db), url);
  assert.equal((await other.get(`/app/support/${id}`)).status, 404);
  assert.equal((await other.post(`/app/support/${id}`, { message: 'Mine' })).status, 404);
  assert.match(wordsOf(await other.read('/app/support')), /You have not asked us anything yet/);
});

test('without an account the mailed link shows the thread and takes an answer; looking changes nothing', async () => {
  const { db } = database;
  const { id } = await ask(null, 'visitor@example.com');
  await replyToTicket(db, admin, { ticketId: id, message: 'Like this', status: 'resolved' });
  const [mail] = await mailsTo(db, 'visitor@example.com', 'supportAnswered');
  const { pathname, search } = new URL(mail!.url);
  const browser = new Browser(url);
  const page = await browser.get(pathname + search);
  assert.deepEqual([page.status, page.headers.get('Referrer-Policy')], [200, 'same-origin']);
  assert.match(page.headers.get('X-Robots-Tag')!, /noindex/);
  const text = await page.text();
  assert.match(wordsOf(text), /Tidepost support .* Like this/);
  assert.match(text, /<meta name="description" content="[^"]{40,320}"/);
  assert.equal(await statusOf(id), 'resolved');
  const sent = await browser.post(pathname + search, { message: 'And that?' });
  assert.equal(sent.headers.get('Location'), pathname + search);
  assert.equal(await statusOf(id), 'open');
  assert.match(
    wordsOf(await browser.read(pathname + search)),
    /And that\? .*Your message was sent|And that\?/,
  );
  // As long as the form allows, in letters that take nine bytes on their way.
  assert.equal((await browser.post(pathname + search, { message: '語'.repeat(5_000) })).status, 302);
  assert.equal((await browser.post(pathname + search, { message: 'x'.repeat(70_000) })).status, 413);
});

test('who was stopped is mailed a link that opens without signing in, and leads to the app once they can again', async () => {
  const { db } = database;
  const ada = await makeUser(db);
  const { id } = await ask(ada, ada.email);
  await replyToTicket(db, admin, { ticketId: id, message: 'Before' });
  await disableAccount(db, admin, { userId: ada.userId, reason: 'Spam' });
  await replyToTicket(db, admin, { ticketId: id, message: 'Because of this', status: 'resolved' });
  const mails = await mailsTo(db, ada.email, 'supportAnswered');
  const linkIn = (answer: string) => new URL(mails.find((mail) => mail.answer === answer)!.url);
  assert.equal(linkIn('Before').pathname, `/app/support/${id}`);
  const { pathname, search } = linkIn('Because of this');
  assert.equal(pathname, `/support/${id}`);
  const browser = new Browser(url);
  assert.match(wordsOf(await browser.read(pathname + search)), /Before .* Because of this/);
  const sent = await browser.post(pathname + search, { message: 'That was not me' });
  assert.equal(sent.headers.get('Location'), pathname + search);
  assert.equal(await statusOf(id), 'open');
  assert.equal((await browser.get('/app/account')).status, 302, 'nobody is signed in by it');
  await enableAccount(db, admin, ada.userId);
  for (const answer of [
    await browser.get(pathname + search),
    await browser.post(pathname + search, { message: 'And now?' }),
  ]) {
    assert.deepEqual([answer.status, answer.headers.get('Location')], [302, `/app/support/${id}`]);
  }
  assert.equal((await listReplies(db, id)).length, 3, 'what came by the link then is not taken');
});

test('no other link opens a thread, and none that of an account', async () => {
  const { db } = database;
  const ada = await makeUser(db);
  const [own, free] = [await ask(ada, ada.email), await ask(null, 'free@example.com')];
  const browser = new Browser(url);
  const link = (ticket: { id: string; email: string }, ageDays = 0) => {
    const { pathname, search } = new URL(
      createThreadLink(ticket, new Date(Date.now() - ageDays * 86_400_000)).url,
    );
    return pathname + search;
  };
  const wrong: [string, number][] = [
    [link({ ...free, email: 'other@example.com' }), 404],
    [link(free, 61), 403],
    [`/support/${free.id}`, 404],
    [`/support/${free.id}?key=${'x'.repeat(3_000)}`, 404],
    ['/support/nonsense?key=1.2', 404],
  ];
  for (const answer of [
    await browser.get(link(own)),
    await browser.post(link(own), { message: 'Let me in' }),
  ]) {
    assert.equal(answer.headers.get('Location'), `/app/support/${own.id}`);
  }
  assert.deepEqual(await listReplies(db, own.id), []);
  for (const [address, status] of wrong) {
    assert.deepEqual([address, (await browser.get(address)).status], [address, status]);
    const answer = await browser.post(address, { message: 'Let me in' });
    assert.deepEqual([address, answer.status], [address, status]);
  }
});

test('help is a dialog of every page, with what the account says of who asks, and closing it leads back', async () => {
  const { db } = database;
  const ada = await makeUser(db, { name: 'Ada Marlow' });
  const browser = await browserOf(db, ada, url);
  for (const path of ['/app/dashboard', '/app/topics', '/app/support', '/app/account']) {
    const page = await browser.read(path);
    assert.match(
      page,
      /<a [^>]*aria-label="Help"[^>]*href="[^"]*\?help=support"|href="[^"]*\?help=support"[^>]*aria-label="Help"/,
      path,
    );
  }
  const dialog = /<dialog[\s\S]*<\/dialog>/.exec(await browser.read('/app/topics?q=a&help=support'))![0];
  assert.ok(dialog.includes('value="Ada Marlow"') && dialog.includes(ada.email));
  assert.match(dialog, /name="back" value="\/app\/topics\?q=a"/);
  assert.match(dialog, /href="\/app\/topics\?q=a"/);
  const visitor = new Browser(url);
  for (const path of ['/login', '/signup', '/forgot-password']) {
    assert.match(
      await visitor.read(`${path}?help=support`),
      /<dialog[\s\S]*name="back" value="\/[\s\S]*<\/dialog>/,
      path,
    );
  }
  for (const path of ['/', '/terms', '/privacy', '/imprint']) {
    assert.match(await visitor.read(path), /<a href="\/help"[^>]*aria-label="Help"/, path);
  }
  // On the page itself it leads to the form, not to where its reader is.
  assert.match(await visitor.read('/help'), /<a href="#support"[^>]*aria-label="Help"/);
  assert.match(await visitor.read('/help'), /<section id="support"/);
  assert.equal((await visitor.get('/?help=support')).headers.get('Location'), '/help#support');
});
