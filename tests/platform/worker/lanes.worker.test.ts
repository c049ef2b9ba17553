import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { jobs, ticks } from '#app/domain/platform/jobs.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { ROOT } from '#scripts/run.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { lockedJobs } from '#tests/harness/worker/clock.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const ONE_JOB = { WORKER_CONCURRENCY: '1' };
const throughWire = { OPENAI_BASE_URL: `${wire.url}/openai/v1` };
const holdWriter = () => wire.hold('before', 'POST /openai/v1/chat/completions');

async function startRun(stage: Stage, count: number): Promise<string> {
  await makeTopic(stage.db, stage.actor);
  return (await generateNow(stage.db, stage.actor, { topicId: undefined, count })).id;
}

const isPublished = async (stage: Stage, post: DuePost) =>
  (await stage.read(post)).post.status === 'published';

test('a due post goes out while every worker of the writing lane waits for the writer', async (t) => {
  const stage = await setStage(t, outside, wire);
  const writer = holdWriter();
  await stage.worker({ ...ONE_JOB, ...throughWire });
  await startRun(stage, 1);
  await soon('the writer is asked', writer.held);
  const post = await stage.duePost();
  await enqueueDuePosts(stage.db);
  await until('the post is out', () => isPublished(stage, post));
  writer.open();
  await stage.allDone();
});

test('a worker that is told one lane runs its jobs and ticks and no others', async (t) => {
  const stage = await setStage(t, outside, wire);
  await startRun(stage, 1);
  await stage.worker({}, ['publishing']);
  const post = await stage.duePost();
  await enqueueDuePosts(stage.db);
  await until('the post is out', () => isPublished(stage, post));
  const { rows: known } = await stage.pool.query('select name from tick_times order by 1');
  assert.deepEqual(
    known.map(({ name }) => name),
    [ticks.sweepPublishing.name, ticks.tickPublishing.name],
  );
  const { rows: waiting } = await stage.pool.query(
    'select attempts, locked_at from graphile_worker.jobs where task_identifier = $1',
    [jobs.writeRun.name],
  );
  assert.deepEqual(waiting, [{ attempts: 0, locked_at: null }]);
});

test('a worker that publishes says where nothing can be written that has to outlive it, and publishes', async (t) => {
  const stage = await setStage(t, outside, wire);
  const DATA_DIR = `${import.meta.filename}/data`;
  const publishing = await stage.worker({ DATA_DIR }, ['publishing']);
  assert.match(
    publishing.output(),
    /"level":50.*"reason":"ENOTDIR: .*nothing can be written in .*data, which DATA_DIR names/,
  );
  const post = await stage.duePost();
  await enqueueDuePosts(stage.db);
  await until('the post is out', () => isPublished(stage, post));
  const others = await stage.worker({ DATA_DIR }, ['writing', 'upkeep']);
  assert.doesNotMatch(others.output(), /DATA_DIR/);
});

test('a lane that does not exist is told in a sentence', () => {
  const { status, stderr } = spawnSync(process.execPath, ['worker/main.ts', 'printing'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.equal(stderr, 'There is no lane "printing". The lanes are publishing, writing, upkeep, webhooks.\n');
});

test('a job that is tried again is a warning in the log, one that fails for good an error', async (t) => {
  const stage = await setStage(t, outside, wire);
  const worker = await stage.worker({ LOG_LEVEL: 'warn' });
  const add = `select graphile_worker.add_job('${jobs.sendMail.name}', '{"mailId": "none"}', max_attempts => $1)`;
  for (const most of [1, 3]) await stage.pool.query(add, [most]);
  await worker.said('attempt 1 of 1)');
  await worker.said('attempt 1 of 3)');
  const levels = [1, 3].map((most) => {
    const line = worker
      .output()
      .split('\n')
      .find((each) => each.includes(`attempt 1 of ${most})`));
    return JSON.parse(line!).level;
  });
  assert.deepEqual(levels, [50, 40]);
});

/** A worker whose only slot is in a call, with the job of another post fetched and not begun. */
async function fetchAhead(stage: Stage) {
  const busy = await stage.duePost();
  const call = wire.holdPost('before', busy.marker);
  const worker = await stage.worker(ONE_JOB);
  await stage.alone(busy);
  await soon('the call is held', call.held);
  const fetched = await stage.duePost();
  await stage.alone(fetched);
  await until('the other job is fetched', async () => (await lockedJobs(stage.pool)).length === 2);
  assert.equal((await stage.read(fetched)).delivery!.leaseToken, null, 'not begun');
  return { worker, busy, call, fetched };
}

test('SIGTERM gives back what was fetched and not begun: the next worker sends it at once', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { worker, busy, call, fetched } = await fetchAhead(stage);
  worker.signal('SIGTERM');
  call.open();
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  assert.equal((await stage.verdict(busy)).calls, 1);
  const { rows } = await stage.pool.query('select key, attempts, locked_at from graphile_worker.jobs');
  assert.deepEqual(rows, [{ key: `publish:${fetched.id}`, attempts: 0, locked_at: null }]);
  await stage.worker();
  await until('the other post is out', () => isPublished(stage, fetched));
  assert.equal((await stage.verdict(fetched)).calls, 1);
});

test('SIGKILL with a job fetched and not begun: it is sent once, within three minutes', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { worker, busy, call, fetched } = await fetchAhead(stage);
  await stage.kill(worker);
  call.open();
  await stage.worker();
  const minutes = await stage.settle(fetched);
  assert.ok(minutes <= 3, `${minutes} minutes`);
  assert.equal((await stage.verdict(fetched)).calls, 1);
  await stage.settle(busy);
  assert.equal((await stage.verdict(busy)).calls, 1);
});

test('a job fetched by a worker that is busy goes to one that is not', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { busy, call, fetched } = await fetchAhead(stage);
  await stage.worker(ONE_JOB);
  await until('the other post is out', () => isPublished(stage, fetched));
  assert.equal((await stage.read(busy)).post.status, 'generated');
  call.open();
  await stage.settle(busy);
  for (const post of [busy, fetched]) assert.equal((await stage.verdict(post)).calls, 1);
});

const runOf = async (stage: Stage, id: string) =>
  stage.db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function placesOf(stage: Stage, runId: string) {
  const posts = await stage.db.selectFrom('posts').select('runIndex').where('runId', '=', runId).execute();
  return posts.map(({ runIndex }) => runIndex).toSorted();
}

test('SIGTERM while a run is written: its posts are kept, the next worker writes the others', async (t) => {
  const stage = await setStage(t, outside, wire);
  const writer = holdWriter();
  const worker = await stage.worker(throughWire);
  const id = await startRun(stage, 5);
  await soon('the writer is asked', writer.held);
  worker.signal('SIGTERM');
  writer.open();
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  assert.deepEqual(await placesOf(stage, id), [0, 1, 2]);
  assert.equal((await runOf(stage, id)).leaseUntil, null);
  assert.deepEqual(await lockedJobs(stage.pool), []);
  await stage.worker();
  await until('the run is complete', async () => (await runOf(stage, id)).status === 'complete');
  assert.deepEqual(await placesOf(stage, id), [0, 1, 2, 3, 4]);
  assert.equal((await runOf(stage, id)).done, 5);
});

test('SIGKILL while a run is written: it goes on when its lease is over, with no place twice', async (t) => {
  const stage = await setStage(t, outside, wire);
  await outside.fault('writer.slow', { times: 20, delayMs: 500 });
  const worker = await stage.worker(throughWire);
  const id = await startRun(stage, 5);
  await until('posts are written', async () => (await placesOf(stage, id)).length > 0);
  const writer = holdWriter();
  await soon('the writer is asked', writer.held);
  await stage.kill(worker);
  writer.open();
  const before = await placesOf(stage, id);
  await stage.worker();
  await stage.minutes(5, async () => (await runOf(stage, id)).status === 'complete');
  assert.ok(before.length < 5);
  assert.deepEqual(await placesOf(stage, id), [0, 1, 2, 3, 4]);
});
