import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass, tick } from '#tests/harness/worker/clock.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);

/** A post whose worker was killed while the network answered. */
async function orphan(stage: Stage, where: 'before' | 'after' = 'after'): Promise<DuePost> {
  const post = await stage.duePost();
  const answer = wire.holdPost(where, post.marker);
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the call is held', answer.held);
  await stage.kill(victim);
  answer.open();
  return post;
}

for (const [first, where, status, attempts] of [
  ['after', 'before', 'failed', 1],
  ['after', 'after', 'failed', 2],
  ['before', 'after', 'failed', 1],
] as const) {
  test(`killed ${where} the resend arrived, the first one ${first}: the user is told, nothing more is sent`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const post = await orphan(stage, first);
    await pass(stage.pool, 61);
    const resend = wire.holdPost(where, post.marker);
    const victim = await stage.worker();
    await tick(stage.db);
    await soon('the resend is held', resend.held);
    await stage.kill(victim);
    resend.open();
    await stage.worker();
    const minutes = await stage.settle(post);
    const outcome = await stage.verdict(post);
    assert.equal(outcome.post.status, status);
    assert.equal(outcome.calls, attempts);
    assert.equal(outcome.live.length, 1);
    assert.ok(minutes <= 2, `${minutes} minutes`);
  });
}

test('killed before the resend is written: it is sent by the next worker', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await orphan(stage);
  await pass(stage.pool, 61);
  await sweepAttempts(stage.db);
  const held = await stage.lock('lock table publish_attempts in share mode');
  const victim = await stage.worker();
  await victim.blocked();
  await stage.kill(victim);
  await held.release();
  await stage.worker();
  await stage.settle(post);
  const outcome = await stage.verdict(post);
  assert.equal(outcome.post.status, 'published');
  assert.equal(outcome.calls, 2);
});

test('killed in the middle of the sweep: the next one finishes it', async (t) => {
  const stage = await setStage(t, outside, wire);
  const posts = [await stage.duePost(), await stage.duePost(), await stage.duePost()];
  const calls = posts.map(({ marker }) => wire.holdPost('after', marker));
  const first = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the calls are held', Promise.all(calls.map(({ held }) => held)));
  await stage.kill(first);
  for (const { open } of calls) open();
  await pass(stage.pool, 61);
  const held = await stage.lockPost(posts[1]!);
  const victim = await stage.worker();
  await stage.pool.query(`select graphile_worker.add_job('sweep-publishing')`);
  await victim.blocked();
  await stage.kill(victim);
  await held.release();
  await stage.worker();
  await stage.settleAll(posts, 3);
  for (const post of posts) {
    const outcome = await stage.verdict(post);
    assert.equal(outcome.post.status, 'published');
    assert.equal(outcome.calls, 2);
  }
});

test('unknown when the lease is over: the post waits for the resend and is not sent anew', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await orphan(stage);
  await pass(stage.pool, 61);
  await sweepAttempts(stage.db);
  // Without the job of its resend, as if no worker had come to it.
  await stage.pool.query(`delete from graphile_worker._private_jobs where key like 'confirm:%'`);
  await pass(stage.pool, 5 * 60);
  await stage.worker();
  assert.equal(await enqueueDuePosts(stage.db), 0);
  // A job from before, which nobody has taken back.
  await enqueue(stage.db, jobs.publishPost, { postId: post.id });
  await stage.idle();
  const { sent, attempts } = await stage.read(post);
  assert.equal(sent.length, 1);
  assert.equal(attempts.length, 1);
  await stage.settle(post);
  const outcome = await stage.verdict(post);
  assert.equal(outcome.post.status, 'published');
  assert.equal(outcome.calls, 2);
});

test('found after the window: nothing is resent, the user is told once', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await orphan(stage);
  await pass(stage.pool, 10 * 60);
  await stage.worker();
  await stage.settle(post);
  const outcome = await stage.verdict(post);
  assert.equal(outcome.post.status, 'failed');
  assert.equal(outcome.calls, 1);
  assert.equal(outcome.live.length, 1);
  assert.ok(outcome.mails[0]!.sentAt, 'the mail is out');
});
