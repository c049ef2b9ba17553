import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { recordFailedTurn } from '#app/domain/topics/turns.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { failTopic, makeTopic } from '#tests/fixtures/posts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function somebody() {
  const actor = await makeUser(database.db, {});
  const { id } = await makeTopic(database.db, actor, 'Quiet launches');
  const token = await tokenOf(database.db, actor);
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1/topics${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return { id, call };
}

const pauseOf = ({ body }: { body: { topic: Record<string, unknown> } }) => {
  const { active, paused, pausedUntil, reason } = body.topic;
  return { active, paused, pausedUntil, reason };
};
const NOT_PAUSED = { active: true, paused: false, pausedUntil: null, reason: null };
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('a topic is paused until a day and resumed, and says so in each answer', async () => {
  const { id, call } = await somebody();
  assert.deepEqual(pauseOf(await call('GET', `/${id}`)), NOT_PAUSED);
  const until = dayIn(7);
  const paused = await call('PUT', `/${id}/pause`, { until });
  assert.equal(paused.status, 200);
  const expected = { ...NOT_PAUSED, paused: true, pausedUntil: `${until}T00:00:00.000Z` };
  assert.deepEqual(pauseOf(paused), expected);
  assert.deepEqual((await call('GET', '')).body.topics[0], paused.body.topic);
  const resumed = await call('PUT', `/${id}/resume`);
  assert.deepEqual([resumed.status, pauseOf(resumed)], [200, NOT_PAUSED]);
});

test('a day that cannot be is refused beside its field, and nothing is paused', async () => {
  const { id, call } = await somebody();
  for (const [body, sentence] of [
    [{}, 'Please give a date as YYYY-MM-DD'],
    [{ until: '2026-02-30' }, 'Please give a date as YYYY-MM-DD'],
    [{ until: 7 }, 'Please give a date as YYYY-MM-DD'],
    [{ until: dayIn(0) }, 'Please choose a day from tomorrow on'],
    [{ until: dayIn(400) }, 'Please choose a day within the next 12 months'],
  ] as const) {
    const { status, body: answer } = await call('PUT', `/${id}/pause`, body);
    assert.deepEqual([status, answer.code, answer.fields], [422, 'invalid', { until: [sentence] }]);
  }
  assert.deepEqual(pauseOf(await call('GET', `/${id}`)), NOT_PAUSED);
  await call('PUT', `/${id}/toggle`);
  const inactive = await call('PUT', `/${id}/pause`, { until: dayIn(2) });
  assert.deepEqual([inactive.status, inactive.body.code], [409, 'topic_inactive']);
});

test('a topic that was paused because it failed says why', async () => {
  const { id, call } = await somebody();
  const failure = 'the writer declined to write about it';
  await failTopic(database.db, id, failure);
  assert.deepEqual(pauseOf(await call('GET', `/${id}`)), { ...NOT_PAUSED, paused: true, reason: failure });
  assert.deepEqual(pauseOf(await call('PUT', `/${id}/resume`)), NOT_PAUSED);
  await transact(database.db, (trx) => recordFailedTurn(trx, id, failure, new Date()));
  assert.deepEqual(pauseOf(await call('GET', `/${id}`)), NOT_PAUSED, 'a failure alone is no pause');
});
