import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { serveSockets, startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);

/** After the first worker is dead: a new one, and as many minutes as it needs. */
async function recover(stage: Stage, post: DuePost) {
  await stage.worker();
  const minutes = await stage.settle(post);
  return { minutes, ...(await stage.verdict(post)) };
}

/** What is asked before attempts are written takes this lock first. */
const WISHES = 'select pg_advisory_xact_lock(71400)';

const together = (stage: Stage) => enqueueDuePosts(stage.db);
const byItself = (stage: Stage, post: DuePost) => stage.alone(post);

const published = (outcome: { post: { status: string } }) => assert.equal(outcome.post.status, 'published');

for (const [what, sql, send] of [
  ['it is taken with others', WISHES, together],
  ['it is claimed', 'select from posts for update', byItself],
] as const) {
  test(`killed before ${what}: sent once`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const post = await stage.duePost();
    const victim = await stage.worker();
    const held = await stage.lock(sql);
    await send(stage, post);
    await victim.blocked();
    await stage.kill(victim);
    await held.release();
    const outcome = await recover(stage, post);
    published(outcome);
    assert.equal(outcome.calls, 1);
    assert.ok(outcome.minutes <= 3, `${outcome.minutes} minutes`);
  });
}

test('killed while attempts are written together: each is sent once', async (t) => {
  const stage = await setStage(t, outside, wire);
  const posts = [await stage.duePost(), await stage.duePost()];
  const held = await stage.gate('before insert on publish_attempts');
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await victim.blocked();
  await stage.kill(victim);
  await held.release();
  for (const post of posts) {
    const outcome = await recover(stage, post);
    published(outcome);
    assert.equal(outcome.calls, 1);
    assert.ok(outcome.minutes <= 3, `${outcome.minutes} minutes`);
  }
});

test('killed after the claim, before the attempt is written: sent once', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  // Reads stay possible, so the claim goes through; the attempt can't be written.
  const held = await stage.lock('lock table publish_attempts in share mode');
  const victim = await stage.worker();
  await stage.alone(post);
  await victim.blocked();
  const { delivery, attempts } = await stage.read(post);
  assert.ok(delivery?.leaseToken);
  assert.equal(attempts.length, 0);
  await stage.kill(victim);
  await held.release();
  const outcome = await recover(stage, post);
  published(outcome);
  assert.equal(outcome.calls, 1);
  assert.ok(outcome.minutes <= 7, `${outcome.minutes} minutes`);
});

test('killed after the attempt is written, before a byte of the call: sent once', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const hello = Promise.withResolvers<void>();
  // It takes the connection and never says anything: TLS never comes to the request.
  const silent = await serveSockets((socket) => socket.once('data', () => hello.resolve()));
  const victim = await stage.worker({ LINKEDIN_API_URL: `https://${silent}` });
  await enqueueDuePosts(stage.db);
  await soon('the worker connects', hello.promise);
  assert.equal((await stage.read(post)).attempts[0]?.state, 'sending');
  await stage.kill(victim);
  const outcome = await recover(stage, post);
  published(outcome);
  assert.equal(outcome.calls, 1);
  assert.equal(outcome.attempts.length, 2);
});

test('killed while the call is under way and never arrives: sent once', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const call = wire.holdPost('before', post.marker);
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the call is on the wire', call.held);
  await stage.kill(victim);
  call.open();
  const outcome = await recover(stage, post);
  published(outcome);
  assert.equal(outcome.calls, 1);
});

/** A worker that LinkedIn has answered; the answer is on the wire. */
async function answered(t: TestContext) {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const answer = wire.holdPost('after', post.marker);
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the network has answered', answer.held);
  return { stage, post, answer, victim };
}

test('killed while the network answers: the resend finds the post', async (t) => {
  const { stage, post, answer, victim } = await answered(t);
  await stage.kill(victim);
  answer.open();
  const outcome = await recover(stage, post);
  published(outcome);
  assert.deepEqual(
    outcome.sent.map(({ status }) => status),
    [201, 422],
  );
  assert.ok(outcome.minutes <= 2, `${outcome.minutes} minutes`);
});

for (const [what, sql] of [
  ['the post', 'select from posts where id = $1 for update'],
  ['the attempt', 'select from publish_attempts where post_id = $1 for update'],
  ['the delivery', 'select from post_schedules where post_id = $1 for update'],
] as const) {
  test(`killed with the answer in hand, waiting for ${what}: the resend finds the post`, async (t) => {
    const { stage, post, answer, victim } = await answered(t);
    const held = await stage.lock(sql, [post.id]);
    answer.open();
    await victim.blocked();
    assert.equal((await stage.read(post)).attempts[0]?.state, 'sending');
    await stage.kill(victim);
    await held.release();
    const outcome = await recover(stage, post);
    published(outcome);
    assert.equal(outcome.calls, 2);
  });
}

test('killed when the outcome is written, before the queue knows: the job runs again and does nothing', async (t) => {
  const { stage, post, answer, victim } = await answered(t);
  const key = 'send-batch:0';
  const held = await stage.lock('select from graphile_worker._private_jobs where key = $1 for update', [key]);
  answer.open();
  await until('the outcome is written', async () => (await stage.read(post)).post.status === 'published');
  await victim.blocked();
  await stage.kill(victim);
  await held.release();
  const free = 'update graphile_worker._private_jobs set locked_at = null, locked_by = null where key = $1';
  assert.equal((await stage.pool.query(free, [key])).rowCount, 1);
  const before = await stage.read(post);
  await stage.worker();
  await until('the job has run again', async () => {
    const { rowCount } = await stage.pool.query('select from graphile_worker.jobs where key = $1', [key]);
    return rowCount === 0;
  });
  assert.deepEqual(await stage.read(post), before);
  assert.equal((await stage.verdict(post)).calls, 1);
});
