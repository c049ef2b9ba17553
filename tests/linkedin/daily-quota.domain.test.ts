import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { checkQuota, listLinkedInDays, readQuota, writeCalls } from '#app/domain/linkedin/daily-quota.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { pauseForAppLimit } from '#app/domain/publishing/safety/pause.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const DAY = 86_400_000;
const now = new Date();

beforeEach(() => db.deleteFrom('linkedinDays').execute());

const ofToday = (calls: number, limitAt: number | null = null, at = now) =>
  db
    .insertInto('linkedinDays')
    .values({ day: at.toISOString().slice(0, 10), resource: 'posts', calls, limitAt })
    .execute();
const faultKeys = async () => (await listOperatorFaults(db)).map(({ key }) => key);

test('every post that LinkedIn is asked to take counts for its day, an answer or not', async () => {
  const actor = await makePublisher(db, outside.url);
  await writeCalls(db);
  await db.deleteFrom('linkedinDays').execute();
  const send = async () =>
    publishPost(db, await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 1_000) }));
  await send();
  await outside.fault('linkedin.drop-before');
  await send();
  await writeCalls(db);
  await writeCalls(db);
  const { posts } = await readQuota(db);
  assert.equal(posts, 2);
});

test('what could not be written down is counted later', async () => {
  const actor = await makePublisher(db, outside.url);
  await writeCalls(db);
  await db.deleteFrom('linkedinDays').execute();
  await publishPost(db, await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 1_000) }));
  await sql`alter table linkedin_days rename to away`.execute(db);
  await assert.rejects(writeCalls(db));
  await sql`alter table away rename to linkedin_days`.execute(db);
  await writeCalls(db);
  assert.equal((await readQuota(db)).posts, 1);
});

test('admins are told from 75% of what LinkedIn takes in a day, until the day is over', async () => {
  await ofToday(74, 100);
  await checkQuota(db, now);
  assert.deepEqual(await faultKeys(), []);
  await db.updateTable('linkedinDays').set({ calls: 75 }).execute();
  await checkQuota(db, now);
  assert.deepEqual(await faultKeys(), ['linkedin-budget']);
  assert.match((await listOperatorFaults(db))[0]!.message, /75 posts today, of about 100/);
  await checkQuota(db, new Date(now.getTime() + DAY));
  assert.deepEqual(await faultKeys(), []);
});

test('what the operator has set goes before what was met; without either there is no alarm', async () => {
  await ofToday(500);
  assert.deepEqual(await readQuota(db, now), { posts: 500, other: 0, limit: null, isLearned: false });
  await checkQuota(db, now);
  assert.deepEqual(await faultKeys(), []);
  await pauseForAppLimit(db, new Date(now.getTime() + DAY), 'LinkedIn takes no more', now);
  assert.deepEqual(await readQuota(db, now), { posts: 500, other: 0, limit: 500, isLearned: true });
  await db.updateTable('linkedinDays').set({ calls: 600 }).execute();
  await pauseForAppLimit(db, new Date(now.getTime() + DAY), 'LinkedIn takes no more', now);
  assert.equal((await readQuota(db, now)).limit, 500, 'the first of a day is what it takes');
  assert.equal((await readQuota(db, now, 2_000)).limit, 2_000);
  assert.deepEqual(
    (await listLinkedInDays(db, 30, now)).map(({ posts, limitAt }) => [posts, limitAt]),
    [[600, 500]],
  );
});
