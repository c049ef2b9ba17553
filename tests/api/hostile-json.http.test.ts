import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function sender() {
  const actor = await makeUser(database.db);
  const headers = {
    Authorization: `Bearer ${await tokenOf(database.db, actor)}`,
    'Content-Type': 'application/json',
  };
  const send = async (body: string) => {
    const answer = await fetch(`${url}/api/v1/topics`, { method: 'POST', headers, body });
    const { code, message } = (await answer.json()) as { code?: string; message?: string };
    return { status: answer.status, code, message };
  };
  const topics = () =>
    database.db.selectFrom('topics').selectAll().where('userId', '=', actor.userId).execute();
  return { send, topics };
}

test('an object that names a field twice is refused, wherever it stands, and changes nothing', async () => {
  const { send, topics } = await sender();
  for (const body of [
    '{"name":"One","name":"Two"}',
    String.raw`{"name":"One","n\u0061me":"Two"}`,
    '{"name":"One","more":{"a":1,"a":1}}',
    '{"name":"One","more":[{"b":1},{"b":1,"c":2,"b":3}]}',
    '{"name":"One","__proto__":{},"__proto__":{}}',
  ]) {
    const { status, code, message } = await send(body);
    assert.deepEqual([status, code], [400, 'malformed'], body);
    assert.match(message!, /names a field twice/);
  }
  assert.deepEqual(await topics(), []);
  assert.equal((await send('{"name":"One","more":[{"name":1},{"name":1}]}')).status, 201);
});

test('what is no field of ours is left out, whatever it is called', async () => {
  const { send, topics } = await sender();
  const body =
    '{"name":"Plain","__proto__":{"isActive":false},"constructor":{"prototype":{"tone":"x"}},"userId":"other"}';
  assert.equal((await send(body)).status, 201);
  const [topic] = await topics();
  assert.deepEqual([topic!.name, topic!.isActive, topic!.tone], ['Plain', true, 'professional']);
  assert.equal(({} as { isActive?: boolean }).isActive, undefined);
});

test('a body that is nested without end is no JSON of ours', async () => {
  const { send, topics } = await sender();
  for (const body of [
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    '{"a":'.repeat(10_000),
    '//\n{"name":"x"}',
    '',
  ]) {
    const { status } = await send(body);
    assert.ok([400, 422].includes(status), String(status));
  }
  assert.deepEqual(await topics(), []);
});
