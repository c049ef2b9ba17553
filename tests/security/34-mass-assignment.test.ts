import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { ROOT } from '#scripts/run.ts';
import { makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

/** What no form of ours sends, and no row of ours has. */
const TEXT = 'mass4242';
const NUMBER = 424_242;
const INSTANT = '2099-12-31T00:00:00.000Z';
/** A form may have a hundred fields. */
const AT_ONCE = 80;

let database: TestDatabase;
let url: string;
let stranger: Actor;
let hostile: [name: string, value: unknown][];

/** The fields that any schema of ours takes: they are there to be written. */
async function knownFields(): Promise<Set<string>> {
  const names = new Set<string>();
  for (const file of globSync('app/domain/**/schema.ts', { cwd: ROOT })) {
    for (const value of Object.values(await import(path.join(ROOT, file)))) {
      const { shape } = value as { shape?: object };
      for (const name of Object.keys(shape ?? {})) names.add(name);
    }
  }
  return names;
}

function valueFor(name: string, type: string): unknown {
  if (name === 'role') return 'admin';
  if (name === 'status') return 'active';
  if (type === 'uuid') return stranger.userId;
  if (type === 'boolean') return true;
  if (/^(?:integer|bigint|numeric|smallint)$/.test(type)) return NUMBER;
  if (/^(?:timestamp|date)/.test(type)) return INSTANT;
  return TEXT;
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  stranger = await makeUser(database.db);
  const known = await knownFields();
  const { rows } = await database.pool.query<{ name: string; type: string }>(
    `select column_name as name, min(data_type) as type from information_schema.columns
     where table_schema = 'public' group by column_name`,
  );
  const columns = rows.filter(({ name }) => !known.has(name) && !known.has(camel(name)));
  hostile = columns.flatMap(({ name, type }) =>
    [...new Set([name, camel(name)])].map((each) => [each, valueFor(name, type)] as [string, unknown]),
  );
  for (const name of ['isAdmin', 'plan', 'paidUntil', 'verified', '_id', 'isVerified'])
    hostile.push([name, true]);
  for (const name of [
    'role',
    'userId',
    'user_id',
    'passwordHash',
    'reauthenticatedAt',
    'verifiedAt',
    'expiresAt',
  ]) {
    assert.ok(
      hostile.some(([each]) => each === name),
      name,
    );
  }
});

/** Every row of every table of ours, as text; those of the stranger apart. */
async function everything(): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts = tables.map(async ({ name }) => {
    const { rows } = await database.pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    return rows.map(({ row }) => `${name} ${row}`);
  });
  const all = (await Promise.all(texts)).flat();
  return all.filter((row) => !row.startsWith(`users (${stranger.userId}`)).join('\n');
}

async function checkNothingTaken(): Promise<void> {
  const stored = await everything();
  for (const value of [TEXT, String(NUMBER), '2099-12-31', stranger.userId]) {
    assert.ok(!stored.includes(value), String(stored.split('\n').find((row) => row.includes(value))));
  }
  const admins = await database.db.selectFrom('users').select('id').where('role', '=', 'admin').execute();
  const free = await database.db.selectFrom('payments').select('id').where('postsPerDay', '=', 5).execute();
  assert.deepEqual([admins.length, free.length], [0, 0]);
}

/** The calls that change something, with what each wants. `ids` are the sender's own. */
const bodiesOf = (ids: { topic: string; post: string }): Record<string, [address: string, body: object]> => ({
  'POST /topics': ['/topics', { name: 'Planning' }],
  'PUT /topics/:id': [`/topics/${ids.topic}`, { name: 'Planning well' }],
  'PUT /topics/:id/toggle': [`/topics/${ids.topic}/toggle`, {}],
  'PUT /topics/:id/pause': [`/topics/${ids.topic}/pause`, {}],
  'PUT /topics/:id/resume': [`/topics/${ids.topic}/resume`, {}],
  'PUT /automation/settings': ['/automation/settings', { contentCreationTime: '06:00' }],
  'PUT /automation/posts/:id': [
    `/automation/posts/${ids.post}`,
    { content: 'A calm week begins on Friday.' },
  ],
  'POST /automation/posts/:id/approve': [`/automation/posts/${ids.post}/approve`, {}],
  'POST /payment/create': ['/payment/create', { postsPerDay: 1, currencyCode: 'USD' }],
  'POST /account/tokens': ['/account/tokens', { name: 'CI', scope: 'read' }],
});

/** What the rows of somebody say, without what no two people have alike. */
async function meaningOf({ userId, email }: Actor): Promise<string[]> {
  const tables = ['topics', 'automation_settings', 'posts', 'post_schedules', 'payments', 'sessions'];
  const rows = tables.map(async (name) => {
    const found = await database.pool.query(`select * from ${name} where user_id = $1`, [userId]);
    return found.rows.map((row) => `${name} ${JSON.stringify(row)}`);
  });
  const apart = /"[\w-]{36}"|"[\w-]{43}"|"\d{4}-\d\d-\d\dT[^"]+"|"TP-\w+"|"\w*transaction\w*":"[^"]+"/g;
  return (await Promise.all(rows))
    .flat()
    .map((row) => row.replaceAll(email, '').replaceAll(apart, '-'))
    .sort();
}

test('34 no call takes a column that it does not name: what is stored is the same with and without', async () => {
  const { db } = database;
  const make = async () => {
    const actor = await makeUser(db);
    const topic = (await makeTopic(db, actor)).id;
    const content = 'A plan that fits on a postcard gets read.';
    const post = await makeScheduledPost(db, actor, { content, dueAt: new Date(Date.now() + 86_400_000) });
    return { actor, ids: { topic, post }, token: await tokenOf(db, actor) };
  };
  const [honest, greedy] = [await make(), await make()];
  const extra = Object.fromEntries(hostile);
  for (const name of Object.keys(bodiesOf(honest.ids))) {
    const method = name.split(' ')[0]!;
    const [[plain, body], [address, same]] = [bodiesOf(honest.ids)[name]!, bodiesOf(greedy.ids)[name]!];
    const one = await call(url, method, plain, body, honest.token);
    const other = await call(url, method, address, { ...extra, ...same }, greedy.token);
    assert.deepEqual([name, other.status], [name, one.status]);
    assert.deepEqual(await meaningOf(greedy.actor), await meaningOf(honest.actor), name);
  }
  await checkNothingTaken();
});

test('34 no other call and no sign-up takes a column', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const extra = Object.fromEntries(hostile);
  for (const each of API_PATHS.filter((one) => !one.startsWith('/admin/'))) {
    for (const method of ['POST', 'PUT'] as const) {
      await call(url, method, filled(each), extra, await tokenOf(db, user));
    }
  }
  const { name, email } = signUpInput();
  const answer = await call(url, 'POST', '/auth/signup', { ...extra, name, email, password: PASSWORD });
  assert.equal(answer.status, 201);
  await checkNothingTaken();
});

test('34 no form of a page takes a column', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const fields = hostile
    .map(([name, value]) => [name, String(value)])
    .filter(([name]) => /^[a-z]/.test(name!));
  const chunks = Array.from({ length: Math.ceil(fields.length / AT_ONCE) }, (_, nth) =>
    fields.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE),
  );
  const forms: Record<string, Record<string, string>> = {
    '/app/topics?dialog=topic': { name: 'Planning' },
    '/app/voice': { headline: 'Engineer' },
    '/app/dashboard': { contentCreationTime: '06:00' },
    '/app/account/tokens': { name: 'CI', scope: 'read' },
    '/app/account?form=name': { name: 'Ada' },
    '/app/account?form=zone': { timeZone: 'Asia/Tokyo' },
  };
  const others = PAGE_PATHS.filter((each) => each !== '/logout').map((each) => [filled(each), {}] as const);
  for (const [address, honest] of [...Object.entries(forms), ...others]) {
    const browser = await browserOf(db, user, url);
    for (const chunk of chunks) {
      const answer = await browser.post(address, [...chunk, ...Object.entries(honest)] as string[][]);
      assert.ok(answer.status < 500, `${address} ${answer.status}`);
      if (address.includes('?form=')) assert.equal(answer.status, 302, `${address} is taken`);
    }
  }
  await checkNothingTaken();
});
