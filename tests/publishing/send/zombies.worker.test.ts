import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { serveSockets, startOutside } from '#tests/harness/outside/sandbox.ts';
import { lockedJobs, pass, tick } from '#tests/harness/worker/clock.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';
import { setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

// LinkedIn lets an approved application renew its tokens; the sandbox knows one by its id.
process.env.LINKEDIN_CLIENT_ID = 'tidepost-refresh';
process.env.LINKEDIN_CLIENT_SECRET = 'tidepost-refresh-secret';
const outside = await startOutside();
const wire = await startWire(outside.url);
const LEASE_AND_A_MINUTE = 6 * 60;

/** A server that takes connections and says nothing until they are cut: TLS never comes to the request. */
async function silence() {
  const hello = Promise.withResolvers<() => void>();
  const host = await serveSockets((socket) =>
    socket.once('data', () => hello.resolve(() => void socket.destroy())),
  );
  return { url: `https://${host}`, cut: hello.promise };
}

test('stopped after its claim, resumed when another has published: nothing more is sent', async (t) => {
  const stage = await setStage(t, outside, wire);
  const picture = await servePicture(1);
  const post = await stage.duePost(picture.url);
  const zombie = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the picture is asked for', picture.asked(0));
  zombie.signal('SIGSTOP');
  await stage.forget();
  await pass(stage.pool, LEASE_AND_A_MINUTE);
  await stage.worker();
  await stage.settle(post);
  const before = await stage.read(post);
  picture.open(0);
  zombie.signal('SIGCONT');
  await stage.allDone();
  assert.deepEqual(await stage.read(post), before);
  assert.equal((await stage.verdict(post)).calls, 1);
});

test('stopped after its claim, resumed when another has claimed: only the other one sends', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  // A token that ends in a minute is renewed between the claim and the attempt.
  await stage.pool.query(`update linkedin_connections set expires_at = now() + interval '1 minute'`);
  const renewals = [1, 2].map(() => wire.hold('before', 'POST /linkedin/oauth/v2/accessToken'));
  const env = { LINKEDIN_AUTH_URL: `${wire.url}/linkedin` };
  const zombie = await stage.worker(env);
  await enqueueDuePosts(stage.db);
  await soon('the first one renews the token', renewals[0]!.held);
  zombie.signal('SIGSTOP');
  const first = await lockedJobs(stage.pool);
  await pass(stage.pool, LEASE_AND_A_MINUTE);
  await stage.worker(env);
  await tick(stage.db);
  await soon('the other one renews the token', renewals[1]!.held);
  const { leaseToken } = (await stage.read(post)).delivery!;
  renewals[0]!.open();
  zombie.signal('SIGCONT');
  await until('the first one has ended', async () => {
    const locked = await lockedJobs(stage.pool);
    return first.every((id) => !locked.includes(id));
  });
  assert.equal((await stage.read(post)).attempts.length, 0);
  renewals[1]!.open();
  await stage.allDone();
  const { calls, attempts } = await stage.verdict(post);
  assert.equal(calls, 1);
  assert.equal(attempts[0]!.leaseToken, leaseToken);
});

for (const [where, answers] of [
  ['before', [201, 422]],
  ['after', [201, 422]],
] as const) {
  test(`stopped in its call, ${where} the network took it, resumed after the resend: one post`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const post = await stage.duePost();
    const call = wire.holdPost(where, post.marker);
    const zombie = await stage.worker();
    await enqueueDuePosts(stage.db);
    await soon('the call is held', call.held);
    zombie.signal('SIGSTOP');
    await stage.forget();
    await pass(stage.pool, 61);
    await stage.worker();
    await stage.settle(post);
    const { post: before } = await stage.read(post);
    call.open();
    zombie.signal('SIGCONT');
    await stage.allDone();
    const outcome = await stage.verdict(post);
    assert.deepEqual(outcome.post, before);
    assert.deepEqual(
      outcome.sent.map(({ status }) => status),
      answers,
    );
  });
}

test('stopped before its call, resumed after the resend: one post, one call', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const network = await silence();
  const zombie = await stage.worker({ LINKEDIN_API_URL: network.url });
  await enqueueDuePosts(stage.db);
  const cut = await soon('the worker connects', network.cut);
  zombie.signal('SIGSTOP');
  await stage.forget();
  await pass(stage.pool, 61);
  await stage.worker();
  await stage.settle(post);
  const before = await stage.read(post);
  cut();
  zombie.signal('SIGCONT');
  await stage.allDone();
  assert.deepEqual(await stage.read(post), before);
  assert.equal((await stage.verdict(post)).calls, 1);
});

test('resumed while the resend is under way: what the late one knows does not start another attempt', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const network = await silence();
  const zombie = await stage.worker({ LINKEDIN_API_URL: network.url });
  await enqueueDuePosts(stage.db);
  const cut = await soon('the worker connects', network.cut);
  zombie.signal('SIGSTOP');
  await pass(stage.pool, 61);
  const resend = wire.holdPost('after', post.marker);
  const victim = await stage.worker();
  await tick(stage.db);
  await soon('the resend is held', resend.held);
  cut();
  zombie.signal('SIGCONT');
  const key = 'send-batch:0';
  await until('the late one has settled', async () => {
    const { rows } = await stage.pool.query(
      'select from graphile_worker.jobs where key = $1 and locked_at is not null',
      [key],
    );
    return rows.length === 0;
  });
  await stage.kill(victim, zombie);
  resend.open();
  await pass(stage.pool, 11 * 60);
  await stage.worker();
  await stage.settle(post);
  const { post: row, calls, live } = await stage.verdict(post);
  assert.equal(row.status, 'failed');
  assert.equal(calls, 1);
  assert.equal(live.length, 1);
});

test('held up by a lock before the resend: it is left to the next minute', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const call = wire.holdPost('before', post.marker);
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the call is held', call.held);
  await stage.kill(victim);
  call.open();
  await pass(stage.pool, 61);
  // The last look before the resend reads it, and nothing earlier does.
  const held = await stage.lock('lock table payments in access exclusive mode');
  await stage.worker();
  await sweepAttempts(stage.db);
  await until('somebody waits', async () => (await stage.blocked()) === 1);
  await until('nobody waits any more', async () => (await stage.blocked()) === 0);
  await held.release();
  await stage.idle();
  const { sent, attempts } = await stage.read(post);
  assert.equal(sent.length, 0);
  assert.equal(attempts.length, 1, 'a second attempt is written');
  await stage.settle(post);
  assert.equal((await stage.verdict(post)).calls, 1);
});
