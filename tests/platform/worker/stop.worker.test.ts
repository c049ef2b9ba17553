import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { setStage } from '#tests/harness/worker/stage.ts';
import { soon } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const TIMES = 5;

test(`SIGTERM during a publication, ${TIMES} times: it ends first, and leaves no job behind`, async (t) => {
  const stage = await setStage(t, outside, wire);
  for (let time = 0; time < TIMES; time++) {
    const posts = [await stage.duePost(), await stage.duePost()];
    const calls = posts.map(({ marker }) => wire.holdPost('after', marker));
    const worker = await stage.worker();
    await enqueueDuePosts(stage.db);
    await soon('the calls are held', Promise.all(calls.map(({ held }) => held)));
    worker.signal('SIGTERM');
    for (const { open } of calls) open();
    assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
    for (const post of posts) {
      const outcome = await stage.verdict(post);
      assert.equal(outcome.post.status, 'published');
      assert.equal(outcome.calls, 1);
    }
    const { rows } = await stage.pool.query('select key, locked_at from graphile_worker.jobs');
    assert.deepEqual(rows, []);
  }
});

test('SIGTERM with a call that takes longer than a second signal: it still ends first', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const call = wire.holdPost('before', post.marker);
  const worker = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the call is held', call.held);
  worker.signal('SIGTERM');
  worker.signal('SIGTERM');
  // A signal has to reach a process that has other things to do.
  await wait(2_000);
  const waiting = await stage.duePost();
  await enqueueDuePosts(stage.db);
  call.open();
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  assert.equal((await stage.verdict(post)).calls, 1);
  assert.equal((await stage.read(waiting)).sent.length, 0, 'no new job is begun');
});
