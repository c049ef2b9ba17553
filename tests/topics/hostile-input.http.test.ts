import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function somebody(name = 'Quiet launches') {
  const { db } = database;
  const actor = await makeUser(db);
  const { id } = await makeTopic(db, actor, name);
  const Authorization = `Bearer ${await tokenOf(db, actor)}`;
  const send = async (method: string, path: string, body?: string, type = 'application/json') => {
    const headers: Record<string, string> = {
      Authorization,
      ...(body === undefined ? {} : { 'Content-Type': type }),
    };
    const answer = await fetch(`${url}/api/v1/topics/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    await answer.body?.cancel();
    return answer.status;
  };
  const read = (topicId = id) =>
    db.selectFrom('topics').selectAll().where('id', '=', topicId).executeTakeFirstOrThrow();
  return { actor, id, send, read };
}

const NO_DAY = [
  '9999-12-31',
  '0001-01-01',
  '-1',
  '2027-02-29',
  '-271821-04-19',
  '+010000-01-01',
  '2027-1-1',
  '2027-01-01T00:00',
  'NaN',
  'Infinity',
  '',
  ' ',
  '１２３４-0５-06',
  '2027-01-01\u0000',
];
const NO_TEXT: unknown[] = [
  null,
  Number.NaN,
  1e308,
  -1,
  true,
  {},
  [],
  ['2027-01-01'],
  { toString: '2027-01-01' },
];

test('a day that is none, in every form, pauses nothing by API or form', async () => {
  const { actor, id, send, read } = await somebody();
  const before = await read();
  for (const until of [...NO_DAY, ...NO_TEXT]) {
    assert.equal(await send('PUT', `${id}/pause`, JSON.stringify({ until })), 422, JSON.stringify(until));
  }
  const proto = '{"__proto__":{"until":"2027-01-01"},"constructor":{"prototype":{"until":"2027-01-01"}}}';
  assert.equal(await send('PUT', `${id}/pause`, proto), 422);
  const browser = await browserOf(database.db, actor, url);
  for (const until of NO_DAY) {
    const answer = await browser.post(`/app/topics?pause=${id}`, { until });
    await answer.body?.cancel();
    assert.equal(answer.status, 422, until);
  }
  const many = Array.from({ length: 10_000 }, (_, n) => [`f${n % 9}`, '']);
  for (const fields of [
    [],
    [['until[0]', '2027-01-01']],
    [['until.a', '1']],
    [['__proto__[until]', '1']],
    many,
  ]) {
    const answer = await browser.post(`/app/topics?pause=${id}`, fields);
    await answer.body?.cancel();
    assert.ok([400, 413, 422].includes(answer.status), `${fields[0]}: ${answer.status}`);
  }
  assert.deepEqual(await read(), before);
});

test('a body of another kind or size, and a method that there is not, change nothing', async () => {
  const { id, send, read } = await somebody();
  const before = await read();
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const body = JSON.stringify({ until: day });
  for (const verb of ['pause', 'resume', 'toggle']) {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      assert.equal(await send('PUT', `${id}/${verb}`, body, type), 415, `${verb} ${type}`);
    }
    assert.equal(await send('PUT', `${id}/${verb}`, `{"a":"${'x'.repeat(70_000)}"}`), 413, verb);
    assert.equal(await send('PUT', `${id}/${verb}`, '{"until":'), 400, verb);
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH']) {
      assert.equal(await send(method, `${id}/${verb}`), 405, `${method} ${verb}`);
    }
    assert.equal(await send('OPTIONS', `${id}/${verb}`), 204);
  }
  assert.deepEqual(await read(), before);
});

test('the topic of somebody else cannot be paused, resumed, read, written about or shown in a dialog', async () => {
  const owner = await somebody('Secret launches');
  const other = await somebody();
  const before = await owner.read();
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', '{"name":"Mine"}'],
    ['DELETE', '', undefined],
    ['PUT', '/toggle', '{}'],
    ['PUT', '/pause', JSON.stringify({ until: day })],
    ['PUT', '/resume', '{}'],
  ] as const) {
    assert.equal(await other.send(method, owner.id + path, body), 404, `${method} ${path}`);
  }
  const browser = await browserOf(database.db, other.actor, url);
  const presses = [
    [`/app/topics?pause=${owner.id}`, { until: day }],
    [`/app/topics/${owner.id}/resume`, {}],
    [`/app/topics/${owner.id}/toggle`, {}],
    [`/app/topics/${owner.id}/delete`, {}],
    [`/app/topics/${owner.id}/trust`, {}],
    ['/app/generate', { topicId: owner.id, count: '1' }],
  ] as const;
  for (const [address, fields] of presses) {
    await (await browser.post(address, fields)).body?.cancel();
  }
  const { count } = await database.db
    .selectFrom('generationRuns')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', other.actor.userId)
    .executeTakeFirstOrThrow();
  assert.equal(count, '0');
  for (const name of ['edit', 'pause']) {
    const shown = await browser.read(`/app/topics?${name}=${owner.id}`);
    assert.ok(!shown.includes('Secret launches'), name);
  }
  assert.deepEqual(await owner.read(), before);
});
