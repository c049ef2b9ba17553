import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { renderMail } from '#app/domain/email/render/render.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import type { Refusal } from '#app/domain/platform/refusal.ts';
import { TICKET_LINK_DAYS, TICKET_MAILS_PER_HOUR, TICKET_REPLIES_MAX } from '#app/domain/support/limits.ts';
import {
  listTickets,
  noteOnTicket,
  readTicket,
  replyToTicket,
  setTicketStatus,
  TicketsQuery,
} from '#app/domain/support/list-tickets.ts';
import { addRequesterReply } from '#app/domain/support/reply.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import { openThread } from '#app/domain/support/thread-links.ts';
import { answerOwnTicket, findOwnTicket, listOwnTickets, submitTicket } from '#app/domain/support/tickets.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const DAY_MS = 86_400_000;
const PAGE = { limit: 50 };

let asked = 0;
const inputOf = (email: string, more: object = {}) =>
  TicketInput.parse({
    name: 'Ada',
    email,
    subject: `Times ${++asked}`,
    message: 'Whose clock is it?',
    ...more,
  });

const refused = (code: string) => (error: Refusal) => error.code === code;
const code = (attempt: () => unknown) => assert.throws(attempt);

/** The link in the newest answer that was mailed to somebody without an account. */
async function linkTo(email: string): Promise<{ id: string; key: string }> {
  const [mail] = await mailsTo(db, email, 'supportAnswered');
  const url = new URL(mail!.url);
  return { id: url.pathname.split('/').at(-1)!, key: url.searchParams.get('key')! };
}

test('a request belongs to who was signed in, and to no account by its address alone', async () => {
  const ada = await makeUser(db);
  const own = await submitTicket(db, ada, inputOf(ada.email));
  const stranger = await submitTicket(db, null, inputOf(ada.email, { message: 'Give me her account' }));
  assert.deepEqual(
    (await listOwnTickets(db, ada, PAGE)).rows.map(({ id }) => id),
    [own.id],
  );
  await assert.rejects(findOwnTicket(db, ada, stranger.id), refused('not_found'));
  await assert.rejects(
    answerOwnTicket(db, ada, { ticketId: stranger.id, message: 'Mine' }),
    refused('not_found'),
  );
  const bo = await makeUser(db);
  await assert.rejects(findOwnTicket(db, bo, own.id), refused('not_found'));
  assert.ok(own.number > 1000 && stranger.number > own.number);
});

test('what is wrong with a request is said in a sentence, and a line stays a line', () => {
  const parsed = inputOf('ada@example.com', {
    name: 'Ada\r\nBcc: x@y.z',
    subject: 'Hi\nTo: all@x.y\u0000'.slice(0, -1),
  });
  assert.deepEqual([parsed.name, parsed.subject], ['Ada Bcc: x@y.z', 'Hi To: all@x.y']);
  const said = (more: object) =>
    TicketInput.safeParse({ name: 'A', email: 'a@b.co', subject: 'S', message: 'M', ...more }).error
      ?.issues[0]?.message;
  assert.equal(said({ name: ' ' }), 'Please enter your name');
  assert.equal(said({ email: '' }), 'Please enter your email');
  assert.equal(said({ email: 'a@b.co\nBcc: c@d.co' }), 'Please enter one valid email address');
  assert.equal(said({ subject: '\u200b' }), 'Please enter a subject');
  assert.equal(said({ message: '' }), 'Please write a message');
  assert.match(said({ message: 'x'.repeat(2_501) })!, /at most 2,500 characters/);
  assert.match(said({ category: 'sales' })!, /choose from the list/);
  assert.equal(said({ category: undefined }), undefined);
  code(() => TicketInput.parse({ name: 'A', email: 'a@b.co', subject: 'S', message: 'bad \u0000' }));
});

test('the same request sent twice is one, and admins are mailed of each once, of a flood once an hour', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const input = inputOf('twice@example.com');
  const first = await submitTicket(db, null, input);
  assert.equal((await submitTicket(db, null, input)).id, first.id);
  assert.equal((await mailsTo(db, admin.email, 'supportAsked')).length, 1);
  assert.equal((await mailsTo(db, 'twice@example.com', 'supportAnswered')).length, 0);
  for (let more = 0; more < TICKET_MAILS_PER_HOUR + 5; more += 1) {
    await submitTicket(db, null, inputOf('flood@example.com'));
  }
  const single = await mailsTo(db, admin.email, 'supportAsked');
  assert.ok(single.length <= TICKET_MAILS_PER_HOUR, `${single.length}`);
  assert.ok((await mailsTo(db, admin.email, 'supportFlood')).length >= 1);
  assert.ok((await mailsTo(db, admin.email, 'supportFlood')).length <= 2);
  await db.deleteFrom('supportTickets').where('email', '=', 'flood@example.com').execute();
});

test('an answer is mailed with the way back, reopens nothing, and a note reaches nobody', async () => {
  const [ada, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true, name: 'Root' })];
  const { id, number } = await submitTicket(db, ada, inputOf(ada.email));
  await noteOnTicket(db, admin, { ticketId: id, message: 'SECRET NOTE' });
  const desk = await replyToTicket(db, admin, { ticketId: id, message: 'Yours, <b>always</b>.' });
  assert.deepEqual(
    [desk.status, desk.replies.map(({ kind, adminName }) => [kind, adminName])],
    [
      'in_progress',
      [
        ['note', 'Root'],
        ['answer', 'Root'],
      ],
    ],
  );
  const [mail] = await mailsTo(db, ada.email, 'supportAnswered');
  assert.match(mail!.url, new RegExp(`/app/support/${id}$`));
  const { html, subject } = renderMail(mailText('supportAnswered', mail!));
  assert.ok(html.includes('&lt;b&gt;always') && !html.includes('<b>always'));
  assert.ok(subject.includes(`#${number}`) && !/[\r\n]/.test(subject));
  const thread = await findOwnTicket(db, ada, id);
  assert.deepEqual(
    thread.replies.map(({ message }) => message),
    ['Yours, <b>always</b>.'],
  );
  assert.ok(!JSON.stringify(await listOwnTickets(db, ada, PAGE)).includes('SECRET NOTE'));
  assert.equal((await listOwnTickets(db, ada, PAGE)).rows[0]!.latestAnswer, 'Yours, <b>always</b>.');
});

test('an answer, a note and what its asker writes count once when a form comes twice', async () => {
  const [ada, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const { id } = await submitTicket(db, ada, inputOf(ada.email));
  const twice = (write: () => Promise<unknown>) => Promise.all([write(), write()]);
  const now = new Date();
  await twice(() => replyToTicket(db, admin, { ticketId: id, message: 'Yours' }, now));
  await twice(() => noteOnTicket(db, admin, { ticketId: id, message: 'Yours' }, now));
  await twice(() => answerOwnTicket(db, ada, { ticketId: id, message: 'Yours' }, now));
  const kinds = async () => (await readTicket(db, id)).replies.map(({ kind }) => kind).toSorted();
  assert.deepEqual(await kinds(), ['answer', 'asker', 'note']);
  assert.equal((await mailsTo(db, ada.email, 'supportAnswered')).length, 1);
  const entries = (await listAuditLog(db)).entries.filter(({ subjectId }) => subjectId === id);
  assert.deepEqual(entries.map(({ action }) => action).toSorted(), ['support.answered', 'support.noted']);
  const other = await makeUser(db, { isAdmin: true });
  await replyToTicket(db, other, { ticketId: id, message: 'Yours' }, now);
  const later = new Date(now.getTime() + 61_000);
  await answerOwnTicket(db, ada, { ticketId: id, message: 'Yours' }, later);
  const { id: next } = await submitTicket(db, ada, inputOf(ada.email));
  await replyToTicket(db, admin, { ticketId: next, message: 'Yours' }, now);
  await replyToTicket(db, admin, { ticketId: next, message: 'And more' }, now);
  assert.deepEqual(await kinds(), ['answer', 'answer', 'asker', 'asker', 'note'], 'each that is another one');
  assert.equal((await readTicket(db, next)).replies.length, 2);
});

test('who asked writes again: what was resolved is open, what is closed says so, and admins hear of it once', async () => {
  const [ada, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const { id } = await submitTicket(db, ada, inputOf(ada.email));
  await replyToTicket(db, admin, { ticketId: id, message: 'Done?', status: 'resolved' });
  assert.equal((await readTicket(db, id)).waitsMs, null);
  const again = await answerOwnTicket(db, ada, { ticketId: id, message: 'Not yet' });
  assert.equal(again.status, 'open');
  await answerOwnTicket(db, ada, { ticketId: id, message: 'And this' });
  assert.equal((await mailsTo(db, admin.email, 'supportWrittenAgain')).length, 1);
  await replyToTicket(db, admin, { ticketId: id, message: 'Now?' });
  await answerOwnTicket(db, ada, { ticketId: id, message: 'No' });
  assert.equal((await mailsTo(db, admin.email, 'supportWrittenAgain')).length, 2);
  await setTicketStatus(db, admin, { ticketId: id, status: 'closed' });
  await assert.rejects(
    answerOwnTicket(db, ada, { ticketId: id, message: 'Hello?' }),
    refused('ticket_closed'),
  );
});

test('a thread holds so much, and then a new one is begun', async () => {
  const ada = await makeUser(db);
  const { id } = await submitTicket(db, ada, inputOf(ada.email));
  const rows = Array.from({ length: TICKET_REPLIES_MAX }, () => ({
    ticketId: id,
    kind: 'asker' as const,
    message: 'More',
  }));
  await db.insertInto('supportReplies').values(rows).execute();
  await assert.rejects(
    answerOwnTicket(db, ada, { ticketId: id, message: 'One more' }),
    refused('ticket_full'),
  );
});

test('without an account the mailed link opens its one thread, until it has expired', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const email = 'visitor@example.com';
  const ticket = await submitTicket(db, null, inputOf(email));
  const other = await submitTicket(db, null, inputOf('else@example.com'));
  const now = new Date();
  await replyToTicket(db, admin, { ticketId: ticket.id, message: 'Like this' }, now);
  const { id, key } = await linkTo(email);
  assert.equal((await openThread(db, id, key, now)).id, ticket.id);
  await assert.rejects(openThread(db, other.id, key, now), refused('link_invalid'));
  await assert.rejects(openThread(db, id, `${key.slice(0, -4)}AAAA`, now), refused('link_invalid'));
  await assert.rejects(
    openThread(db, id, `zzzzzzzz.${key.split('.').slice(1).join('.')}`, now),
    refused('link_invalid'),
  );
  const later = new Date(now.getTime() + TICKET_LINK_DAYS * DAY_MS + 1);
  await assert.rejects(openThread(db, id, key, later), refused('link_expired'));
  await addRequesterReply(db, { ticketId: id, message: 'Thanks' });
  await db.updateTable('supportTickets').set({ email: 'moved@example.com' }).where('id', '=', id).execute();
  await assert.rejects(openThread(db, id, key, now), refused('link_invalid'));
});

test('admins search, filter and page through all requests, and see which wait too long', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const made = [];
  for (const [index, hours] of [60, 50, 40].entries()) {
    const input = inputOf('desk@example.com', { subject: `100%_desk ${index}` });
    made.push(await submitTicket(db, null, input, at(hours)));
  }
  const list = async (query: object) => listTickets(db, TicketsQuery.parse(query));
  const found = await list({ q: '100%_desk' });
  assert.deepEqual(
    found.rows.map(({ subject }) => subject.at(-1)),
    ['2', '1', '0'],
  );
  assert.ok(found.rows.every(({ isLate }) => isLate));
  assert.equal((await list({ q: '100x' })).rows.length, 0);
  assert.deepEqual(
    (await list({ q: `#${made[1]!.number}` })).rows.map(({ id }) => id),
    [made[1]!.id],
  );
  const first = await list({ q: '100%_desk', limit: 2 });
  const rest = await list({ q: '100%_desk', limit: 2, cursor: first.nextCursor! });
  assert.deepEqual([first.rows.length, rest.rows.length, rest.nextCursor], [2, 1, null]);
  await setTicketStatus(db, admin, { ticketId: made[0]!.id, status: 'resolved' });
  assert.deepEqual(
    (await list({ q: '100%_desk', status: 'resolved' })).rows.map(({ id }) => id),
    [made[0]!.id],
  );
});

test('what admins do stands in their log, with the status before and without names', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const ticket = await submitTicket(db, null, inputOf('log@example.com', { name: 'Secret Person' }));
  await replyToTicket(db, admin, { ticketId: ticket.id, message: 'Private words' });
  await noteOnTicket(db, admin, { ticketId: ticket.id, message: 'Private words' });
  await setTicketStatus(db, admin, { ticketId: ticket.id, status: 'closed' });
  await setTicketStatus(db, admin, { ticketId: ticket.id, status: 'closed' });
  const { entries } = await listAuditLog(db, { adminId: admin.userId });
  assert.deepEqual(
    entries.map(({ action, subjectId, detail }) => [action, subjectId, detail]),
    [
      [
        'support.status',
        ticket.id,
        { number: ticket.number, status: 'closed', before: { status: 'in_progress' } },
      ],
      ['support.noted', ticket.id, { number: ticket.number }],
      [
        'support.answered',
        ticket.id,
        { number: ticket.number, status: 'in_progress', before: { status: 'open' } },
      ],
    ],
  );
});

test('an account that is erased takes its requests along, and those under its address', async () => {
  const [ada, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const own = await submitTicket(db, ada, inputOf('elsewhere@example.com'));
  const under = await submitTicket(db, null, inputOf(ada.email));
  const others = await submitTicket(db, null, inputOf('stays@example.com'));
  await replyToTicket(db, admin, { ticketId: own.id, message: 'Bye' });
  await requestDeletion(db, ada, null);
  await eraseDue(db, new Date(Date.now() + 8 * DAY_MS));
  const left = await db
    .selectFrom('supportTickets')
    .select('id')
    .where('id', 'in', [own.id, under.id, others.id])
    .execute();
  assert.deepEqual(
    left.map(({ id }) => id),
    [others.id],
  );
});
