import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import type { Refusal } from '#app/domain/platform/refusal.ts';
import { SAVED_REPLIES_MAX, TICKET_REPLY_MAX } from '#app/domain/support/limits.ts';
import {
  deleteSavedReply,
  fillPlaceholders,
  listSavedReplies,
  saveReply,
} from '#app/domain/support/save-reply.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const refused = (code: string) => (error: Refusal) => error.code === code;

test('a reply is saved for all admins, has a title of its own, is changed and deleted, and the log says so', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const save = (title: string, message: string, replyId: string | null = null) =>
    saveReply(db, admin, { title, message, replyId });
  const { id } = await save('zones', 'Choose your zone.');
  await save('Refunds', 'It takes five days.');
  await assert.rejects(save('ZONES', 'Again.'), refused('title_taken'));
  await save('Zones', 'Choose your zone in the settings.', id);
  const said = async () => (await listSavedReplies(db)).map(({ title, message }) => `${title}: ${message}`);
  assert.deepEqual(await said(), [
    'Refunds: It takes five days.',
    'Zones: Choose your zone in the settings.',
  ]);
  for (const missing of [crypto.randomUUID(), 'nothing']) {
    await assert.rejects(save('Other', 'Text.', missing), refused('not_found'));
    await assert.rejects(deleteSavedReply(db, admin, missing), refused('not_found'));
  }
  await deleteSavedReply(db, admin, id);
  assert.deepEqual(await said(), ['Refunds: It takes five days.']);
  const { entries } = await listAuditLog(db, { adminId: admin.userId });
  assert.deepEqual(entries.map(({ action, detail }) => [action, detail.title]).reverse(), [
    ['support.reply_saved', 'zones'],
    ['support.reply_saved', 'Refunds'],
    ['support.reply_saved', 'Zones'],
    ['support.reply_deleted', 'Zones'],
  ]);
});

test('two titles are the same where the database takes them for the same', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const save = (title: string, replyId: string | null = null) =>
    saveReply(db, admin, { title, message: 'Text.', replyId });
  const { id } = await save('ΑΣ');
  await assert.rejects(save('ασ'), refused('title_taken'));
  assert.equal((await save('ασ', id)).title, 'ασ');
  await deleteSavedReply(db, admin, id);
});

test('nobody saves or deletes a reply who is no admin any more', async () => {
  const former = await makeUser(db);
  await assert.rejects(saveReply(db, former, { title: 'Mine', message: 'Text.', replyId: null }));
  const [reply] = await listSavedReplies(db);
  await assert.rejects(deleteSavedReply(db, former, reply!.id));
  assert.ok((await listSavedReplies(db)).some(({ id }) => id === reply!.id));
});

test('so many are kept, however many are saved at once', async () => {
  const admin = await makeUser(db, { isAdmin: true });
  const results = await Promise.allSettled(
    Array.from({ length: SAVED_REPLIES_MAX + 5 }, (_, nth) =>
      saveReply(db, admin, { title: `Reply ${nth}`, message: 'Text.', replyId: null }),
    ),
  );
  const { rows } = { rows: await db.selectFrom('savedReplies').select('id').execute() };
  assert.equal(rows.length, SAVED_REPLIES_MAX);
  for (const result of results)
    if (result.status === 'rejected') assert.equal((result.reason as Refusal).code, 'too_many');
});

test('what an answer begins with names who asked and their request, and is no longer than an answer', () => {
  const asked = { name: '{number} $& Ada', number: 1007 };
  assert.equal(
    fillPlaceholders('Dear {name}, about {number}: {topic}', asked),
    'Dear {number} $& Ada, about #1007: {topic}',
  );
  const fits = 'x'.repeat(TICKET_REPLY_MAX - 1);
  assert.equal(fillPlaceholders(`${fits}😀`, asked), fits, 'half a sign is none');
  assert.equal(fillPlaceholders(`${'x'.repeat(TICKET_REPLY_MAX)}{name}`, asked).length, TICKET_REPLY_MAX);
});
