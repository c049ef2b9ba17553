import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { inRequest } from '#app/domain/platform/events.ts';
import { enqueue, enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';
import { startWorker, WATCHED } from '#tests/harness/worker/process.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});

const linesOf = (said: string) =>
  said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

test('a job bears the id of the request that added it, one by one or together', async () => {
  const { db } = database;
  const { userId } = await makeUser(db);
  const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  await inRequest('request-1', () => enqueue(db, jobs.publishPost, { postId: first }));
  await inRequest('request-2', () => enqueueAll(db, jobs.publishPost, [{ postId: second }]));
  await enqueue(db, jobs.refitQueue, { userId });
  const { rows } = await sql<{ payload: unknown }>`select payload from graphile_worker._private_jobs
    order by id`.execute(db);
  assert.deepEqual(
    rows.map(({ payload }) => payload),
    [{ postId: first, requestId: 'request-1' }, { postId: second, requestId: 'request-2' }, { userId }],
  );
  await sql`delete from graphile_worker._private_jobs`.execute(db);
});

test('what a press on a page has done by a worker is found by the id of that request', async (t) => {
  const { db } = database;
  const env = { LOG_LEVEL: 'info', LINKEDIN_API_URL: `${outside.url}/linkedin-api` };
  const web = await startWeb({ databaseUrl: database.url, env });
  const worker = await startWorker((end) => t.after(end), database, { ...env, ...WATCHED });
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 3_600_000) });
  const browser = await browserOf(db, actor, web.url);
  const answer = await browser.post(`/app/posts/${postId}/publish`);
  const requestId = answer.headers.get('X-Request-Id');
  assert.match(requestId ?? '', /^[\da-f-]{36}$/);
  const ofRequest = () => linesOf(worker.output()).filter((line) => line.requestId === requestId);
  await until('the post is out', () => ofRequest().some((line) => line.event === 'publish_outcome'));
  const outcome = ofRequest().find((line) => line.event === 'publish_outcome');
  assert.deepEqual([outcome.postId, outcome.state], [postId, 'published']);
  const called = ofRequest().find((line) => line.msg === 'LinkedIn answered');
  assert.match(called?.jobId ?? '', /^\d+$/, 'other lines of the job bear it, too');
});
