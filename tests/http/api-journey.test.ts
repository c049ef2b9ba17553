import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import { localDateOf } from '#app/domain/automation/slots.ts';
import { enqueueDuePosts } from '#app/domain/queue/due.ts';
import { startSandbox } from '#sandbox/server.ts';
import { startPart } from '#scripts/processes.ts';
import { sandboxAddresses } from '#scripts/settings.ts';
import { testDatabase } from '#tests/database.ts';
import { Browser, call } from '#tests/make/browser.ts';
import { agree, follow, locationOf } from '#tests/make/social.ts';
import { startWeb } from '#tests/web.ts';

const sandbox = await startSandbox();
after(() => sandbox.close());
const { db, url: databaseUrl } = await testDatabase();
const outside = sandboxAddresses(sandbox.url, sandbox.smtpUrl);
const web = await startWeb({ databaseUrl, env: outside });
const worker = startPart({
  name: 'worker',
  args: ['worker/main.ts'],
  env: { ...process.env, ...outside, DATABASE_URL: databaseUrl, APP_URL: web.url, LOG_LEVEL: 'error' },
  print: () => {},
});
await worker.line(/worker ready/, 30);
after(() => worker.stop(5));

// biome-ignore lint/suspicious/noExplicitAny: what the API answers is what this test looks at.
type Body = Record<string, any>;
const api = (method: string, path: string, body?: object, token?: string) =>
  call(web.url, method, path, body, token) as Promise<{ status: number; body: Body }>;

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
    return ((await answer.json()) as { mails: { text: string }[] }).mails;
  };
  const mails = await eventually(ask, (list) => list.length > 0);
  return /\b\d{6}\b/.exec(mails[0]!.text)![0];
}

async function signUp(email: string): Promise<string> {
  const password = 'harbour-light-7';
  const signedUp = await api('POST', '/auth/signup', {
    name: 'Noor Ahmadi',
    email,
    password,
    timeZone: 'UTC',
  });
  assert.equal(signedUp.status, 201);
  const verified = await api('POST', '/auth/verify-otp', { email, otp: await codeFor(email) });
  assert.equal(verified.status, 200);
  return verified.body.token;
}

test('the main job by API: from sign-up to a post on the profile', async () => {
  const token = await signUp('noor@example.com');
  const adminToken = await signUp('admin@example.com');
  await db.updateTable('users').set({ role: 'admin' }).where('email', '=', 'admin@example.com').execute();
  const as = (method: string, path: string, body?: object) => api(method, path, body, token);

  assert.equal((await as('PUT', '/automation/settings', { enabled: true })).status, 402);
  const choice = { postsPerDay: 2, currencyCode: 'USD' };
  const { paymentInfo } = (await as('POST', '/payment/create', choice)).body;
  assert.equal(paymentInfo.amount, 9.5, 'half of 19 for the first month');
  const proof = { ...choice, transactionId: '3ab12345cd6789012', amount: paymentInfo.amount };
  assert.equal(
    (await as('POST', '/payment/submit-proof', { ...proof, amount: 1 })).body.code,
    'amount_mismatch',
  );
  const submitted = await as('POST', '/payment/submit-proof', proof);
  assert.deepEqual([submitted.status, submitted.body.payment.status], [201, 'pending']);
  assert.equal((await api('GET', '/admin/pending-payments', undefined, token)).status, 403);
  const pending = await api('GET', '/admin/pending-payments', undefined, adminToken);
  const paymentId = pending.body.payments[0]._id;
  const verified = await api('POST', `/admin/verify-payment/${paymentId}`, {}, adminToken);
  assert.equal(verified.body.payment.status, 'active');
  assert.equal((await as('GET', '/payment/subscription')).body.subscription.status, 'active');

  const { authUrl } = (await as('GET', '/linkedin/connect')).body;
  const browser = new Browser(web.url);
  const begun = await browser.post(authUrl.slice(web.url.length));
  const { at: page } = await follow(
    browser,
    await agree(locationOf(begun), { email: 'noor@members.example' }),
  );
  await browser.post(page, { answer: 'yes' });
  assert.equal((await as('GET', '/linkedin/status')).body.connected, true);

  const topic = await as('POST', '/topics', { name: 'Harbour logistics', keywords: 'ports, planning' });
  assert.equal(topic.status, 201);
  const settings = { publishTimes: ['11:11', '22:22'], contentCreationTime: '05:05', timeZone: 'UTC' };
  assert.deepEqual((await as('PUT', '/automation/settings', settings)).body.settings.publishTimes, [
    '11:11',
    '22:22',
  ]);
  const dayOff = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const days = { publishDays: [...WEEKDAYS].reverse(), daysOff: [dayOff] };
  const kept = (await as('PUT', '/automation/settings', days)).body.settings;
  assert.deepEqual([kept.publishDays, kept.daysOff], [[...WEEKDAYS], [dayOff]]);
  const refused = await as('PUT', '/automation/settings', { publishDays: [] });
  assert.deepEqual(
    [refused.status, refused.body.fields],
    [422, { publishDays: ['Choose at least one day of the week on which posts go out'] }],
  );
  assert.deepEqual((await as('PUT', '/automation/settings', settings)).body.settings, kept);

  const generated = await as('POST', '/automation/test-generate', { count: 2 });
  assert.equal(generated.status, 202);
  const runPath = `/automation/runs/${generated.body.run._id}`;
  const ended = await eventually(
    () => as('GET', runPath),
    ({ body }) => body.run.status === 'complete',
  );
  assert.deepEqual([ended.body.run.done, ended.body.posts.length], [2, 2]);

  const [first, second] = (await as('GET', '/automation/scheduled')).body.posts;
  assert.equal((await as('POST', `/automation/posts/${first._id}/publish`)).status, 202);
  const published = await eventually(
    () => as('GET', '/automation/posts?status=published'),
    ({ body }) => body.posts.length === 1,
  );
  const [post] = published.body.posts;
  assert.match(post.linkedInPostUrl, /\/feed\/update\/urn:li:(share|ugcPost):\d+\/$/);
  assert.equal((await fetch(post.linkedInPostUrl)).status, 200);

  // Its minute comes: the tick that the worker's timetable runs, at the post's own instant.
  const at = new Date(second.publishAt);
  assert.equal(localDateOf(at, 'UTC') >= localDateOf(new Date(), 'UTC'), true);
  await db.updateTable('deliveries').set({ dueAt: new Date() }).where('postId', '=', second._id).execute();
  await enqueueDuePosts(db, new Date());
  await eventually(
    () => as('GET', '/automation/posts?status=published'),
    ({ body }) => body.posts.length === 2,
  );
  const { posts } = (await (await fetch(`${sandbox.url}/api/ledger`)).json()) as { posts: unknown[] };
  assert.equal(posts.length, 2);

  const { stats } = (await as('GET', '/automation/stats')).body;
  assert.deepEqual([stats.totalPosts, stats.publishedPosts, stats.publishedToday], [2, 2, 2]);
  assert.equal((await as('DELETE', `/automation/posts/${post._id}`)).status, 200);
  assert.equal((await fetch(post.linkedInPostUrl)).status, 404);
  assert.equal((await as('POST', '/auth/logout')).status, 200);
  assert.equal((await as('GET', '/auth/me')).status, 401);
});
