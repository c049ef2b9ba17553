import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUnsubscribe, unsubscribe } from '#app/domain/accounts/unsubscribe.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { listOptOuts, setMailChoices, unsubscribeLink } from '#app/domain/email/choices.ts';
import { MAIL_CHOICES } from '#app/domain/email/limits.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const invalid = { status: 404, code: 'link_invalid' };
const url = 'https://tidepost.example/app';
const paused = { topic: 'Calm handovers', reason: 'It is ruled out', times: 3, url };

const linkOf = (user: { userId: string; email: string }, choice: (typeof MAIL_CHOICES)[number]) => {
  const { searchParams } = new URL(unsubscribeLink({ userId: user.userId, address: user.email }, choice));
  return { from: searchParams.get('from')!, key: searchParams.get('key')! };
};

test('what was switched off is not written, and all else is', async () => {
  const user = await makeUser(db);
  const write = async () => {
    await mailUser(db, user.userId, 'topicPaused', paused as never);
    await mailUser(db, user.userId, 'passwordChanged', { url });
    await mailUser(db, user.userId, 'connectLinkedIn', { posts: 1, url });
  };
  const counts = async () =>
    Promise.all(
      (['topicPaused', 'passwordChanged', 'connectLinkedIn'] as const).map(
        async (kind) => (await mailsTo(db, user.email, kind)).length,
      ),
    );
  assert.deepEqual(await listOptOuts(db, user.userId), []);
  await write();
  assert.deepEqual(await counts(), [1, 1, 1]);
  await setMailChoices(db, user.userId, ['schedule', 'reminders']);
  assert.deepEqual(await listOptOuts(db, user.userId), ['topics']);
  await write();
  assert.deepEqual(await counts(), [1, 2, 2]);
  await setMailChoices(db, user.userId, []);
  await write();
  assert.deepEqual(await counts(), [1, 3, 2], 'what is essential comes in any case');
  await setMailChoices(db, user.userId, MAIL_CHOICES);
  await write();
  assert.deepEqual(await counts(), [2, 4, 3]);
});

test('a link ends what it names for whom it was mailed to, and nothing else', async () => {
  const [user, other] = [await makeUser(db), await makeUser(db)];
  const link = linkOf(user, 'topics');
  assert.deepEqual(await openUnsubscribe(db, link), { userId: user.userId, choice: 'topics' });
  assert.deepEqual(await listOptOuts(db, user.userId), [], 'to look changes nothing');
  const forged = [
    { ...link, from: 'schedule' },
    { ...link, from: 'essential' },
    { ...link, key: link.key.replace(user.userId, other.userId) },
    { ...link, key: `${link.key.slice(0, 40)}${link.key[40] === 'A' ? 'B' : 'A'}${link.key.slice(41)}` },
    { ...link, key: `${user.userId}.` },
    { ...link, key: link.key.replace(user.userId, crypto.randomUUID()) },
    { from: '', key: '' },
  ];
  for (const each of forged) await assert.rejects(unsubscribe(db, each), invalid, JSON.stringify(each));
  assert.deepEqual(await listOptOuts(db, user.userId), []);
  assert.deepEqual(await listOptOuts(db, other.userId), []);
  for (const _ of [1, 2]) assert.equal(await unsubscribe(db, link), 'topics');
  assert.deepEqual(await listOptOuts(db, user.userId), ['topics']);
  const gone = linkOf(other, 'topics');
  await db
    .updateTable('users')
    .set({ email: 'elsewhere@example.com' })
    .where('id', '=', other.userId)
    .execute();
  await assert.rejects(unsubscribe(db, gone), invalid);
});
