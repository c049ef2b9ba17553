import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass } from '#tests/harness/worker/clock.ts';
import { type Gate, startWire } from '#tests/harness/worker/network-proxy.ts';
import { type DuePost, type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);

async function duePosts(stage: Stage, count: number): Promise<DuePost[]> {
  const posts: DuePost[] = [];
  while (posts.length < count) posts.push(await stage.duePost());
  return posts;
}

/** The calls of these posts reach LinkedIn only when the answer is called. */
function hang(posts: DuePost[]) {
  const calls: Gate[] = posts.map(({ marker }) => wire.holdPost('before', marker));
  return () => {
    for (const call of calls) call.open();
  };
}

const areOut = (stage: Stage, posts: DuePost[]) => async () => {
  const { count } = await stage.db
    .selectFrom('postSchedules')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(
      'postId',
      'in',
      posts.map(({ id }) => id),
    )
    .where('status', '=', 'published')
    .executeTakeFirstOrThrow();
  return Number(count) === posts.length;
};

async function underWay({ pool }: Stage): Promise<number> {
  const { rows } = await pool.query(`select from publish_attempts where state = 'sending'`);
  return rows.length;
}

async function assertOnce(stage: Stage, posts: DuePost[]) {
  for (const post of posts) assert.equal((await stage.verdict(post)).calls, 1);
}

/** Hanging calls that leave no room for others: as many as begin at first, or fewer beside some that stay open. */
for (const [hanging, open500] of [
  [100, 0],
  [90, 8],
] as const) {
  test(`${hanging} calls of one minute hang and ${open500} stay open: all others go out meanwhile`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const stuck = await duePosts(stage, hanging);
    const open = hang(stuck);
    for (const { marker } of await duePosts(stage, open500)) {
      await outside.fault('linkedin.500-before', { match: marker, times: 1 });
    }
    const others = await duePosts(stage, 40);
    await stage.worker();
    await enqueueDuePosts(stage.db);
    await until('the others are out', areOut(stage, others));
    assert.equal(await areOut(stage, stuck.slice(0, 1))(), false);
    open();
    await stage.allDone();
    await assertOnce(stage, stuck);
  });
}

test('hanging calls of as many posts with jobs of their own as there are workers: the posts of a minute go out', async (t) => {
  const stage = await setStage(t, outside, wire);
  const stuck = await duePosts(stage, 12);
  const open = hang(stuck);
  await stage.worker({ WORKER_CONCURRENCY: '8' });
  await stage.alone(...stuck);
  await until('four of them are under way', async () => (await underWay(stage)) >= 4);
  const others = await duePosts(stage, 20);
  await enqueueDuePosts(stage.db);
  await until('the others are out', areOut(stage, others));
  open();
  await until('the stuck ones are out', areOut(stage, stuck));
  await assertOnce(stage, stuck);
});

test('SIGTERM: posts that waited for a place beside hanging calls go out by the next worker', async (t) => {
  const stage = await setStage(t, outside, wire);
  const stuck = await duePosts(stage, 8);
  const open = hang(stuck);
  const worker = await stage.worker({ WORKER_CONCURRENCY: '8' });
  await stage.alone(...stuck);
  await until('four are under way, and the others wait without a job', async () => {
    const { rows } = await stage.pool.query('select from graphile_worker.jobs');
    return rows.length === 4 && (await underWay(stage)) === 4;
  });
  worker.signal('SIGTERM');
  open();
  assert.equal(await worker.ended, 0, worker.output());
  await stage.worker();
  await until('all are out', areOut(stage, stuck));
  await assertOnce(stage, stuck);
});

test('SIGKILL: posts that waited for a place beside hanging calls go out within three minutes', async (t) => {
  const stage = await setStage(t, outside, wire);
  const stuck = await duePosts(stage, 8);
  const open = hang(stuck);
  const worker = await stage.worker({ WORKER_CONCURRENCY: '8' });
  await stage.alone(...stuck);
  await until('four are under way, and the others wait without a job', async () => {
    const { rows } = await stage.pool.query('select from graphile_worker.jobs');
    return rows.length === 4 && (await underWay(stage)) === 4;
  });
  await stage.kill(worker);
  open();
  await stage.worker();
  const waited = await stage.db
    .selectFrom('postSchedules')
    .select('postId')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('publishAttempts').whereRef('publishAttempts.postId', '=', 'postSchedules.postId')),
      ),
    )
    .execute();
  assert.equal(waited.length, 4);
  await pass(stage.pool, 180);
  await enqueueDuePosts(stage.db);
  const ids = new Set(waited.map(({ postId }) => postId));
  await until(
    'they are out',
    areOut(
      stage,
      stuck.filter(({ id }) => ids.has(id)),
    ),
  );
});
