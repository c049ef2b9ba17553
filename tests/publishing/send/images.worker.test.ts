import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const picture = await servePicture();
const images = async () => ((await outside.ledger()) as { images: number }).images;

async function recover(stage: Stage, post: DuePost) {
  await stage.worker();
  const minutes = await stage.settle(post);
  return { minutes, ...(await stage.verdict(post)) };
}

test('killed while it loads the picture: sent once, with the picture', async (t) => {
  const stage = await setStage(t, outside, wire);
  const slow = await servePicture(1);
  const post = await stage.duePost(slow.url);
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the picture is asked for', slow.asked(0));
  await stage.kill(victim);
  slow.open(0);
  const { post: row, live, calls, minutes } = await recover(stage, post);
  assert.equal(row.status, 'published');
  assert.equal(calls, 1);
  assert.ok(live[0]!.imageUrn);
  assert.ok(minutes <= 7, `${minutes} minutes`);
});

test('killed while it uploads the picture: sent once, with the picture', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost(picture.url);
  const upload = wire.hold('before', 'PUT /linkedin-upload/');
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the picture is on the wire', upload.held);
  await stage.kill(victim);
  upload.open();
  const { post: row, live, calls } = await recover(stage, post);
  assert.equal(row.status, 'published');
  assert.equal(calls, 1);
  assert.ok(live[0]!.imageUrn);
});

test('killed when the picture is uploaded, before that is kept: sent once, with one of two pictures', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost(picture.url);
  const upload = wire.hold('after', 'PUT /linkedin-upload/');
  const before = await images();
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the picture is there', upload.held);
  const held = await stage.lock('select from post_schedules where post_id = $1 for update', [post.id]);
  upload.open();
  await victim.blocked();
  await stage.kill(victim);
  await held.release();
  const { post: row, calls } = await recover(stage, post);
  assert.equal(row.status, 'published');
  assert.equal(calls, 1);
  assert.equal((await images()) - before, 2);
});

test('killed when the picture is kept, before the attempt is written: the same picture is sent', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost(picture.url);
  const before = await images();
  const held = await stage.lock('lock table publish_attempts in share mode');
  const victim = await stage.worker();
  await enqueueDuePosts(stage.db);
  await victim.blocked();
  const kept = (await stage.read(post)).post.imageUrn;
  await stage.kill(victim);
  await held.release();
  const { live } = await recover(stage, post);
  assert.equal(live[0]!.imageUrn, kept);
  assert.equal((await images()) - before, 1);
});

for (const [where, count] of [
  ['before', 0],
  ['after', 1],
] as const) {
  test(`killed in the call with a picture, ${where} the network took it: nothing resends it, the user is told`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const post = await stage.duePost(picture.url);
    const call = wire.holdPost(where, post.marker);
    const victim = await stage.worker();
    await enqueueDuePosts(stage.db);
    await soon('the call is held', call.held);
    await stage.kill(victim);
    call.open();
    const outcome = await recover(stage, post);
    assert.equal(outcome.post.status, 'failed');
    assert.equal(outcome.calls, count);
    assert.equal(outcome.live.length, count);
    assert.equal(outcome.attempts.length, 1);
    assert.ok(outcome.mails[0]!.sentAt, 'the mail is out');
    assert.ok(outcome.minutes <= 2, `${outcome.minutes} minutes`);
  });
}
