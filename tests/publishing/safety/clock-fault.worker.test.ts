import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { databaseTime } from '#app/db/clock.ts';
import { enqueue, jobs, ticks } from '#app/domain/platform/jobs.ts';
import { listTickTimes } from '#app/domain/platform/tick-times.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { ROOT } from '#scripts/run.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass } from '#tests/harness/worker/clock.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { FRESH, WATCHED } from '#tests/harness/worker/process.ts';
import { type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const MINUTE = 60_000;

const SHIFTED = path.join(ROOT, 'tests/harness/worker/shifted-clock.ts');
const WRONG = { NODE_OPTIONS: `${WATCHED.NODE_OPTIONS} --import ${SHIFTED}` };

/** A worker whose own clock is off; the database's is not. */
const wrongBy = (stage: Stage, milliseconds: number) =>
  stage.worker({ ...WRONG, CLOCK_SHIFT_MS: String(milliseconds) });

/** A worker whose clock stands, at first at `instant`; `stand` sets it to another one. */
async function standingAt(stage: Stage, instant: number) {
  const file = path.join(stage.dataDir, 'clock');
  const stand = (at: number) => {
    writeFileSync(`${file}.new`, String(at));
    renameSync(`${file}.new`, file);
  };
  stand(instant);
  const worker = await stage.worker({ ...WRONG, CLOCK_FILE: file });
  return { stand, worker };
}

const faultsOf = (stage: Stage) =>
  stage.db
    .selectFrom('operatorAlerts')
    .select(['message', 'lastSeenAt'])
    .where('key', '=', `clock-${hostname()}`)
    .execute();

const sweep = (stage: Stage) =>
  stage.pool.query(`select graphile_worker.add_job('sweep-publishing')`).then(() => stage.idle());

for (const [what, by] of [
  ['5 s ahead', 5_000],
  ['11 minutes behind', -11 * 60_000],
  ['70 days ahead', 70 * 86_400_000],
] as const) {
  test(`a worker whose clock is ${what} sends nothing and tells the operator; one that is right sends it`, async (t) => {
    const stage = await setStage(t, outside, wire);
    const post = await stage.duePost();
    const wrong = await wrongBy(stage, by);
    await enqueueDuePosts(stage.db);
    await until('the operator is told', async () => (await faultsOf(stage)).length === 1);
    assert.equal((await stage.read(post)).attempts.length, 0);
    await sweep(stage);
    const [fault] = await faultsOf(stage);
    assert.match(fault!.message, /clock/);
    assert.ok(Math.abs(fault!.lastSeenAt.getTime() - Date.now()) < 60_000, 'seen at a time that is right');
    const { status } = await stage.db
      .selectFrom('linkedinConnections')
      .select('status')
      .where('userId', '=', stage.actor.userId)
      .executeTakeFirstOrThrow();
    assert.equal(status, 'alive');
    wrong.signal('SIGTERM');
    await soon('it ends', wrong.ended);
    await stage.worker();
    await sweep(stage);
    assert.deepEqual(await faultsOf(stage), []);
    await stage.settle(post);
    assert.equal((await stage.verdict(post)).calls, 1);
  });
}

test('a worker whose clock was set back resends nothing outside the window', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const answer = wire.holdPost('after', post.marker);
  const first = await stage.worker();
  await enqueueDuePosts(stage.db);
  await soon('the network has it', answer.held);
  await stage.kill(first);
  answer.open();
  await pass(stage.pool, 10.5 * 60);
  const { attempts } = await stage.read(post);
  await stage.db
    .updateTable('publishAttempts')
    .set({ state: 'unknown' })
    .where('postId', '=', post.id)
    .execute();
  await wrongBy(stage, -11 * 60_000);
  await enqueue(stage.db, jobs.confirmAttempt, { attemptId: attempts[0]!.id });
  await stage.idle();
  assert.equal((await stage.read(post)).sent.length, 1);
});

const EACH_MINUTE = Object.values(ticks).flatMap(({ name, timetable }) =>
  timetable === '* * * * *' ? [name] : [],
);
const beatOf = async ({ pool }: Stage) =>
  (await pool.query('select beat from publishing_epoch')).rows[0].beat;
/** By the row that the queue writes once it waits for the next minute. */
const everyLaneBegins = ({ pool }: Stage) =>
  until('every lane waits for its ticks', async () => {
    const { rowCount } = await pool.query('select from graphile_worker._private_known_crontabs');
    return rowCount === Object.values(ticks).length;
  });
const everyLaneTicks = ({ db }: Stage, since: Date) =>
  until('the ticks of this minute have come', async () => {
    const times = new Map((await listTickTimes(db)).map(({ name, lastAt }) => [name, lastAt]));
    return EACH_MINUTE.every((name) => (times.get(name) ?? 0) >= since);
  });

test('a worker that starts while its clock is ahead ticks in every lane as soon as it is right', async (t) => {
  const stage = await setStage(t, outside, wire);
  await stage.pool.query('drop trigger no_wall_clock on graphile_worker._private_jobs');
  const aMinuteBegins = Math.floor(Date.now() / MINUTE) * MINUTE;
  const { stand } = await standingAt(stage, aMinuteBegins + 60 * MINUTE - 1_000);
  await everyLaneBegins(stage);
  await stage.pool.query('delete from graphile_worker._private_known_crontabs');
  stand(aMinuteBegins - 1_000);
  await everyLaneBegins(stage);
  const [since, before] = [await databaseTime(stage.db), await beatOf(stage)];
  stand(aMinuteBegins + 1_000);
  await everyLaneTicks(stage, since);
  await until('they do their work', async () => (await beatOf(stage)) > before);
});

test('the ticks that a worker has added by a clock that was ahead come all the same from one that is right', async (t) => {
  const stage = await setStage(t, outside, wire);
  await stage.pool.query('drop trigger no_wall_clock on graphile_worker._private_jobs');
  const aMinuteBegins = Math.floor(Date.now() / MINUTE) * MINUTE;
  const { stand, worker } = await standingAt(stage, aMinuteBegins + 60 * MINUTE - 1_000);
  await everyLaneBegins(stage);
  stand(aMinuteBegins + 60 * MINUTE + 1_000);
  await until('it has added the ticks of that hour', async () => {
    const { rows } = await stage.pool.query(
      `select from graphile_worker.jobs where task_identifier = any($1) and run_at > now() + interval '50 minutes'`,
      [EACH_MINUTE],
    );
    return rows.length === EACH_MINUTE.length;
  });
  await sql`update tick_times set known_since = known_since - interval '2 minutes'`.execute(stage.db);
  const [since, before] = [await databaseTime(stage.db), await beatOf(stage)];
  await stage.kill(worker);
  await stage.worker();
  await everyLaneTicks(stage, since);
  await until('they do their work', async () => (await beatOf(stage)) > before);
});

test('clocks that all are set ahead while a call is under way: no worker that has just begun gives it up', async (t) => {
  const stage = await setStage(t, outside, wire);
  const post = await stage.duePost();
  const call = wire.holdPost('after', post.marker);
  await stage.worker(FRESH);
  await enqueueDuePosts(stage.db);
  await soon('the network has it', call.held);
  await pass(stage.pool, 11 * 60);
  await stage.worker(FRESH);
  const { name } = ticks.sweepPublishing;
  await stage.pool.query('select graphile_worker.add_job($1)', [name]);
  await until('the sweep has been', async () => {
    const { rows } = await stage.pool.query('select from graphile_worker.jobs where task_identifier = $1', [
      name,
    ]);
    return rows.length === 0;
  });
  const { attempts, mails } = await stage.read(post);
  assert.deepEqual([attempts.map(({ state }) => state), mails], [['sending'], []]);
  call.open();
  await until('it is out', async () => (await stage.read(post)).post.status === 'published');
  assert.equal((await stage.verdict(post)).calls, 1);
});
