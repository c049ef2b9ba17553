import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { lockUser } from '#app/domain/accounts/users.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db, pool, url: databaseUrl } = await testDatabase();
let web: Web;
before(async () => {
  web = await startWeb({ databaseUrl });
});

const blocked = async () => {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return rowCount ?? 0;
};

test('who changes many things at once keeps nobody else from the database', async () => {
  const [busy, other] = [await makeUser(db, {}), await makeUser(db, {})];
  await makePlan(db, busy, 1, new Date());
  const [token, browser] = [await tokenOf(db, busy), await browserOf(db, other, web.url)];
  const form = await browserOf(db, busy, web.url);
  const save = () => call(web.url, 'PUT', '/automation/settings', { timeZone: 'Asia/Tokyo' }, token);
  let saved: ReturnType<typeof save>[] = [];
  let pressed: Promise<Response>[] = [];
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, busy.userId);
    saved = Array.from({ length: 15 }, save);
    pressed = Array.from({ length: 15 }, () => form.post('/app/linkedin/disconnect', {}));
    await until('some of them wait in the database', async () => (await blocked()) >= 3);
    const page = await browser.get('/app/dashboard');
    assert.equal(page.status, 200);
    assert.equal(await blocked(), 3);
  });
  for (const { status } of await Promise.all(saved)) assert.equal(status, 200);
  for (const { status } of await Promise.all(pressed)) assert.ok(status < 500);
});

test('strangers who sign up with a key keep nobody else from the database', async () => {
  const browser = await browserOf(db, await makeUser(db), web.url);
  const signUp = (_: unknown, nth: number) =>
    fetch(`${web.url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `key-${nth}` },
      body: JSON.stringify({
        name: 'Ada',
        email: `ada-${nth}@keys.example`,
        password: 'a long sentence of words 7',
      }),
    });
  let asked: Promise<Response>[] = [];
  await db.transaction().execute(async (trx) => {
    await sql`lock table sign_ups in exclusive mode`.execute(trx);
    asked = Array.from({ length: 15 }, signUp);
    await until('some of them wait in the database', async () => (await blocked()) >= 3);
    // Each has hashed a password by then, if it is to come so far.
    await wait(2_000);
    assert.equal((await browser.get('/app/dashboard')).status, 200);
    assert.equal(await blocked(), 3);
  });
  for (const { status } of await Promise.all(asked)) assert.equal(status, 201);
});

test('more than fifty changes that wait are refused, with when to come again', async () => {
  const busy = await makeUser(db, {});
  await makePlan(db, busy, 1, new Date());
  const token = await tokenOf(db, busy);
  const saved: number[] = [];
  const refused: (string | null)[] = [];
  const save = async () => {
    const { status, headers } = await call(
      web.url,
      'PUT',
      '/automation/settings',
      { timeZone: 'Asia/Tokyo' },
      token,
    );
    if (status === 429) refused.push(headers.get('Retry-After'));
    else saved.push(status);
  };
  let all: Promise<void>[] = [];
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, busy.userId);
    all = Array.from({ length: 60 }, save);
    await until('seven are refused', async () => refused.length === 7);
  });
  await Promise.all(all);
  assert.deepEqual(refused, Array(7).fill('5'));
  assert.deepEqual(saved, Array(53).fill(200));
});

test('a form and a button that are refused because too much waits say so where they stand', async () => {
  const busy = await makeUser(db, {});
  await makePlan(db, busy, 1, new Date());
  const dueAt = new Date(Date.now() + 48 * 3_600_000);
  const id = await makeScheduledPost(db, busy, { dueAt });
  const browser = await browserOf(db, busy, web.url);
  const token = await tokenOf(db, busy);
  const save = () => call(web.url, 'PUT', '/automation/settings', { timeZone: 'Asia/Tokyo' }, token);
  const all: ReturnType<typeof save>[] = [];
  let refused = 0;
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, busy.userId);
    for (let nth = 0; nth < 57; nth++)
      all.push(
        save().then((answer) => {
          if (answer.status === 429) refused++;
          return answer;
        }),
      );
    await until('the line is full', async () => refused === 4);
    const typed = { postId: id, content: 'Ten minutes of typing', hashtags: '' };
    const answer = await browser.post(`/app/scheduled?edit=${id}`, typed);
    assert.deepEqual([answer.status, answer.headers.get('Retry-After')], [429, '5']);
    assert.match(await answer.text(), /changed at once[\s\S]*Ten minutes of typing/);
    const pressed = await browser.post(`/app/posts/${id}/publish`, { from: '/app/scheduled' });
    assert.equal(pressed.headers.get('Location'), `/app/scheduled#post-${id}`);
    assert.match(await browser.read('/app/scheduled'), /Many things are being changed at once/);
  });
  await Promise.all(all);
});

test('forms that are refused because too much waits load their pages in turn', async () => {
  const [busy, other] = [await makeUser(db, {}), await makeUser(db, {})];
  await makePlan(db, busy, 1, new Date());
  const [browser, free] = [await browserOf(db, busy, web.url), await browserOf(db, other, web.url)];
  const token = await tokenOf(db, busy);
  const save = () => call(web.url, 'PUT', '/automation/settings', { timeZone: 'Asia/Tokyo' }, token);
  const form = { type: 'bug', title: 'Hours', description: 'They are quiet.' };
  const all: Promise<unknown>[] = [];
  let refused = 0;
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, busy.userId);
    for (let nth = 0; nth < 57; nth++) all.push(save().then(({ status }) => status === 429 && refused++));
    await until('the line is full', async () => refused === 4);
    await db.transaction().execute(async (page) => {
      await sql`lock table feedback in access exclusive mode`.execute(page);
      for (let nth = 0; nth < 20; nth++)
        all.push(
          browser.post('/app/feedback?dialog=feedback', form).then(({ status }) => assert.equal(status, 429)),
        );
      await until('the first of their pages wait in the database', async () => (await blocked()) > 3);
      assert.equal((await free.get('/app/dashboard')).status, 200);
    });
  });
  await Promise.all(all);
});

test('who goes away leaves the line, and nothing of theirs is run', async () => {
  const busy = await makeUser(db, {});
  await makePlan(db, busy, 1, new Date());
  const token = await tokenOf(db, busy);
  const leave = new AbortController();
  const save = (timeZone: string, signal?: AbortSignal) =>
    fetch(`${web.url}/api/v1/automation/settings`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ timeZone }),
      signal: signal ?? null,
    });
  const left: string[] = [];
  const stays: Promise<Response>[] = [];
  let next: Response | undefined;
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, busy.userId);
    for (let nth = 0; nth < 3; nth++) stays.push(save('Asia/Kolkata'));
    await until('three of them wait in the database', async () => (await blocked()) === 3);
    let refused = 0;
    for (let nth = 0; nth < 57; nth++)
      save('Asia/Tokyo', leave.signal).then(
        () => refused++,
        ({ name }) => left.push(name),
      );
    await until('the line is full', async () => refused === 7);
    leave.abort();
    await until('they have gone', async () => left.length === 50);
    await until('there is room again', async () => {
      const answer = save('Asia/Seoul');
      const asked = await Promise.race([answer, new Promise<undefined>((go) => setTimeout(go, 2_000))]);
      if (!asked) stays.push(answer);
      next = asked;
      return asked === undefined;
    });
  });
  assert.equal(next, undefined);
  for (const { status } of await Promise.all(stays)) assert.equal(status, 200);
  const { timeZone } = await db
    .selectFrom('users')
    .select('timeZone')
    .where('id', '=', busy.userId)
    .executeTakeFirstOrThrow();
  // Which of those who wait in the database comes last is its own choice.
  assert.ok(['Asia/Kolkata', 'Asia/Seoul'].includes(timeZone), timeZone);
});
