import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { FeedbackInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import type { Refusal } from '#app/domain/platform/refusal.ts';
import { createTicketFromFeedback } from '#app/domain/support/feedback-request.ts';
import { TICKET_MESSAGE_MAX } from '#app/domain/support/limits.ts';
import { replyToTicket } from '#app/domain/support/list-tickets.ts';
import { findOwnTicket, listOwnTickets } from '#app/domain/support/tickets.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

test('of feedback one request is made, which its author reads, and of which they hear with the answer', async () => {
  const [ada, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const description = 'It says nine. '.repeat(280).trim();
  const said = FeedbackInput.parse({ type: 'bug', title: 'Wrong hour', description });
  const { id } = await submitFeedback(db, ada, said);
  const made = await Promise.all([1, 2, 3].map(() => createTicketFromFeedback(db, admin, id)));
  assert.equal(new Set(made.map((each) => each.id)).size, 1);
  const { rows } = await listOwnTickets(db, ada, { limit: 10 });
  assert.deepEqual(
    rows.map(({ subject, category, status }) => [subject, category, status]),
    [['Wrong hour', 'bug_report', 'open']],
  );
  const { message, email } = await findOwnTicket(db, ada, made[0]!.id);
  assert.equal(email, ada.email);
  assert.ok(message.length <= TICKET_MESSAGE_MAX && message.endsWith('…'));
  assert.equal((await mailsTo(db, ada.email, 'supportAnswered')).length, 0);
  await replyToTicket(db, admin, { ticketId: made[0]!.id, message: 'Your zone was London.' });
  assert.equal((await mailsTo(db, ada.email, 'supportAnswered')).length, 1);
  const { entries } = await listAuditLog(db, { adminId: admin.userId, action: 'support.made_of_feedback' });
  assert.deepEqual(
    entries.map(({ subjectId, detail }) => [subjectId, detail]),
    [[made[0]!.id, { number: made[0]!.number }]],
  );
});

test('a long description ends with a whole sign', async () => {
  const [ada, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const description = `${'x'.repeat(TICKET_MESSAGE_MAX - 2)}😀 and so on`;
  const said = FeedbackInput.parse({ type: 'general', title: 'Long', description });
  const { id } = await submitFeedback(db, ada, said);
  const { message } = await createTicketFromFeedback(db, admin, id);
  assert.equal(message, `${'x'.repeat(TICKET_MESSAGE_MAX - 2)}…`);
});

test('of what is not there, and by who is no admin, no request is made', async () => {
  const [ada, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  for (const missing of ['nothing', crypto.randomUUID()])
    await assert.rejects(
      createTicketFromFeedback(db, admin, missing),
      (error: Refusal) => error.code === 'not_found',
    );
  const said = FeedbackInput.parse({
    type: 'compliment',
    title: 'Thanks',
    description: 'The mornings are mine.',
  });
  const { id } = await submitFeedback(db, ada, said);
  await assert.rejects(createTicketFromFeedback(db, ada, id));
  assert.equal((await listOwnTickets(db, ada, { limit: 10 })).rows.length, 0);
});
