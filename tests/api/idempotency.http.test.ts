import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import { deleteOldKeys } from '#app/domain/platform/idempotency-keys.ts';
import { listDeliveries } from '#app/domain/webhooks/deliveries.ts';
import { createWebhook } from '#app/domain/webhooks/endpoints.ts';
import { sendEvents } from '#app/domain/webhooks/send-events.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan, transactionId } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } }));
});

type Sent = { body: object; path: string };
type Caller = { token?: string; from?: string };
const DAY = 86_400_000;

async function send({ path, body }: Sent, { token, from }: Caller, key?: string) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(from && { 'X-Forwarded-For': from }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  const isReplayed = response.headers.get('Idempotency-Replayed') === 'true';
  return { status: response.status, isReplayed, text: await response.text(), headers: response.headers };
}
type Answered = Awaited<ReturnType<typeof send>>;
const codeOf = ({ text }: Answered) => (JSON.parse(text) as { code?: string }).code;

const asked = (email: string, message = 'Where is it?') => ({
  name: 'Ada',
  email,
  category: 'billing',
  subject: 'Money',
  message,
});
const wish = (title: string) => ({ type: 'improvement', title, description: 'One a week is enough.' });
const count = async (
  table: 'topics' | 'generationRuns' | 'supportTickets' | 'feedback' | 'sessions' | 'webhookEndpoints',
) => (await database.db.selectFrom(table).select('id').execute()).length;

/** Each call that creates: how it is made and who makes it, the same call asking for something else, and what is counted. */
type Made = { first: Sent; other: Sent; caller: Caller; counted?: Parameters<typeof count>[0] };
type Make = (signedIn: Awaited<ReturnType<typeof somebody>>) => Promise<Made> | Made;

async function somebody() {
  const actor = await makeUser(database.db);
  return { actor, caller: { token: await tokenOf(database.db, actor) } };
}

const WEBHOOK = { url: 'https://hooks.example.com/tidepost', events: ['post.failed' as const] };

const CALLS: Record<string, Make> = {
  '/webhooks': ({ caller }) => {
    const path = '/webhooks';
    const other = { path, body: { ...WEBHOOK, events: ['post.published'] } };
    return { first: { path, body: WEBHOOK }, other, caller, counted: 'webhookEndpoints' };
  },
  '/webhooks/:id/secret': async ({ actor, caller }) => {
    const { webhook } = await createWebhook(database.db, actor, WEBHOOK);
    const made = { path: `/webhooks/${webhook.id}/secret`, body: {} };
    return { first: made, other: made, caller };
  },
  '/webhooks/:id/deliveries/:deliveryId/resend': async ({ actor, caller }) => {
    const { db } = database;
    const { webhook } = await createWebhook(db, actor, WEBHOOK);
    await db.transaction().execute((trx) => sendEvents(trx, 'post.failed', [{ ...actor, data: {} }]));
    const { rows } = await listDeliveries(db, actor, webhook.id, { limit: 1 });
    const sent = { path: `/webhooks/${webhook.id}/deliveries/${rows[0]!.id}/resend`, body: {} };
    return { first: sent, other: sent, caller };
  },
  '/auth/signup': ({ actor }) => {
    const path = '/auth/signup';
    const body = { name: 'Ada', email: `new-${actor.email}`, password: 'a long sentence of words 7' };
    return {
      first: { path, body },
      other: { path, body: { ...body, name: 'Bo' } },
      caller: { from: '192.0.2.7' },
    };
  },
  '/account/tokens': async ({ actor }) => {
    const { db } = database;
    const token = await tokenOf(db, actor);
    await db
      .updateTable('sessions')
      .set({ reauthenticatedAt: new Date() })
      .where('userId', '=', actor.userId)
      .execute();
    const path = '/account/tokens';
    const body = { name: 'Reports', scope: 'read' };
    const other = { path, body: { ...body, scope: 'write' } };
    return { first: { path, body }, other, caller: { token }, counted: 'sessions' };
  },
  '/topics': ({ caller }) => ({
    first: { path: '/topics', body: { name: 'Hiring' } },
    other: { path: '/topics', body: { name: 'Planning' } },
    caller,
    counted: 'topics',
  }),
  '/automation/test-generate': async ({ actor, caller }) => {
    await makeTopic(database.db, actor);
    const path = '/automation/test-generate';
    return {
      first: { path, body: {} },
      other: { path, body: { count: 2 } },
      caller,
      counted: 'generationRuns',
    };
  },
  '/payment/create': ({ caller }) => {
    const [path, body] = ['/payment/create', { postsPerDay: 1, currencyCode: 'USD' }];
    return { first: { path, body }, other: { path, body: { ...body, postsPerDay: 2 } }, caller };
  },
  '/payment/upgrade-plan': async ({ actor, caller }) => {
    await makePlan(database.db, actor, 1);
    const [path, body] = ['/payment/upgrade-plan', { newPostsPerDay: 2, currencyCode: 'USD' }];
    return { first: { path, body }, other: { path, body: { ...body, newPostsPerDay: 3 } }, caller };
  },
  '/payment/submit-proof': async ({ actor, caller }) => {
    const plan = { postsPerDay: 1, currencyCode: 'USD' };
    const { amountMinor } = await prepare(database.db, actor, { ...plan, upgradeType: null }, new Date());
    const body = { ...plan, transactionId: transactionId(), amount: toMajor(amountMinor) };
    const path = '/payment/submit-proof';
    return {
      first: { path, body },
      other: { path, body: { ...body, transactionId: transactionId() } },
      caller,
    };
  },
  '/feedback/submit': ({ caller }) => {
    const path = '/feedback/submit';
    const other = { path, body: wish('Something else') };
    return { first: { path, body: wish('Mails') }, other, caller, counted: 'feedback' };
  },
  '/feedback/:id/upvote': async ({ actor, caller }) => {
    const { id } = await submitFeedback(database.db, actor, {
      ...wish('Voted for'),
      type: 'improvement',
      rating: null,
    });
    const path = `/feedback/${id}/upvote`;
    return { first: { path, body: {} }, other: { path, body: {} }, caller };
  },
  '/support/submit': ({ actor }) => {
    const path = '/support/submit';
    const other = { path, body: asked(actor.email, 'Something else') };
    const caller = { from: '192.0.2.8' };
    return { first: { path, body: asked(actor.email) }, other, caller, counted: 'supportTickets' };
  },
};

test('every call that creates takes a key, and so do a run and a vote', async () => {
  type Operation = { parameters?: { name: string }[]; responses: Record<string, unknown> };
  const api = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, { post?: Operation }>;
  };
  const takesKey = ({ parameters = [] }: Operation) =>
    parameters.some(({ name }) => name === 'Idempotency-Key');
  const posts = Object.entries(api.paths).flatMap(([path, { post }]) => (post ? [{ path, post }] : []));
  const keyed = posts
    .filter(({ post }) => takesKey(post))
    .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  assert.deepEqual(keyed.toSorted(), Object.keys(CALLS).toSorted());
  const others = posts.filter(({ post }) => '201' in post.responses && !takesKey(post));
  // Visits and clicks are counted, and nothing of theirs is given back.
  assert.deepEqual(others.map(({ path }) => path).toSorted(), ['/email-tracking/click', '/visits/track']);
});

for (const [name, make] of Object.entries(CALLS)) {
  test(`POST ${name} is answered as the first time when it comes again with its key`, async () => {
    const { first, other, caller, counted } = await make(await somebody());
    const before = counted && (await count(counted));
    const answer = await send(first, caller, 'one');
    assert.ok([200, 201, 202].includes(answer.status), answer.text);
    assert.equal(answer.isReplayed, false);
    for (const body of [first.body, Object.fromEntries(Object.entries(first.body).toReversed())]) {
      const again = await send({ ...first, body }, caller, 'one');
      assert.deepEqual([again.status, again.isReplayed, again.text], [answer.status, true, answer.text]);
      assert.match(again.headers.get('Content-Type')!, /^application\/json\b/);
      assert.match(again.headers.get('X-Request-Id') ?? '', /./);
    }
    if (counted) assert.equal(await count(counted), before! + 1);
    if (JSON.stringify(other) !== JSON.stringify(first)) {
      const refused = await send(other, caller, 'one');
      assert.deepEqual(
        [refused.status, codeOf(refused), refused.isReplayed],
        [422, 'idempotency_mismatch', false],
      );
    }
  });
}

test('a vote that comes again with its key stays as it is, and the next key takes it back', async () => {
  const { first, caller } = await CALLS['/feedback/:id/upvote']!(await somebody());
  const votes = async (key: string) =>
    (JSON.parse((await send(first, caller, key)).text) as { feedback: { upvotes: number } }).feedback.upvotes;
  assert.deepEqual(
    [await votes('up'), await votes('up'), await votes('back'), await votes('up')],
    [1, 1, 0, 1],
  );
});

test('of calls with one key at once one is done, and the others hear that it is or is under way', async () => {
  const { caller } = await somebody();
  const before = await count('topics');
  const sent = { path: '/topics', body: { name: 'At once' } };
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(sent, caller, 'at-once')));
  assert.equal(answers.filter(({ status, isReplayed }) => status === 201 && !isReplayed).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assert.deepEqual([answer.status, codeOf(answer)], [409, 'in_progress']);
    assert.equal(answer.headers.get('Retry-After'), '1');
  }
  assert.equal(await count('topics'), before + 1);
});

test('a key is its own for each account and each path, for all tokens of an account, and for where nobody calls from', async () => {
  const [one, other] = [await somebody(), await somebody()];
  const topic = { path: '/topics', body: { name: 'Hiring' } };
  assert.equal((await send(topic, one.caller, 'k')).isReplayed, false);
  assert.equal((await send(topic, other.caller, 'k')).isReplayed, false);
  assert.equal((await send(topic, { token: await tokenOf(database.db, one.actor) }, 'k')).isReplayed, true);
  assert.equal(
    (await send({ path: '/feedback/submit', body: wish('Mails') }, one.caller, 'k')).isReplayed,
    false,
  );
  const ticket = { path: '/support/submit', body: asked('ada@people.example') };
  assert.equal((await send(ticket, { from: '192.0.2.20' }, 'k')).isReplayed, false);
  assert.equal((await send(ticket, { from: '192.0.2.20' }, 'k')).isReplayed, true);
  assert.equal((await send(ticket, { from: '203.0.113.9' }, 'k')).isReplayed, false);
  assert.equal((await send(ticket, one.caller, 'k')).isReplayed, false);
});

test('a key is free again after a day, and forgotten then', async () => {
  const { db } = database;
  const { actor, caller } = await somebody();
  const topic = { path: '/topics', body: { name: 'Hiring' } };
  await send(topic, caller, 'k');
  const kept = () =>
    db.selectFrom('idempotencyKeys').select('createdAt').where('userId', '=', actor.userId).execute();
  await deleteOldKeys(db, new Date(Date.now() + DAY - 60_000));
  assert.equal((await kept()).length, 1);
  const createdAt = new Date(Date.now() - DAY - 1000);
  await db.updateTable('idempotencyKeys').set({ createdAt }).where('userId', '=', actor.userId).execute();
  assert.deepEqual([(await send(topic, caller, 'k')).isReplayed, await count('topics')].slice(0, 1), [false]);
  assert.equal((await send({ ...topic, body: { name: 'Else' } }, caller, 'k')).status, 422);
  await deleteOldKeys(db, new Date(Date.now() + DAY + 1000));
  assert.deepEqual(await kept(), []);
});

test('a refusal is kept as the answer it was, what was no valid call is not', async () => {
  const { db } = database;
  const { actor, caller } = await somebody();
  const run = { path: '/automation/test-generate', body: {} };
  const refused = await send(run, caller, 'k');
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'no_active_topic']);
  await makeTopic(db, actor);
  const again = await send(run, caller, 'k');
  assert.deepEqual([again.status, again.isReplayed, again.text], [409, true, refused.text]);
  const blank = { path: '/topics', body: { name: ' ' } };
  assert.deepEqual(
    [(await send(blank, caller, 'b')).status, (await send(blank, caller, 'b')).isReplayed],
    [422, false],
  );
  assert.equal((await send({ ...blank, body: { name: 'Hiring' } }, caller, 'b')).status, 201);
  for (const key of ['', 'two words', 'é', 'a'.repeat(201)]) {
    const wrong = await send({ path: '/topics', body: { name: 'Wrong key' } }, caller, key);
    assert.deepEqual([wrong.status, codeOf(wrong)], [400, 'malformed'], key);
  }
});

test('of an answer with a secret nothing can be read in the database', async () => {
  const { actor } = await somebody();
  const { first, caller } = await CALLS['/account/tokens']!({ actor, caller: {} as { token: string } });
  const { secret } = JSON.parse((await send(first, caller, 'k')).text) as { secret: string };
  const rows = await database.db.selectFrom('idempotencyKeys').selectAll().execute();
  assert.ok(rows.length > 0 && secret.length > 20);
  assert.ok(!JSON.stringify(rows).includes(secret));
});

test('calls with keys of many people at once take no connection from each other', async () => {
  const { db } = database;
  const people = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const { actor, caller } = await somebody();
      await makeTopic(db, actor);
      return caller;
    }),
  );
  const run = { path: '/automation/test-generate', body: {} };
  const begun = Date.now();
  const answers = await Promise.all(people.map((caller) => send(run, caller, 'k')));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
  // A connection that is never free is waited for until the pool gives up, many times as long.
  assert.ok(Date.now() - begun < 10_000);
});
