import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { wayTo } from '#tests/harness/worker/database-proxy.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';
import { type DuePost, setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const picture = await servePicture();

for (const [what, pictured] of [
  ['a text', false],
  ['a picture', true],
] as const) {
  test(`the database is away when the network answers for ${what}: the answer is kept until it is back`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const way = await wayTo(stage.workerUrl);
    const worker = await stage.worker({}, [], way.url);
    const post = await stage.duePost(pictured ? picture.url : undefined);
    const answer = wire.holdPost('after', post.marker);
    await enqueueDuePosts(stage.db);
    await soon('the network has answered', answer.held);
    way.cut();
    answer.open();
    // Longer than a connection is waited for.
    await wait(6_000);
    way.mend();
    await until('the answer is written', async () => (await stage.read(post)).post.status === 'published');
    const { sent, mails, attempts } = await stage.read(post);
    assert.deepEqual([sent.length, mails.length, attempts.length], [1, 0, 1]);
    worker.signal('SIGTERM');
    assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
    assert.deepEqual(readdirSync(path.join(stage.dataDir, 'answers')), []);
  });
}

test('told to stop while an answer waits for the database: it stops, and the next worker writes the answer', async (t) => {
  const stage = await setStage(t, outside, wire);
  const way = await wayTo(stage.workerUrl);
  const worker = await stage.worker({}, [], way.url);
  const post = await stage.duePost(picture.url);
  const answer = wire.holdPost('after', post.marker);
  await enqueueDuePosts(stage.db);
  await soon('the network has answered', answer.held);
  way.cut();
  answer.open();
  const answers = path.join(stage.dataDir, 'answers');
  await until('the answer is written beside', () => existsSync(answers) && readdirSync(answers).length === 1);
  worker.signal('SIGTERM');
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  assert.equal((await stage.read(post)).attempts[0]!.state, 'sending');
  await stage.worker();
  const { post: row, sent, mails } = await stage.read(post);
  assert.deepEqual([row.status, sent.length, mails.length], ['published', 1, 0]);
  assert.deepEqual(readdirSync(answers), []);
});

test('the database is away when a job ends: every lane goes on when it is back', async (t) => {
  const stage = await setStage(t, outside, wire);
  const way = await wayTo(stage.workerUrl);
  const slow = await servePicture(1);
  const worker = await stage.worker({}, [], way.url);
  await stage.duePost(slow.url);
  await enqueueDuePosts(stage.db);
  await soon('the picture is asked for', slow.asked(0));
  way.cut();
  slow.open(0);
  await worker.said('has ended');
  way.mend();
  const next = await stage.duePost();
  await enqueueDuePosts(stage.db);
  await until('the next post is out', async () => (await stage.read(next)).post.status === 'published');
  worker.signal('SIGTERM');
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
});

test('connections to the database are taken and nobody speaks: every lane goes on when somebody does', async (t) => {
  const stage = await setStage(t, outside, wire);
  const way = await wayTo(stage.workerUrl);
  const worker = await stage.worker({}, [], way.url);
  const isOut = async (post: DuePost) => (await stage.read(post)).post.status === 'published';
  const first = await stage.duePost();
  await enqueueDuePosts(stage.db);
  await until('the first post is out', () => isOut(first));
  way.hold();
  // Longer than from one look of the queue to its next.
  await wait(3_000);
  way.mend();
  const next = await stage.duePost();
  await enqueueDuePosts(stage.db);
  await until('the next post is out', () => isOut(next));
  worker.signal('SIGTERM');
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
});
