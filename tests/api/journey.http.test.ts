import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { createClient } from '#clients/typescript/src/client/index.ts';
import * as calls from '#clients/typescript/src/index.ts';
import { startSandbox } from '#sandbox/server/server.ts';
import { startPart } from '#scripts/start/processes.ts';
import { sandboxAddresses } from '#scripts/start/settings.ts';
import { agree, follow, locationOf } from '#tests/fixtures/oauth.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const sandbox = await startSandbox();
after(() => sandbox.close());
const { db, url: databaseUrl, workerUrl } = await testDatabase();
const outside = sandboxAddresses(sandbox.url, sandbox.smtpUrl);
const web = await startWeb({ databaseUrl, env: outside });
const worker = startPart({
  name: 'worker',
  args: ['worker/main.ts'],
  env: { ...process.env, ...outside, DATABASE_URL: workerUrl, APP_URL: web.url, LOG_LEVEL: 'error' },
  print: () => {},
});
await worker.line(/worker ready/, 30);
after(() => worker.stop(5));

const PASSWORD = 'harbour-light-7';
const CHOICE = { postsPerDay: 2, currencyCode: 'USD' } as const;
const TIMES = { publishTimes: ['11:11', '22:22'], contentCreationTime: '05:05', timeZone: 'UTC' };

type ApiClient = ReturnType<typeof createClient>;
const clientOf = (token?: string): ApiClient =>
  createClient({ baseUrl: `${web.url}/api/v1`, ...(token && { auth: token }) });

/** What a call answered, which must have been the status that is named. */
async function ok<T>(
  call: Promise<{ data?: T; error?: unknown; response?: Response }>,
  status = 200,
): Promise<T> {
  const { data, error, response } = await call;
  assert.equal(response?.status, status, JSON.stringify(error ?? data));
  return data!;
}

/** Asks until `isThere` says yes, at most 30 seconds. */
async function eventually<T>(ask: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await ask();
    if (isThere(value)) return value;
    if (Date.now() > deadline) throw new Error(`It did not happen in time: ${JSON.stringify(value)}`);
    await wait(100);
  }
}

async function codeFor(email: string): Promise<string> {
  const ask = async () => {
    const answer = await fetch(`${sandbox.url}/api/mails?to=${encodeURIComponent(email)}`);
    const { mails } = (await answer.json()) as { mails: { subject: string }[] };
    return mails.map(({ subject }) => /^(\d{6}) is your Tidepost code$/.exec(subject)?.[1]).find(Boolean);
  };
  return (await eventually(ask, Boolean))!;
}

async function signUp(email: string): Promise<ApiClient> {
  const client = clientOf();
  const body = { name: 'Noor Ahmadi', email, password: PASSWORD, timeZone: 'UTC' };
  await ok(calls.postAuthSignup({ client, body }), 201);
  const { token } = await ok(calls.postAuthVerifyOtp({ client, body: { email, otp: await codeFor(email) } }));
  return clientOf(token);
}

const admin = await signUp('admin@example.com');
await db.updateTable('users').set({ role: 'admin' }).where('email', '=', 'admin@example.com').execute();

async function pay(client: ApiClient, transactionId: string) {
  const { paymentInfo } = await ok(calls.postPaymentCreate({ client, body: CHOICE }), 201);
  assert.equal(paymentInfo.amount, 9.5, 'half of 19 for the first month');
  const body = { ...CHOICE, transactionId, amount: paymentInfo.amount };
  const wrong = await calls.postPaymentSubmitProof({ client, body: { ...body, amount: 1 } });
  assert.equal(wrong.error?.code, 'amount_mismatch');
  const { payment } = await ok(calls.postPaymentSubmitProof({ client, body }), 201);
  assert.equal(payment.status, 'pending');
  assert.equal((await calls.getAdminPendingPayments({ client })).response?.status, 403);
  const { payments } = await ok(calls.getAdminPendingPayments({ client: admin }));
  const verified = await ok(
    calls.postAdminVerifyPaymentId({ client: admin, path: { id: payments[0]!._id } }),
  );
  assert.equal(verified.payment.status, 'active');
  assert.equal((await ok(calls.getPaymentSubscription({ client }))).subscription?.status, 'active');
}

/** The browser's part of connecting: the consent at LinkedIn, and the button that names the account. */
async function connect(client: ApiClient, profile: string) {
  const { authUrl } = await ok(calls.getLinkedinConnect({ client }));
  const browser = new Browser(web.url);
  const begun = await browser.post(authUrl.slice(web.url.length));
  const { at: page } = await follow(browser, await agree(locationOf(begun), { email: profile }));
  await browser.post(page, { answer: 'yes' });
  assert.equal((await ok(calls.getLinkedinStatus({ client }))).connected, true);
}

/** Its minute comes: the tick that the worker's timetable runs, at the post's own instant. */
async function minuteComes(postId: string) {
  await db.updateTable('postSchedules').set({ dueAt: new Date() }).where('postId', '=', postId).execute();
  return enqueueDuePosts(db, new Date());
}

async function publishedPosts(client: ApiClient, count: number) {
  const { posts } = await eventually(
    () => ok(calls.getAutomationPosts({ client, query: { status: 'published' } })),
    (list) => list.posts.length === count,
  );
  for (const { linkedInPostUrl } of posts) {
    assert.match(linkedInPostUrl!, /\/feed\/update\/urn:li:(share|ugcPost):\d+\/$/);
    assert.equal((await fetch(linkedInPostUrl!)).status, 200);
  }
  return posts;
}

test('the main job by the client: from sign-up to a post on the profile', async () => {
  const client = await signUp('noor@example.com');
  const early = await calls.putAutomationSettings({ client, body: { enabled: true } });
  assert.equal(early.response?.status, 402);
  await pay(client, '3ab12345cd6789012');
  await connect(client, 'noor@members.example');

  const body = { name: 'Harbour logistics', keywords: 'ports, planning' };
  await ok(calls.postTopics({ client, body }), 201);
  const { settings } = await ok(calls.putAutomationSettings({ client, body: TIMES }));
  assert.deepEqual(settings.publishTimes, ['11:11', '22:22']);
  const dayOff = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const days = { publishDays: [...WEEKDAYS].reverse(), daysOff: [dayOff] };
  const { settings: kept } = await ok(calls.putAutomationSettings({ client, body: days }));
  assert.deepEqual([kept.publishDays, kept.daysOff], [[...WEEKDAYS], [dayOff]]);
  const refused = await calls.putAutomationSettings({ client, body: { publishDays: [] } });
  assert.deepEqual(
    [refused.response?.status, refused.error?.fields],
    [422, { publishDays: ['Choose at least one day of the week on which posts go out'] }],
  );
  assert.deepEqual((await ok(calls.putAutomationSettings({ client, body: TIMES }))).settings, kept);

  const { run } = await ok(calls.postAutomationTestGenerate({ client, body: { count: 2 } }), 202);
  const ended = await eventually(
    () => ok(calls.getAutomationRunsId({ client, path: { id: run._id } })),
    (answer) => answer.run.status === 'complete',
  );
  assert.deepEqual([ended.run.done, ended.posts.length], [2, 2]);

  const { posts } = await ok(calls.getAutomationScheduled({ client }));
  const [first, second] = posts as [(typeof posts)[0], (typeof posts)[0]];
  await ok(calls.postAutomationPostsIdVerb({ client, path: { id: first._id, verb: 'publish' } }), 202);
  const [post] = await publishedPosts(client, 1);
  assert.ok(localDateOf(new Date(second.publishAt!), 'UTC') >= localDateOf(new Date(), 'UTC'));
  await minuteComes(second._id);
  await publishedPosts(client, 2);
  const ledger = (await (await fetch(`${sandbox.url}/api/ledger`)).json()) as { posts: unknown[] };
  assert.equal(ledger.posts.length, 2);

  const { stats } = await ok(calls.getAutomationStats({ client }));
  assert.deepEqual([stats.totalPosts, stats.publishedPosts, stats.publishedToday], [2, 2, 2]);
  await ok(calls.deleteAutomationPostsId({ client, path: { id: post!._id } }));
  assert.equal((await fetch(post!.linkedInPostUrl!)).status, 404);
  await ok(calls.postAuthLogout({ client }));
  assert.equal((await calls.getAuthMe({ client })).response?.status, 401);
});

/** An assistant that has the secret of a token, and nothing else. */
async function assistantOf(secret: string) {
  const assistant = new Client({ name: 'assistant', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  await assistant.connect(
    new StreamableHTTPClientTransport(new URL(`${web.url}/mcp`), { requestInit }) as never,
  );
  after(() => assistant.close());
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is what this test looks at.
  return async (name: string, args: object = {}): Promise<any> => {
    const { structuredContent, content, isError } = await assistant.callTool({
      name,
      arguments: { ...args },
    });
    assert.ok(!isError, JSON.stringify(content));
    return structuredContent;
  };
}

test('the main job by an assistant: what it drafted, its owner agreed to, and its minute brought', async () => {
  const client = await signUp('tomas@example.com');
  await pay(client, '7xy98765wv4321098');
  await connect(client, 'tomas@members.example');
  await ok(calls.putAutomationSettings({ client, body: { ...TIMES, enabled: true } }));
  const topic = { name: 'Quiet launches', keywords: 'planning', approval: 'approve' } as const;
  await ok(calls.postTopics({ client, body: topic }), 201);
  await ok(calls.postAccountConfirm({ client, body: { password: PASSWORD } }));
  const named = { name: 'Assistant', scope: 'write', days: 7 } as const;
  const { secret } = await ok(calls.postAccountTokens({ client, body: named }), 201);
  const tool = await assistantOf(secret);

  const { topics } = await tool('list_topics');
  assert.deepEqual([topics.length, topics[0].name], [1, 'Quiet launches']);
  await tool('draft_post', { topicId: topics[0]._id });
  const drafted = await eventually(
    () => tool('list_posts'),
    (list) => list.posts.length === 1,
  );
  const postId = drafted.posts[0]._id;
  assert.equal(drafted.posts[0].status, 'pending', 'its owner asked to be asked');
  const content = 'We launched on a Tuesday, with four customers and no announcement.';
  await tool('edit_post', { postId, content });
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const moved = await tool('move_post', { postId, slot: `${day} 2` });
  assert.equal(moved.post.publishAt, `${day}T22:22:00.000Z`);
  assert.equal(await minuteComes(postId), 0, 'what waits for a yes is not handed over');
  assert.equal((await tool('list_posts')).posts[0].status, 'pending');
  await tool('approve_post', { postId });
  await minuteComes(postId);
  const [post] = await publishedPosts(client, 1);
  assert.equal(post!.content.startsWith(content), true);
});
