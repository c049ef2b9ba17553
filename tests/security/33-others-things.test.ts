import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import { addFact } from '#app/domain/voice/fact-list.ts';
import { FactInput } from '#app/domain/voice/schema.ts';
import { createWebhook } from '#app/domain/webhooks/endpoints.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** Stands in every text of the owner, and in no answer to anybody else. */
const MARKER = 'Quokka7341';
const shows = (text: string) => text.toLowerCase().includes(MARKER.toLowerCase());

/** Somebody with a thing of each kind. */
async function makeOwner() {
  const { db } = database;
  const owner = await makeUser(db, {
    name: MARKER,
    email: `${MARKER.toLowerCase()}-${randomUUID()}@example.com`,
  });
  const topic = await makeTopic(db, owner, `Planning for ${MARKER}`);
  const dueAt = new Date(Date.now() + 86_400_000);
  const post = await makeScheduledPost(db, owner, {
    dueAt,
    content: `What ${MARKER} learned in a year of planning`,
  });
  const run = await generateNow(db, owner, { count: 1, topicId: topic.id });
  const payment = await makePayment(db, owner, 1);
  const transactionId = `${MARKER}${randomUUID().replaceAll('-', '').slice(0, 20)}`.toUpperCase();
  await db.updateTable('payments').set({ transactionId }).where('id', '=', payment.id).execute();
  await addFact(db, owner, FactInput.parse({ content: `Led 40 people at ${MARKER} in 2019` }));
  const fact = await db
    .selectFrom('facts')
    .select('id')
    .where('userId', '=', owner.userId)
    .executeTakeFirstOrThrow();
  const { token: named } = await createToken(db, await inSession(db, owner), {
    name: MARKER,
    scope: 'write',
  });
  const asked = { name: MARKER, email: owner.email, subject: MARKER, message: `Said by ${MARKER}` };
  const ticket = await submitTicket(db, owner, TicketInput.parse(asked));
  const { webhook } = await createWebhook(db, owner, {
    url: `https://hooks.example.com/${MARKER}`,
    events: ['post.published'],
  });
  const { token } = await createSession(db, owner.userId, 'web', MARKER);
  const session = (await findSession(db, token, 'web'))!.sessionId;
  const ids = { topics: topic.id, posts: post, runs: run.id, payments: payment.id, tickets: ticket.id };
  return {
    owner,
    ids: { ...ids, voice: fact.id, tokens: named.id, sessions: session, webhooks: webhook.id },
  };
}

/** Every row of somebody, to see that nothing has changed. */
async function rowsOf({ userId }: Actor) {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'user_id' order by table_name`,
  );
  assert.ok(tables.length > 15);
  const rows = tables.map(async ({ name }) => {
    const { rows } = await database.pool.query(
      `select * from ${name} t where user_id = $1 order by t::text`,
      [userId],
    );
    return [name, rows] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

async function methodsOf(path: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1${filled(path)}`, { method: 'PATCH' });
  await answer.arrayBuffer();
  return answer.headers
    .get('Allow')!
    .split(', ')
    .filter((method) => method !== 'HEAD');
}

const BODIES: Record<string, object> = {
  'PUT /topics/:id': { name: 'Taken over' },
  'PUT /topics/:id/pause': { until: '2030-01-01' },
  'PUT /automation/posts/:id': { content: 'Taken over' },
  'POST /admin/reject-payment/:id': { reason: 'No' },
  'PUT /support/admin/:id/status': { status: 'closed' },
  'PUT /feedback/admin/:id/status': { status: 'planned' },
};

test('33 every call with an id says 404 to whoever does not own what has it, and changes nothing', async () => {
  const { owner, ids } = await makeOwner();
  const before = await rowsOf(owner);
  const token = await tokenOf(database.db, await makeUser(database.db));
  const withId = API_PATHS.filter((path) => path.includes(':id') && !path.includes('/admin/'));
  assert.ok(withId.length >= 10);
  for (const path of withId) {
    // What everybody reads on the board and votes for: what is not there is not there for them either.
    const isForAll = path.startsWith('/feedback/');
    const kind = (Object.keys(ids) as (keyof typeof ids)[]).find((name) => path.includes(`/${name}/`));
    assert.ok(kind || isForAll, path);
    for (const method of await methodsOf(path)) {
      for (const id of [...(kind ? [ids[kind]] : []), randomUUID(), 'no-uuid', '%00']) {
        const body = method === 'PUT' ? (BODIES[`PUT ${path}`] ?? {}) : undefined;
        const answer = await call(url, method, filled(path, { id }), body, token);
        assert.deepEqual([method, path, answer.status], [method, path, 404]);
        assert.equal(answer.body.code, 'not_found');
      }
    }
  }
  assert.deepEqual(await rowsOf(owner), before);
});

test('33 what an admin reviews is not there when it does not exist, and is not theirs to review for users', async () => {
  const { db } = database;
  const { owner, ids } = await makeOwner();
  const before = await rowsOf(owner);
  const admin = await tokenOf(db, await makeUser(db, { isAdmin: true }));
  const token = await tokenOf(db, owner);
  for (const path of API_PATHS.filter((each) => each.includes('/admin/') && each.includes(':id'))) {
    const [method] = await methodsOf(path);
    const body = method === 'GET' ? undefined : (BODIES[`${method} ${path}`] ?? {});
    const unknown = await call(url, method!, filled(path), body, admin);
    assert.deepEqual([path, unknown.status], [path, 404]);
    const own = await call(url, method!, filled(path, { id: ids.payments }), body, token);
    assert.deepEqual([path, own.status], [path, 403]);
  }
  assert.deepEqual({ ...(await rowsOf(owner)), sessions: [] }, { ...before, sessions: [] });
});

test('33 the forms of the pages change nothing of somebody else', async () => {
  const { owner, ids } = await makeOwner();
  const before = await rowsOf(owner);
  const browser = await browserOf(database.db, await makeUser(database.db), url);
  const withId = PAGE_PATHS.filter((path) => path.includes(':id'));
  assert.ok(withId.length >= 15);
  for (const path of withId) {
    for (const id of [...Object.values(ids), 'no-uuid', '%00', '%E6%97%A5', '%0d%0a']) {
      const answer = await browser.post(filled(path, { id }), { from: '/app/posts' });
      // Who answers in a thread is told first that nothing was written.
      const isThread = path.endsWith('/support/:id');
      const isPicture = path === '/shown-pictures/:id';
      const others = isThread ? [422] : isPicture ? [405] : [302, 404];
      const refused = path.startsWith('/app/admin/') ? [403] : others;
      assert.ok(refused.includes(answer.status), `${path} ${answer.status}`);
    }
  }
  for (const [page, id] of [
    ['/app/topics', ids.topics],
    ['/app/scheduled', ids.posts],
    ['/app/posts', ids.posts],
    ['/app/voice/facts', ids.voice],
  ] as const) {
    const answer = await browser.post(`${page}?edit=${id}`, { name: 'Taken over', content: 'Taken over' });
    assert.equal(answer.status, 404, page);
  }
  assert.deepEqual(await rowsOf(owner), before);
});

test('33 no page, no data of a page, no list and no download shows anything of somebody else', async () => {
  const { db } = database;
  const { owner, ids } = await makeOwner();
  const stranger = await makeUser(db);
  const browser = await browserOf(db, stranger, url);
  const token = await tokenOf(db, stranger);
  const given = [...Object.values(ids), owner.userId];
  const queries = ['edit', 'open', 'confirm-delete', 'swap', 'reject', 'watch', 'cursor', 'topic', 'topicId'];
  const all = (id: string) => `?${queries.map((name) => `${name}=${id}`).join('&')}`;
  for (const path of PAGE_PATHS.filter((each) => !each.startsWith('/app/admin'))) {
    for (const id of path.includes(':id') ? given : given.slice(0, 2)) {
      const address = filled(path, { id });
      for (const asked of [
        address,
        address + all(id),
        /\.\w+$/.test(path) || path === '/' ? address : `${address}.data${all(id)}`,
      ]) {
        const text = await (await browser.get(asked)).text();
        assert.ok(!shows(text) && !text.includes(owner.email), asked);
      }
    }
  }
  for (const path of API_PATHS.filter((each) => !each.startsWith('/admin/') && !each.startsWith('/auth/'))) {
    if (!(await methodsOf(path)).includes('GET')) continue;
    for (const id of path.includes(':id') ? given : given.slice(0, 2)) {
      const { body } = await call(
        url,
        'GET',
        filled(path, { id }) + (path.includes('connect') ? '' : `?topicId=${id}`),
        undefined,
        token,
      );
      const text = JSON.stringify(body);
      assert.ok(!shows(text) && !text.includes(owner.email), path);
    }
  }
});
