import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, standAs, takeOut } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { mainOf } from '#tests/harness/http/browser.ts';
import { listenOnTheWay } from '#tests/harness/statement-log.ts';
import { startWeb } from '#tests/harness/web.ts';

const QUERIES_MOST = 4;
const DAY_MS = 86_400_000;

const { db, url } = await testDatabase();
const way = await listenOnTheWay(url);
const web = await startWeb({ databaseUrl: way.url });

/**
 * Makes a user with a plan, a connection, topics, posts to approve, generation runs, and a history with publish
 * attempts.
 */
async function makeBusyUser() {
  const actor = await makeUser(db);
  await makePlan(db, actor, 2, new Date(Date.now() - 3 * DAY_MS));
  await makeConnection(db, actor);
  await db
    .insertInto('automationSettings')
    .values({ userId: actor.userId, publishTimes: ['09:00', '17:00'], requiresApproval: true })
    .execute();
  const topics = [
    await makeTopic(db, actor),
    await makeTopic(db, actor, 'Hiring'),
    await makeTopic(db, actor, 'Sales'),
  ];
  const topicId = topics[0]!.id;
  for (let day = 1; day <= 30; day++) {
    const dueAt = new Date(Date.now() + day * DAY_MS);
    const id = await makeScheduledPost(db, actor, { dueAt, content: `A post of the queue ${day}` });
    await db.updateTable('posts').set({ topicId }).where('id', '=', id).execute();
    if (day % 2 === 0) await standAs(db, id, { status: 'pending' });
    await transact(db, (trx) =>
      storeBrief(trx, { postId: id, userId: actor.userId }, composedOf(`A post of the queue ${day}`), dueAt),
    );
  }
  for (let day = 0; day < 30; day++) {
    const at = new Date(Date.now() - (day + 0.1) * DAY_MS);
    const id = await makeScheduledPost(db, actor, { dueAt: at, content: `A post of the past ${day}` });
    await takeOut(db, id);
    await makeAttempt(db, actor, id, { state: 'published', startedAt: at, finishedAt: at, resolvedAt: at });
    if (day % 7 > 0)
      await standAs(db, id, { status: 'published', postedAt: at, networkUrn: `urn:li:share:${id}` });
    else
      await standAs(db, id, { status: 'failed', failedAt: at, failure: 'refused', reason: 'It was refused' });
  }
  await db
    .insertInto('generationRuns')
    .values({
      userId: actor.userId,
      status: 'complete',
      requested: 2,
      done: 2,
      scheduledFor: new Date(),
      finishedAt: new Date(),
    })
    .execute();
  return actor;
}

const PAGES = {
  '/app/dashboard': /A post of the queue 1\b/,
  '/app/scheduled': /A post of the queue 25\b/,
  '/app/posts': /A post of the past 10\b/,
  '/app/scheduled?view=month': /A post of the queue \d/,
};

test('a page of a user with a full account makes at most four queries', async (t) => {
  const browser = await browserOf(db, await makeBusyUser(), web.url);
  await browser.read('/app/dashboard');
  for (const [address, isThere] of Object.entries(PAGES)) {
    for (const path of [address, address.replace(/(?=\?|$)/, '.data')]) {
      way.take();
      const answer = await browser.get(path);
      const asked = way.take().map(({ text }) => text.replace(/\s+/g, ' ').slice(0, 160));
      const html = await answer.text();
      assert.equal(answer.status, 200, path);
      assert.match(path === address ? mainOf(html) : html, isThere, path);
      t.diagnostic(`${path}: ${asked.length}`);
      assert.ok(asked.length <= QUERIES_MOST, `${path} asks ${asked.length} times:\n${asked.join('\n')}`);
    }
  }
});
