import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { listBoard } from '#app/domain/feedback/board.ts';
import { BoardQuery } from '#app/domain/feedback/schema.ts';
import { listPublishedByDay } from '#app/domain/operations/daily-figures.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { clearTopPosts, listTopPosts } from '#app/domain/posts/landing/top-posts.ts';
import { listPosts, listScheduled } from '#app/domain/posts/lists/list.ts';
import { listOutlinesOf } from '#app/domain/posts/lists/outlines.ts';
import { spanOf, toAgenda } from '#app/domain/publishing/slots/agenda.ts';
import { listTickets, TicketsQuery } from '#app/domain/support/list-tickets.ts';
import { listOwnTickets } from '#app/domain/support/tickets.ts';
import { listTopics } from '#app/domain/topics/topics.ts';
import { readClickAnalytics } from '#app/domain/visits/click-analytics.ts';
import { readVisitAnalytics } from '#app/domain/visits/visit-analytics.ts';
import { listFacts } from '#app/domain/voice/fact-list.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { makeDemo } from '#scripts/demo/make-demo.ts';
import { DEMO_FEEDBACK, DEMO_TICKETS, NEIGHBOURS } from '#scripts/demo/neighbours.ts';
import { DEMO_ADMIN, DEMO_USER } from '#scripts/demo/people.ts';
import { PUBLISHED_STORY, SCHEDULED_STORY, STORY_FACTS } from '#scripts/demo/story.ts';
import { makeSurroundings } from '#scripts/demo/surroundings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

test('the demo has a user in the middle of their story and an admin, and is made once', async () => {
  const demo = await makeDemo(db);
  assert.ok(demo);
  const { user } = demo;
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
    const { user } = (await makeDemo(database.db, now))!;
    const { start, end } = localDayOf(now, user.timeZone);
    const timetable = await readTimetable(database.db, user.userId, now);
    const within = { from: start, to: end };
    const posts = await listOutlinesOf(database.db, user, spanOf(within, user.timeZone), now);
    const entries = toAgenda(posts, timetable, within, now);
    const states = entries.map((entry) => (entry.kind === 'post' ? entry.post.status : entry.kind));
    assert.deepEqual(states, ['published', 'failed', 'generated'], time);
    await database.close();
  }
});

test('around the demo there are posts to show, wishes, questions and visits', async () => {
  const database = await testDatabase();
  const { db } = database;
  const now = new Date();
  const demo = (await makeDemo(db, now))!;
  const people = await makeSurroundings(db, demo, now);

  // As the sandbox does it for the demo: they are connected, and their posts have addresses.
  for (const [index, actor] of people.slice(1).entries()) {
    await makeConnection(db, actor);
    const networkUrn = `urn:li:share:70000000000000000${index}`;
    await db.updateTable('postSchedules').set({ networkUrn }).where('userId', '=', actor.userId).execute();
  }
  clearTopPosts(db);
  const shown = await listTopPosts(db);
  assert.deepEqual(
    shown.map(({ topicName }) => topicName),
    NEIGHBOURS.map(({ topic }) => topic.name),
  );

  const query = { ...BoardQuery.parse({}), ...PageQuery.parse({ limit: 100 }) };
  const board = (await listBoard(db, demo.admin, query)).rows;
  const open = DEMO_FEEDBACK.filter(({ status }) => status !== 'declined');
  assert.deepEqual(
    board.map(({ title, upvotes, status }) => [title, upvotes, status]).sort(),
    open.map(({ title, votes, status = 'new' }) => [title, votes.length, status]).sort(),
  );

  assert.equal((await listOwnTickets(db, demo.user, PageQuery.parse({}))).rows.length, 2);
  const desk = (await listTickets(db, TicketsQuery.parse({}), now)).rows;
  assert.deepEqual(
    [
      desk.length,
      desk.filter(({ waitsMs }) => waitsMs !== null).length,
      desk.filter(({ isLate }) => isLate).length,
    ],
    [DEMO_TICKETS.length, 1, 0],
  );

  const log = (await listAuditLog(db)).entries.map(({ createdAt }) => createdAt.getTime());
  assert.ok(log.length > 5);
  assert.deepEqual(
    log,
    [...log].sort((a, b) => b - a),
    'what admins did is told newest first',
  );

  const days = await listPublishedByDay(db, '2000-01-01');
  const out = await db
    .selectFrom('postSchedules')
    .select('postId')
    .where('status', '=', 'published')
    .execute();
  assert.equal(
    days.reduce((sum, { published }) => sum + published, 0),
    out.length,
  );

  const visits = await readVisitAnalytics(db);
  assert.ok(visits.recentVisits.every(({ visitedAt }) => visitedAt <= now));
  assert.ok(visits.topPages.length > 4 && visits.visitsByCountry.length > 4);
  const clicks = await readClickAnalytics(db);
  assert.equal(clicks.recentClicks.length, 7);

  const waiting = await db.selectFrom('mails').select('toAddress').where('sentAt', 'is', null).execute();
  assert.deepEqual(waiting, [], 'no mail of all this goes out');
  await database.close();
});
