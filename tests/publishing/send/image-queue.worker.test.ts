import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '#app/domain/platform/actor.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import type { Worker } from '#tests/harness/worker/process.ts';
import { servePicture } from '#tests/harness/worker/slow-image.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const DAY_MS = 86_400_000;
/** A picture that never ends is waited for 10 s: what is out sooner has waited for none. */
const WITHOUT_WAITING_SECONDS = 7;
/** So often every place is taken anew. */
const ROUNDS = 4;
/** What a process of 48 jobs has. */
const PLACES = 6;

/** A server of pictures that counts who waits for one. */
async function serveSlowly(answer: RequestListener) {
  const seen = { asked: 0, open: 0, most: 0 };
  const origin = await serve((req, res) => {
    seen.asked++;
    seen.most = Math.max(seen.most, ++seen.open);
    res.on('close', () => seen.open--);
    answer(req, res);
  });
  return { origin, seen };
}

const serveEndless = () =>
  serveSlowly((_req, res) => void res.writeHead(200, { 'Content-Type': 'image/gif' }).write('GIF89a'));

/** Posts of later days that their owner wants out now. */
async function sendPictures(stage: Stage, owner: Actor, origin: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const dueAt = new Date(Date.now() + (n + 1) * DAY_MS);
    const imageUrl = `${origin}/${n}.gif`;
    await publishNow(stage.db, owner, await makeScheduledPost(stage.db, owner, { dueAt, imageUrl }));
  }
}

/** How long it takes from here until the post is out. */
async function secondsUntilOut(stage: Stage, post: DuePost): Promise<number> {
  const begun = performance.now();
  await until('the post is out', async () => (await stage.read(post)).post.status === 'published');
  return (performance.now() - begun) / 1_000;
}

const megabytesOf = ({ pid }: Worker) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test('while 100 pictures of one user never end, a text and a picture of others wait for none of them', async (t) => {
  const stage = await setStage(t, outside, wire);
  const endless = await serveEndless();
  const picture = await servePicture();
  await stage.worker();
  await sendPictures(stage, await makePublisher(stage.db, outside.url), endless.origin, 100);
  await until('pictures are asked for', () => endless.seen.open > 0);
  for (const round of ['at first', 'with others after them']) {
    const text = await stage.duePost();
    await enqueueDuePosts(stage.db);
    const seconds = await secondsUntilOut(stage, text);
    assert.ok(seconds < WITHOUT_WAITING_SECONDS, `the text took ${seconds} s ${round}`);
    const byHand = await stage.duePost();
    await publishNow(stage.db, stage.actor, byHand.id);
    const pressed = await secondsUntilOut(stage, byHand);
    assert.ok(pressed < WITHOUT_WAITING_SECONDS, `the text by hand took ${pressed} s ${round}`);
    const pictured = await stage.duePost(picture.url);
    await enqueueDuePosts(stage.db);
    const loaded = await secondsUntilOut(stage, pictured);
    assert.ok(loaded < WITHOUT_WAITING_SECONDS, `the picture took ${loaded} s ${round}`);
    await until('the next ones are asked for', () => endless.seen.asked > 2);
  }
  assert.ok(endless.seen.most <= 2, `${endless.seen.most} pictures of one user at once`);
});

test('pictures that never end, of more users than there are places, come in turns: nobody waits for all of one user', async (t) => {
  const stage = await setStage(t, outside, wire);
  const endless = await serveEndless();
  const picture = await servePicture();
  const owners: Actor[] = [];
  while (owners.length < 4) owners.push(await makePublisher(stage.db, outside.url));
  for (const owner of owners) await sendPictures(stage, owner, endless.origin, 20);
  await stage.worker();
  await until('every place is taken', () => endless.seen.open === PLACES);
  const pictured = await stage.duePost(picture.url);
  await enqueueDuePosts(stage.db);
  const seconds = await secondsUntilOut(stage, pictured);
  // One that never ends, and not two.
  assert.ok(seconds < 18, `the picture took ${seconds} s`);
  assert.equal(endless.seen.most, PLACES);
});

test('many pictures of 8 MB from slow servers leave the process below 300 MB', async (t) => {
  const stage = await setStage(t, outside, wire);
  const big = Buffer.alloc(8 * 1024 * 1024 - 100, 1);
  big.set([0xff, 0xd8, 0xff]);
  const fat = await serveSlowly((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'image/jpeg' }).write(big);
    setTimeout(() => res.end(), 2_000);
  });
  for (let users = 0; users < 6; users++) {
    await sendPictures(stage, await makePublisher(stage.db, outside.url), fat.origin, 10);
  }
  const worker = await stage.worker();
  const rest = megabytesOf(worker);
  let peak = 0;
  const begun = performance.now();
  const goesOn = (least: number, most: number) => {
    const passed = performance.now() - begun;
    return passed < least || (passed < most && fat.seen.asked < ROUNDS * PLACES);
  };
  while (goesOn(8_000, 60_000)) {
    peak = Math.max(peak, megabytesOf(worker));
    await wait(50);
  }
  // What is under way ends before its servers do.
  worker.signal('SIGTERM');
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  t.diagnostic(
    `${Math.round(rest)} MB, then ${Math.round(peak)} MB at most, with ${fat.seen.asked} pictures`,
  );
  assert.ok(fat.seen.asked >= ROUNDS * PLACES, `${fat.seen.asked} pictures asked for`);
  assert.ok(peak < 300, `${peak} MB`);
});

/** A worker that loads two pictures of one user, while others of theirs wait. */
async function loadTwoOf(stage: Stage, count: number) {
  const slow = await servePicture(2);
  const posts: DuePost[] = [];
  while (posts.length < count) posts.push(await stage.duePost(slow.url));
  const worker = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('two pictures are asked for', Promise.all([slow.asked(0), slow.asked(1)]));
  await until('the others wait without a job', async () => {
    const { rowCount } = await stage.pool.query('select from graphile_worker.jobs');
    return rowCount === 2;
  });
  const open = () => [0, 1].forEach(slow.open);
  return { worker, posts, open };
}

test('SIGTERM while pictures wait for their turn: those under way are ended, the others go to the next worker', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { worker, posts, open } = await loadTwoOf(stage, 6);
  worker.signal('SIGTERM');
  await wait(2_000);
  open();
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  const { rows } = await stage.pool.query('select attempts, locked_at from graphile_worker.jobs');
  assert.deepEqual(
    rows,
    Array.from({ length: 4 }, () => ({ attempts: 0, locked_at: null })),
  );
  const outcomes = await Promise.all(posts.map((post) => stage.read(post)));
  assert.equal(outcomes.filter(({ post }) => post.status === 'published').length, 2);
  assert.equal(outcomes.filter(({ delivery }) => delivery?.leaseToken).length, 0);
  await stage.worker();
  await until('every post is out', async () => {
    const seen = await Promise.all(posts.map((post) => stage.read(post)));
    return seen.every(({ post }) => post.status === 'published');
  });
  for (const post of posts) assert.equal((await stage.verdict(post)).calls, 1);
});

test('SIGTERM while pictures wait for their turn, and those under way fail: the others go to the next worker', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { worker, posts, open } = await loadTwoOf(stage, 6);
  const fault = await stage.fail('before insert on publish_attempts', 'true', 'XX000');
  worker.signal('SIGTERM');
  await wait(2_000);
  open();
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  await fault.mend();
  const { rows } = await stage.pool.query(
    'select key from graphile_worker.jobs where attempts = 0 and locked_at is null',
  );
  assert.deepEqual(rows.map(({ key }) => key).toSorted(), posts.map(({ id }) => `publish:${id}`).toSorted());
});

test('SIGKILL while pictures wait for their turn: all are sent once, those that waited within three minutes', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { worker, posts, open } = await loadTwoOf(stage, 6);
  await stage.kill(worker);
  open();
  await stage.worker();
  const isOut = async (post: DuePost) => (await stage.read(post)).post.status === 'published';
  const minutes = await stage.minutes(3, async () => {
    const out = await Promise.all(posts.map(isOut));
    return out.filter(Boolean).length >= 4;
  });
  assert.ok(minutes <= 3, `${minutes} minutes`);
  await stage.settleAll(posts);
  for (const post of posts) assert.equal((await stage.verdict(post)).calls, 1);
});

test('a worker of one job sends texts and pictures of several users one after the other', async (t) => {
  const stage = await setStage(t, outside, wire);
  const picture = await servePicture();
  const posts = [await stage.duePost(picture.url), await stage.duePost(), await stage.duePost(picture.url)];
  await sendPictures(stage, await makePublisher(stage.db, outside.url), picture.url, 3);
  await stage.worker({ WORKER_CONCURRENCY: '1' });
  await stage.settleAll(posts);
  for (const post of posts) assert.equal((await stage.verdict(post)).calls, 1);
  const left = await stage.db
    .selectFrom('postSchedules')
    .select('postId')
    .where('dueAt', 'is not', null)
    .execute();
  assert.deepEqual(left, []);
});
