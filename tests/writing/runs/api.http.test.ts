import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Updateable } from 'kysely';
import type { Database } from '#app/db/tables.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function caller() {
  const { db } = database;
  const actor = await makeUser(db);
  const { id: topicId } = await makeTopic(db, actor);
  const Authorization = `Bearer ${await tokenOf(db, actor)}`;
  const ask = async (key?: string, count = 1, more: object = {}) => {
    const headers = { Authorization, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/automation/test-generate`, {
      method: 'POST',
      headers: key === undefined ? headers : { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify({ count, ...more }),
    });
    const { run, code } = (await answer.json()) as { run?: { _id: string }; code?: string };
    const isReplayed = answer.headers.get('Idempotency-Replayed') === 'true';
    return { status: answer.status, id: run?._id, code, isReplayed };
  };
  const runs = () =>
    db.selectFrom('generationRuns').select('id').where('userId', '=', actor.userId).execute();
  return { actor, topicId, ask, runs, browser: await browserOf(db, actor, url) };
}

test('of twenty calls at once those begin for which free posts are left', async () => {
  const { ask, runs } = await caller();
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask(undefined, FREE_POSTS_A_MONTH)));
  assert.deepEqual(asked.map(({ status, code }) => `${status} ${code}`).toSorted(), [
    '202 undefined',
    ...Array(19).fill('402 subscription_required'),
  ]);
  assert.equal((await runs()).length, 1);
});

test('a run of somebody else is neither read nor stopped, and one is stopped once', async () => {
  const [mine, other] = [await caller(), await caller()];
  const { id } = await mine.ask();
  await other.browser.post(`/app/runs/${id}/stop`);
  assert.match(await other.browser.read('/app/dashboard'), /This run was not found/);
  const run = () =>
    database.db.selectFrom('generationRuns').selectAll().where('id', '=', id!).executeTakeFirstOrThrow();
  assert.equal((await run()).status, 'queued');
  await Promise.all(Array.from({ length: 5 }, () => mine.browser.post(`/app/runs/${id}/stop`)));
  const stopped = await run();
  assert.deepEqual([stopped.status, stopped.failed, stopped.error], ['complete', 1, 'You stopped it']);
  await mine.browser.post(`/app/runs/${id}/stop`);
  assert.deepEqual(await run(), stopped);
});

test('a run that is stopped at any of its stages says what is true, and ends once', async () => {
  const stages: { stage: string; stands: Updateable<Database['generationRuns']>; said: RegExp }[] = [
    {
      stage: 'waiting',
      stands: { status: 'queued' },
      said: /Writing has stopped\. What was ready is in your queue\./,
    },
    {
      stage: 'writing',
      stands: {
        status: 'running',
        leaseUntil: new Date(Date.now() + 60_000),
      },
      said: /Writing has stopped\. What was ready is in your queue\./,
    },
    {
      stage: 'between two places',
      stands: { status: 'running', leaseUntil: null },
      said: /Writing has stopped\. What was ready is in your queue\./,
    },
    {
      stage: 'finished',
      stands: { status: 'complete', finishedAt: new Date() },
      said: /Writing was over already, so nothing was stopped\./,
    },
    {
      stage: 'failed',
      stands: { status: 'complete', finishedAt: new Date(), error: 'The writer did not answer' },
      said: /Writing was over already, so nothing was stopped\./,
    },
  ];
  for (const { stage, stands, said } of stages) {
    const { ask, browser } = await caller();
    const id = (await ask(undefined, 3)).id!;
    await database.db.updateTable('generationRuns').set(stands).where('id', '=', id).execute();
    const read = () =>
      database.db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const before = await read();
    await browser.post(`/app/runs/${id}/stop`);
    assert.match(wordsOf(await browser.read('/app/dashboard')), said, stage);
    const after = await read();
    if (before.status === 'complete') assert.deepEqual(after, before, stage);
    assert.deepEqual([after.status, after.finishedAt === null], ['complete', false], stage);
    await browser.post(`/app/runs/${id}/stop`);
    assert.match(wordsOf(await browser.read('/app/dashboard')), said, `${stage}, pressed twice`);
    assert.deepEqual(await read(), after, stage);
  }
});

test('what is written again is over already when it is stopped too late, and its text is not said to be as it was', async () => {
  const { actor, browser } = await caller();
  const postId = await makeScheduledPost(database.db, actor, { content: 'We sold 80 boats.' });
  const times = { createdAt: new Date(), finishedAt: new Date() };
  const run = { userId: actor.userId, postId, requested: 0, status: 'complete' as const, ...times };
  const { id } = await database.db
    .insertInto('generationRuns')
    .values(run)
    .returning('id')
    .executeTakeFirstOrThrow();
  const answer = await browser.post(`/app/runs/${id}/stop`);
  const words = wordsOf(await browser.read(answer.headers.get('Location')!));
  assert.match(words, /Writing was over already, so nothing was stopped\./);
  assert.doesNotMatch(words, /Writing has stopped/);
});

test('who has posts written and stops them, again and again, is asked to wait in every way', async () => {
  const { ask, runs, browser } = await caller();
  for (let asked = 0; asked < 59; asked += 1) {
    const { id } = await ask();
    assert.equal((await browser.post(`/app/runs/${id}/stop`)).status, 302);
  }
  assert.equal((await browser.post('/app/generate', { count: '1' })).status, 302);
  assert.equal((await runs()).length, 60);
  assert.deepEqual(await ask(), { status: 429, id: undefined, code: 'rate_limited', isReplayed: false });
  await browser.post('/app/generate', { count: '1' });
  assert.equal((await runs()).length, 60);
});
