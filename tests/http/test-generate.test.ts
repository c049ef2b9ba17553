import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { makeTopic } from '#tests/make/posts.ts';
import { browserOf, tokenOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function caller() {
  const { db } = database;
  const actor = await makeUser(db);
  await makeTopic(db, actor);
  const Authorization = `Bearer ${await tokenOf(db, actor)}`;
  const ask = async (key?: string, count = 1) => {
    const headers = { Authorization, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/automation/test-generate`, {
      method: 'POST',
      headers: key === undefined ? headers : { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify({ count }),
    });
    const { run, code } = (await answer.json()) as { run?: { _id: string }; code?: string };
    return { status: answer.status, id: run?._id, code };
  };
  const runs = () => db.selectFrom('runs').select('id').where('userId', '=', actor.userId).execute();
  return { ask, runs, browser: await browserOf(db, actor, url) };
}

test('a call that is sent again with its key begins nothing more, also at once', async () => {
  const { ask, runs } = await caller();
  const asked = await Promise.all([ask('order-1'), ask('order-1'), ask('order-1')]);
  assert.deepEqual(
    asked.map(({ status, id }) => [status, id]),
    Array(3).fill([202, asked[0]!.id]),
  );
  assert.notEqual((await ask('order-2')).id, asked[0]!.id);
  assert.equal((await runs()).length, 2);
  const other = await caller();
  assert.notEqual((await other.ask('order-1')).id, asked[0]!.id, 'a key is its own for each account');
});

test('without a key each call asks anew, and a key that is none is refused', async () => {
  const { ask, runs } = await caller();
  assert.notEqual((await ask()).id, (await ask()).id);
  for (const key of ['', 'two words', 'é', 'a'.repeat(201)]) {
    const { status, code } = await ask(key);
    assert.deepEqual([status, code], [400, 'malformed'], key);
  }
  assert.equal((await runs()).length, 2);
});

test('who has posts written and stops them, again and again, is asked to wait in every way', async () => {
  const { ask, runs, browser } = await caller();
  for (let asked = 0; asked < 59; asked += 1) {
    const { id } = await ask();
    assert.equal((await browser.post(`/app/runs/${id}/stop`)).status, 302);
  }
  assert.equal((await browser.post('/app/generate', { count: '1' })).status, 302);
  assert.equal((await runs()).length, 60);
  assert.deepEqual(await ask(), { status: 429, id: undefined, code: 'rate_limited' });
  await browser.post('/app/generate', { count: '1' });
  assert.equal((await runs()).length, 60);
});
