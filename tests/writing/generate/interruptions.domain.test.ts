import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { deleteTopic } from '#app/domain/topics/topics.ts';
import { cancelRun } from '#app/domain/writing/runs/cancel.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makePublisher, makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { lock } from '#tests/harness/worker/process.ts';
import { until } from '#tests/harness/worker/until.ts';

// What is looked at is one call of the writer.
process.env.WRITER_PASSES = '1';
const outside = await startOutside();
/** The calls that wait for the writer's answer, and how many there were. */
const asked: (() => void)[] = [];
let calls = 0;
const realWriter = process.env.OPENAI_BASE_URL!;
process.env.OPENAI_BASE_URL = await serve(async (req, res) => {
  calls++;
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  await new Promise<void>((answer) => asked.push(answer));
  const { authorization } = req.headers;
  const answer = await fetch(`${realWriter}${req.url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: authorization! },
    body: Buffer.concat(chunks),
  });
  res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
});
const { db, pool, workerUrl } = await testDatabase();

const runOf = (id: string) =>
  db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function startRun() {
  const actor = await makePublisher(db, outside.url);
  const topic = await makeTopic(db, actor);
  const { id } = await generateNow(db, actor, { topicId: topic.id, count: 1 });
  return { actor, topic, id };
}

const blocked = async (least: number) => {
  const { rows } = await pool.query(
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return rows[0].count >= least;
};

test('a topic that is deleted while its post is stored: neither ends the other', async (t) => {
  const { actor, topic, id } = await startRun();
  const written = writeRun(db, id);
  await until('the writer is asked', () => asked.length > 0);
  const held = await lock((end) => t.after(end), pool, 'select from users where id = $1 for update', [
    actor.userId,
  ]);
  asked.shift()!();
  await until('the post waits to be stored', () => blocked(1));
  const deleted = deleteTopic(db, actor, topic.id);
  await until('the topic waits to be deleted', () => blocked(2));
  await held.release();
  await Promise.all([written, deleted]);
  assert.equal((await runOf(id)).done, 1);
});

test('a process that was frozen while it waited for the writer leaves the run to its successor', async () => {
  const { id } = await startRun();
  const ages = 'update generation_runs set created_at = created_at - $1::interval where id = $2';
  await pool.query(ages, ['310 s', id]);
  const frozen = writeRun(db, id, new Date(), 3_000);
  await until('the writer is asked', () => asked.length > 0);
  await pool.query(`update generation_runs set lease_until = now() - interval '1 s' where id = $1`, [id]);
  const successor = writeRun(db, id);
  await until('the writer is asked again', () => asked.length > 1);
  await frozen;
  const between = await runOf(id);
  assert.equal(between.status, 'running');
  assert.ok(between.leaseUntil! > new Date(), 'the successor keeps its lease');
  asked.pop()!();
  asked.pop()!();
  await successor;
  const run = await runOf(id);
  assert.deepEqual([run.status, run.done, run.failed, run.error], ['complete', 1, 0, null]);
});

for (const [what, endIt] of [
  [
    'a process that was frozen',
    async (id: string) => {
      await pool.query(`update generation_runs set lease_until = now() - interval '1 s' where id = $1`, [id]);
      const successor = writeRun(db, id);
      await until('the writer is asked again', () => asked.length > 1);
      asked.pop()!();
      await successor;
    },
  ],
  [
    'a run that was stopped',
    async (id: string, actor: Actor) => {
      await cancelRun(db, actor, id);
    },
  ],
] as const) {
  test(`what the writer refuses to ${what} is no failure of the topic`, async () => {
    const actor = await makePublisher(db, outside.url);
    await makeTopic(db, actor);
    await makeTopic(db, actor, 'Onboarding new colleagues');
    const { id } = await generateNow(db, actor, { count: 1 });
    const late = writeRun(db, id);
    await until('the writer is asked', () => asked.length > 0);
    await endIt(id, actor);
    const standing = () =>
      db
        .selectFrom('topics')
        .select(['name', 'failures', 'failure', 'lastTurnAt'])
        .where('userId', '=', actor.userId)
        .orderBy('name')
        .execute();
    const before = await standing();
    await outside.fault('writer.policy');
    const callsBefore = calls;
    asked.pop()!();
    await late;
    assert.deepEqual(await standing(), before);
    assert.equal(calls, callsBefore, 'nothing more is asked');
    assert.equal((await runOf(id)).status, 'complete');
  });
}

test('nothing more is asked of a writer that took too long', async () => {
  const { id } = await startRun();
  await outside.fault('writer.too-short');
  const before = calls;
  await writeRun(db, id, new Date(), 2_000);
  assert.equal(calls, before + 1);
  asked.shift()!();
  await new Promise((later) => setTimeout(later, 700));
  assert.equal(calls, before + 1);
});

test('a lock that is kept by a frozen process does not take every connection', async (t) => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor);
  await makeAttempt(db, actor, postId, { startedAt: new Date(Date.now() - 120_000) });
  const frozen = createDatabase(workerUrl, 1);
  const lane = createDatabase(workerUrl, 3);
  t.after(() => Promise.all([frozen.db.destroy(), lane.db.destroy()]));
  const client = await frozen.pool.connect();
  client.on('error', () => {});
  await client.query(`set idle_in_transaction_session_timeout = '2s'`);
  await client.query('begin');
  await client.query('select from posts where id = $1 for update', [postId]);
  await Promise.all([1, 2, 3].map(() => sweepAttempts(lane.db)));
  await enqueueDuePosts(lane.db);
  client.release(true);
  const { rows } = await lane.pool.query(`select name, setting from pg_settings
    where name in ('lock_timeout', 'idle_in_transaction_session_timeout') order by name`);
  assert.deepEqual(
    rows.map(({ setting }) => setting),
    ['30000', '40000'],
  );
});
