import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { listVersions } from '#app/domain/posts/versions.ts';
import { requestRewrite } from '#app/domain/writing/rewrite/rewrite.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass, tick } from '#tests/harness/worker/clock.ts';
import { wayTo } from '#tests/harness/worker/database-proxy.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import type { Worker } from '#tests/harness/worker/process.ts';
import { type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const TOPICS = ['Weekly planning for small teams', 'Onboarding new colleagues'];
const LEASE_AND_A_MINUTE = 4 * 60;
const CALL = 'POST /openai/v1/chat/completions';
const throughWire = { OPENAI_BASE_URL: `${wire.url}/openai/v1`, WRITER_PASSES: '1' };

type Held = { there(worker: Worker): Promise<void>; open(): unknown };
type Point = { what: string; hold(stage: Stage): Promise<Held> | Held; isCall?: boolean; isPaid?: boolean };

const inDatabase = (what: string, on: string, when: string, isPaid = false): Point => ({
  what,
  isPaid,
  hold: async (stage) => {
    const gate = await stage.gate(on, when);
    return { there: (worker) => worker.blocked(), open: gate.release };
  },
});

const inCall = (what: string, where: 'before' | 'after'): Point => ({
  what,
  isPaid: true,
  isCall: true,
  hold: () => {
    const { held, open } = wire.hold(where, CALL);
    return { there: () => soon('the writer is asked', held), open };
  },
});

/** The answer has been counted, and is compared with the posts before it. */
const whileCompared: Point = {
  what: 'while the answer is compared',
  isPaid: true,
  hold: async (stage) => {
    const { held, open } = wire.hold('after', CALL);
    let lock: Awaited<ReturnType<Stage['lock']>> | undefined;
    return {
      there: async (worker) => {
        await soon('the writer is asked', held);
        lock = await stage.lock('lock table posts in access exclusive mode');
        open();
        await worker.blocked();
      },
      open: () => lock?.release(),
    };
  },
};

/** The steps of a run that leave something behind, in their order. */
const POINTS = [
  inDatabase(
    'while the run is claimed',
    'before update on generation_runs',
    `old.status = 'queued' and new.status = 'running'`,
  ),
  inDatabase('while a place is begun', 'before insert on generation_attempts', 'new.started_at is not null'),
  inDatabase(
    'while the call is counted',
    'before update on generation_attempts',
    'old.called_at is null and new.called_at is not null',
  ),
  inCall('while the writer is asked', 'before'),
  inCall('when the writer has answered', 'after'),
  inDatabase(
    'while the answer is counted',
    'before update on generation_attempts',
    'old.answered_at is null and new.answered_at is not null',
    true,
  ),
  whileCompared,
  inDatabase('while the post is stored', 'before insert on posts', 'new.run_id is not null', true),
  inDatabase('while the run is ended', 'before update on generation_runs', `new.status = 'complete'`, true),
  inDatabase(
    'while the queue is told',
    'before delete on graphile_worker._private_jobs',
    `old.key like 'run:%'`,
    true,
  ),
];

type Scene = {
  stage: Stage;
  worker: Worker;
  held: Held;
  point: Point;
  way: Awaited<ReturnType<typeof wayTo>>;
};

/** The latest one. */
const runOf = (stage: Stage) =>
  stage.db
    .selectFrom('generationRuns')
    .selectAll()
    .where('userId', '=', stage.actor.userId)
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow();

async function newStage(t: TestContext): Promise<Stage> {
  const stage = await setStage(t, outside, wire);
  for (const topic of TOPICS) await makeTopic(stage.db, stage.actor, topic);
  return stage;
}

/** What a worker does once it has begun, held at a point. */
async function heldAt(stage: Stage, point: Point, begin: () => Promise<unknown>): Promise<Scene> {
  const way = await wayTo(stage.workerUrl);
  const held = await point.hold(stage);
  const worker = await stage.worker(throughWire, [], way.url);
  await begin();
  await held.there(worker);
  return { stage, worker, held, point, way };
}

/** What holds whatever happened: each post once, each place counted once, each topic written about once. */
async function verdict(stage: Stage): Promise<void> {
  const { id, status, done, failed, error, leaseUntil } = await runOf(stage);
  assert.deepEqual([status, done, failed, error, leaseUntil], ['complete', 2, 0, null, null]);
  const posts = await stage.db
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .select(['posts.runIndex', 'posts.topicId', 'posts.slotDate', 'posts.slotNumber'])
    .where('runId', '=', id)
    .orderBy('runIndex')
    .execute();
  assert.deepEqual(
    posts.map(({ runIndex }) => runIndex),
    [0, 1],
  );
  assert.equal(new Set(posts.map(({ topicId }) => topicId)).size, 2, 'a topic has had two turns');
  assert.equal(new Set(posts.map(({ slotDate, slotNumber }) => `${slotDate} ${slotNumber}`)).size, 2);
  const tries = await stage.db.selectFrom('generationAttempts').selectAll().where('runId', '=', id).execute();
  assert.equal(tries.filter(({ answeredAt, endedAt }) => answeredAt && endedAt).length, 2);
  assert.equal(tries.filter(({ calledAt }) => calledAt).length, 0);
}

/** What is at work still comes to its end. */
const nothingLocked = (stage: Stage) =>
  until('no job is locked', async () => (await stage.leftLocked()).length === 0);

async function countCalls({ db }: Stage): Promise<number> {
  const { calls } = await db.selectFrom('writerCalls').select('calls').executeTakeFirstOrThrow();
  return calls;
}

const isComplete = async (stage: Stage) => (await runOf(stage)).status === 'complete';

/** A claim is known by its instant: a minute that passes takes it from the process that lives on. */
async function isLetGo(stage: Stage): Promise<boolean> {
  const { status, leaseUntil } = await runOf(stage);
  return status !== 'running' || leaseUntil === null;
}

/** The next worker, and as many minutes as it needs. */
async function goOn(stage: Stage): Promise<void> {
  await stage.worker(throughWire);
  await stage.minutes(6, () => isComplete(stage));
}

/** The process lives on: what the writer has answered is not asked for again, and there is a next run. */
const LIVES_ON = 'without its database for a while';

const BEFALLS: Record<string, (scene: Scene) => Promise<void>> = {
  async killed({ stage, worker, held }) {
    await stage.kill(worker);
    await held.open();
    await goOn(stage);
  },
  async 'frozen for minutes'({ stage, worker, held, point }) {
    worker.signal('SIGSTOP');
    await stage.forget();
    if (!point.isCall) await held.open();
    await loseTransactions(stage);
    await pass(stage.pool, LEASE_AND_A_MINUTE);
    await goOn(stage);
    if (point.isCall) held.open();
    worker.signal('SIGCONT');
    await stage.allDone();
  },
  async [LIVES_ON]({ stage, held, point, way }) {
    if (point.isCall) held.open();
    way.cut();
    if (!point.isCall) await held.open();
    const before = way.countRefused();
    await until('the database is missed', () => way.countRefused() > before + 1);
    way.mend();
    await until('the process has stored what it has, or handed it on', () => isLetGo(stage));
    await shortMinutes(stage);
    await stage.forget();
  },
};

/**
 * Minutes that wait for no job: a lane that had no database leaves those locked that it could not end. What a process is at
 * is waited for, however slow the machine.
 */
async function shortMinutes(stage: Stage): Promise<void> {
  for (let minute = 0; minute <= 8; minute += 1) {
    if (minute > 0) await pass(stage.pool, 60);
    await tick(stage.db);
    for (let look = 0; look < 100 || (look < 600 && !(await isLetGo(stage))); look += 1) {
      if (await isComplete(stage)) return;
      await wait(100);
    }
  }
}

/** As the database does with one that is left open for half a minute. */
async function loseTransactions({ pool }: Stage): Promise<void> {
  const ours = `from pg_stat_activity where application_name like 'worker-%' and datname = current_database()`;
  const isOpen = `state like 'idle in transaction%'`;
  await until('nobody is at work', async () => {
    await pool.query(`select pg_terminate_backend(pid) ${ours} and ${isOpen}`);
    const { rowCount } = await pool.query(`select ${ours} and (state = 'active' or ${isOpen})`);
    return rowCount === 0;
  });
}

for (const point of POINTS) {
  for (const [what, befall] of Object.entries(BEFALLS)) {
    test(`a worker is ${what} ${point.what}: each post is written once`, async (t) => {
      const stage = await newStage(t);
      const { db, actor } = stage;
      const before = wire.countCalls(CALL);
      await befall(await heldAt(stage, point, () => generateNow(db, actor, { count: TOPICS.length })));
      await verdict(stage);
      const asked = wire.countCalls(CALL) - before;
      const most = what === LIVES_ON && point.isPaid ? 2 : 4;
      assert.ok(asked <= most, `the writer was asked ${asked} times`);
      await nothingLocked(stage);
      if (what !== LIVES_ON || point !== POINTS.at(-1)) return;
      await generateNow(db, actor, { count: 1 });
      await shortMinutes(stage);
      assert.ok(await isComplete(stage), 'the next run is not written');
    });
  }
}

const STORED_AGAIN = inDatabase('while a new text is stored', 'before insert on post_versions', 'true');

for (const [what, befall] of Object.entries(BEFALLS)) {
  test(`a worker is ${what} ${STORED_AGAIN.what}: the post has it once, and the one before is kept`, async (t) => {
    const stage = await newStage(t);
    const { db, actor } = stage;
    await writeWhole(db, (await generateNow(db, actor, { count: 1 })).id);
    const post = () => db.selectFrom('posts').select(['id', 'content', 'revision']).executeTakeFirstOrThrow();
    const before = await post();
    const asked = await countCalls(stage);
    const again = () => requestRewrite(db, actor, { postId: before.id, instruction: '' });
    await befall(await heldAt(stage, STORED_AGAIN, again));
    const { status, done, error } = await runOf(stage);
    assert.deepEqual([status, done, error], ['complete', 1, null]);
    assert.notEqual((await post()).content, before.content);
    const versions = await listVersions(db, actor.userId, before.id);
    assert.deepEqual(
      versions.map(({ content }) => content),
      [before.content],
    );
    const more = (await countCalls(stage)) - asked;
    assert.ok(more <= (what === LIVES_ON ? 1 : 2), `the writer was asked ${more} times more`);
    await nothingLocked(stage);
  });
}
