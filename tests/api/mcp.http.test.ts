import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sql } from 'kysely';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, readPost, standAs } from '#tests/fixtures/posts.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;
const clients: Client[] = [];

let web: Web;

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url });
  ({ url } = web);
});
after(() => Promise.all(clients.map((client) => client.close())));

const TOKEN = { name: 'Assistant', days: 7 };

/** What an assistant with a token of the actor calls: an answer as data, or the sentence of a refusal. */
async function assistantOf(actor: Actor, scope: 'read' | 'write' = 'write') {
  const { db } = database;
  const { secret } = await createToken(db, await inSession(db, actor), { ...TOKEN, scope });
  const client = new Client({ name: 'assistant', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as never);
  clients.push(client);
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is what this test looks at.
  const call = async (name: string, args: object = {}): Promise<{ data: any; refusal: string | null }> => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...args } });
    const [said] = content as { text: string }[];
    if (isError) return { data: null, refusal: said!.text };
    assert.deepEqual(JSON.parse(said!.text), structuredContent);
    return { data: structuredContent, refusal: null };
  };
  return { client, call };
}

async function author() {
  const { db } = database;
  const actor = await makeUser(db);
  await makePlan(db, actor, 2);
  await saveSettings(db, actor, { enabled: true, publishTimes: ['09:00', '17:00'] }, new Date());
  const topic = await makeTopic(db, actor, 'Planning');
  const dueAt = new Date(Date.now() + 3 * 86_400_000);
  const postId = await makeScheduledPost(db, actor, { dueAt, content: 'A plan fits on a card.' });
  await standAs(db, postId, { status: 'pending' });
  return { actor, topic, postId };
}

test('an assistant runs the week with its owner: it reads, drafts, edits, moves and approves', async () => {
  const { db } = database;
  const { actor, topic, postId } = await author();
  const { client, call } = await assistantOf(actor);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), [
    'approve_post',
    'draft_post',
    'edit_post',
    'list_posts',
    'list_topics',
    'move_post',
  ]);
  for (const { name, description, annotations } of tools) {
    assert.ok(description!.length > 20, name);
    assert.equal(annotations!.readOnlyHint, name.startsWith('list_'), name);
  }
  const { topics } = (await call('list_topics')).data;
  assert.deepEqual(
    topics.map(({ name }: { name: string }) => name),
    ['Planning'],
  );
  const { posts, publishTimes } = (await call('list_posts', { status: 'pending' })).data;
  assert.deepEqual([posts[0]._id, posts[0].content], [postId, 'A plan fits on a card.']);
  assert.deepEqual(publishTimes, ['09:00', '17:00']);

  const edited = (
    await call('edit_post', { postId, content: 'Three things fit on a card.', hashtags: ['Plans'] })
  ).data;
  assert.deepEqual(
    [edited.post.content, edited.post.hashtags, edited.post.status],
    ['Three things fit on a card.', ['Plans'], 'pending'],
  );
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const moved = (await call('move_post', { postId, slot: `${day} 2` })).data;
  assert.equal(moved.post.publishAt, `${day}T17:00:00.000Z`);
  assert.equal(moved.post.status, 'pending', 'moving it approves nothing');
  assert.equal((await call('approve_post', { postId })).data.post.status, 'generated');
  assert.ok((await readPost(db, postId)).approvedAt);

  const { run } = (await call('draft_post', { topicId: topic.id })).data;
  const runs = await db
    .selectFrom('generationRuns')
    .select(['id', 'requested'])
    .where('userId', '=', actor.userId)
    .execute();
  assert.deepEqual(runs, [{ id: run._id, requested: 1 }]);
});

test('what is refused is said as a sentence, and changes nothing', async () => {
  const { db } = database;
  const [mine, other] = [await author(), await author()];
  const { call } = await assistantOf(mine.actor);
  const before = await readPost(db, other.postId);
  for (const [name, args] of [
    ['edit_post', { postId: other.postId, content: 'Mine now' }],
    ['approve_post', { postId: other.postId }],
    ['move_post', { postId: other.postId, slot: '2027-03-01 1' }],
    ['approve_post', { postId: 'nowhere' }],
  ] as const)
    assert.match((await call(name, args)).refusal!, /not found \(not_found\)/, name);
  assert.deepEqual(await readPost(db, other.postId), before);
  for (const [name, args, said] of [
    ['edit_post', { content: ' ' }, /^Please write something \(invalid\)/],
    ['edit_post', { hashtags: ['a b'] }, /^Hashtags can have letters and digits only \(invalid\)/],
    ['move_post', { slot: 'tomorrow' }, /^Please choose a time from the list \(invalid\)/],
  ] as const)
    assert.match((await call(name, { postId: mine.postId, ...args })).refusal!, said);
  await call('approve_post', { postId: mine.postId });
  assert.match((await call('approve_post', { postId: mine.postId })).refusal!, /does not wait for approval/);
  assert.match((await call('draft_post', { count: 99 })).refusal!, /At most \d+ posts at a time/);
  assert.match((await call('list_posts', { cursor: 'x' })).refusal!, /cannot go on from there/);
});

test('a token that may only read may list, and change nothing', async () => {
  const { actor, postId } = await author();
  const { call } = await assistantOf(actor, 'read');
  assert.equal((await call('list_posts')).data.posts.length, 1);
  const before = await readPost(database.db, postId);
  for (const [name, args] of [
    ['draft_post', {}],
    ['edit_post', { postId, content: 'Other words' }],
    ['approve_post', { postId }],
    ['move_post', { postId, slot: '2027-03-01 1' }],
  ] as const)
    assert.match((await call(name, args)).refusal!, /may only read \(insufficient_scope\)/, name);
  assert.deepEqual(await readPost(database.db, postId), before);
});

test('without a token, with a cookie, by another method or with nonsense there is nothing', async () => {
  const send = (method: string, headers: Record<string, string> = {}, body?: string) =>
    fetch(`${url}/mcp`, { method, headers, ...(body !== undefined && { body }) });
  const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.equal((await send('POST', json, hello)).status, 401);
  assert.equal(
    (await send('POST', { ...json, Authorization: 'Bearer nothing-that-we-know-of' }, hello)).status,
    401,
  );
  const asked = await send('GET', json);
  assert.deepEqual([asked.status, asked.headers.get('Allow')], [405, 'POST']);
  for (const method of ['DELETE', 'PUT']) assert.equal((await send(method, json)).status, 405, method);
  const { db } = database;
  const { secret } = await createToken(db, await inSession(db, await makeUser(db)), {
    ...TOKEN,
    scope: 'read',
  });
  for (const body of ['', '{', '{"jsonrpc":"2.0"}', '{"a":1,"a":2}', 'x'.repeat(70_000)]) {
    const { status } = await send('POST', { ...json, Authorization: `Bearer ${secret}` }, body);
    assert.ok(status >= 400 && status < 500, `${body.slice(0, 20)}: ${status}`);
  }
});

test('many calls in one request, which would be made at once and count as one, are not made', async () => {
  const { db } = database;
  const { actor, postId } = await author();
  const { secret } = await createToken(db, await inSession(db, actor), { ...TOKEN, scope: 'write' });
  const params = { name: 'approve_post', arguments: { postId } };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${secret}`,
    },
    body: JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))),
  });
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), { message: 'Send one call at a time', code: 'malformed' });
  assert.equal((await readPost(db, postId)).approvedAt, null);
});

test('a fault of ours is written in the log, and an assistant hears nothing of what failed', async () => {
  const { db } = database;
  const { actor } = await author();
  const { call } = await assistantOf(actor);
  await sql`alter table topics rename to topics_elsewhere`.execute(db);
  try {
    const { refusal } = await call('list_topics');
    assert.equal(refusal, 'Something went wrong on our side (internal)');
  } finally {
    await sql`alter table topics_elsewhere rename to topics`.execute(db);
  }
  assert.match(web.said(), /"requestId":"[^"]+".*a call within an answer failed/);
  assert.match(web.said(), /42P01/);
});
