import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLogin } from '#app/domain/accounts/sign-in.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { listPosts, listScheduled } from '#app/domain/posts/posts.ts';
import { readAgenda } from '#app/domain/queue/agenda.ts';
import { listTopics } from '#app/domain/topics/topics.ts';
import { listFacts } from '#app/domain/voice/fact-list.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { makeDemo } from '#scripts/demo/make-demo.ts';
import { DEMO_ADMIN, DEMO_USER } from '#scripts/demo/people.ts';
import { PUBLISHED_STORY, SCHEDULED_STORY, STORY_FACTS } from '#scripts/demo/story.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';

const { db } = await testDatabase();

test('the demo has a user in the middle of their story and an admin, and is made once', async () => {
  const user = await makeDemo(db);
  assert.ok(user);
  assert.equal((await findActivePlan(db, user.userId))?.postsPerDay, 3);
  const page = PageQuery.parse({ limit: 100 });
  assert.equal((await listScheduled(db, user, page)).rows.length, SCHEDULED_STORY.length);
  const posts = (await listPosts(db, user, page)).rows;
  assert.equal(posts.filter(({ status }) => status === 'published').length, PUBLISHED_STORY.length);
  const voice = await findVoice(db, user.userId);
  assert.ok(voice.headline && voice.audience && voice.interviewedAt, 'the voice of the demo is filled');
  assert.equal((await listFacts(db, user, page)).rows.length, STORY_FACTS.length);
  for (const { id, name, lastUsedAt } of (await listTopics(db, user, page)).rows) {
    const { at } = await db
      .selectFrom('posts')
      .select(({ fn }) => fn.max('createdAt').as('at'))
      .where('topicId', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(lastUsedAt, at, name);
  }
  for (const [person, isAdmin] of [
    [DEMO_USER, false],
    [DEMO_ADMIN, true],
  ] as const) {
    const login = await checkLogin(db, person);
    assert.deepEqual([login.isVerified, login.isVerified && login.isAdmin], [true, isAdmin]);
  }
  assert.equal(await makeDemo(db), undefined);
});

test('no mail of the story goes out, and those of others do', async () => {
  const database = await testDatabase();
  const other = await makeUser(database.db);
  const code = { code: '123456', url: '' };
  await queueMail(database.db, { address: other.email, userId: null }, 'verifyEmail', code);
  await makeDemo(database.db);
  const waiting = await database.db
    .selectFrom('mails')
    .select('toAddress')
    .where('sentAt', 'is', null)
    .execute();
  assert.deepEqual(waiting, [{ toAddress: other.email }]);
});

test('the day of the demo is in full swing: something is out, something failed and something is to come', async () => {
  for (const time of ['03:10', '12:00', '22:40']) {
    const database = await testDatabase();
    const now = new Date(`2027-03-03T${time}:00`);
    const user = (await makeDemo(database.db, now))!;
    const { start, end } = localDayOf(now, user.timeZone);
    const timetable = await readTimetable(database.db, user.userId, now);
    const entries = await readAgenda(database.db, user, timetable, { from: start, to: end }, now);
    const states = entries.map((entry) => (entry.kind === 'post' ? entry.post.status : entry.kind));
    assert.deepEqual(states, ['published', 'failed', 'generated'], time);
    await database.close();
  }
});
