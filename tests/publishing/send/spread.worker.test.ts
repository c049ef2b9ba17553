import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { SPREAD_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makePublisher, makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { pass } from '#tests/harness/worker/clock.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const SECOND = 1_000;
/** Further away than a test lasts: it comes only when time is made to pass. */
const FAR = SPREAD_MS / SECOND - 1;

type Due = { actor: Actor; id: string; marker: string };

/**
 * A stage on which every instant is the start of a minute, for the workers' connections, and each user begins as many
 * seconds after it as the test says.
 */
async function setSpread(t: TestContext) {
  const stage = await setStage(t, outside, wire);
  const database = new URL(stage.url).pathname.slice(1);
  await stage.pool.query(`create schema spread;
    create table spread.seconds (user_id uuid primary key, ms bigint not null);
    create function spread.uuid_hash_extended(uuid, bigint) returns bigint language sql stable as
      'select coalesce((select ms from spread.seconds where user_id = $1), 0)';
    create function spread.date_trunc(text, timestamptz) returns timestamptz language sql stable as 'select $2';
    grant usage on schema spread to public;
    grant select on spread.seconds to public;
    alter database "${database}" set search_path = spread, pg_catalog, public`);
  let count = 0;
  /** A post of a user of its own, due at the one minute, which is begun so many seconds after it. */
  const add = async (seconds: number): Promise<Due> => {
    const actor = await makePublisher(stage.db, outside.url);
    // A new plan fits the queue to its publish times, which would move the post.
    await stage.pool.query('delete from graphile_worker._private_jobs');
    await stage.pool.query('insert into spread.seconds values ($1, $2)', [actor.userId, seconds * SECOND]);
    const marker = `spread ${process.pid}-${++count} ${actor.userId}.`;
    const content = `${marker} A plan that fits on a postcard.`;
    return { actor, marker, id: await makeScheduledPost(stage.db, actor, { content }) };
  };
  /** The minute of all posts begins, and its tick comes. */
  const begin = async () => {
    const dueAt = new Date();
    await stage.db.updateTable('postSchedules').set({ dueAt }).where('dueAt', 'is not', null).execute();
    assert.equal(await enqueueDuePosts(stage.db, dueAt), 1);
    return dueAt;
  };
  return { stage, add, begin };
}

const isOut =
  (stage: Stage, { id }: Due) =>
  async () =>
    (await readPost(stage.db, id)).status === 'published';

const begunAt = async (stage: Stage, { id }: Due) =>
  stage.db.selectFrom('publishAttempts').select('startedAt').where('postId', '=', id).execute();

test('one tick: users of one minute are begun each at their second, in order, once', async (t) => {
  const { stage, add, begin } = await setSpread(t);
  const seconds = [0, 2, 3, 5];
  const posts: Due[] = [];
  for (const each of seconds) posts.push(await add(each));
  await stage.worker();
  const dueAt = await begin();
  for (const post of posts) await until(`${post.marker} is out`, isOut(stage, post));
  for (const [index, post] of posts.entries()) {
    const [attempt, ...more] = await begunAt(stage, post);
    assert.deepEqual(more, []);
    const after = attempt!.startedAt.getTime() - dueAt.getTime();
    assert.ok(after >= seconds[index]! * SECOND, `${after} ms after the minute, not ${seconds[index]} s`);
  }
  await stage.allDone();
});

/** Two of one minute, of which the first is out and the second is still to come; what is done now comes in between. */
async function inTheMiddle(t: TestContext, env: Record<string, string> = {}) {
  const { stage, add, begin } = await setSpread(t);
  const [first, second, third] = [await add(0), await add(FAR), await add(FAR)];
  const worker = await stage.worker(env);
  await begin();
  await until('the first is out', isOut(stage, first));
  /** Their second comes, and the process that waits for it looks. */
  const comes = async () => {
    await pass(stage.pool, FAR);
    await enqueue(stage.db, jobs.sendBatch, { part: 0 });
  };
  return { stage, worker, second, third, comes };
}

const isCalled = async ({ marker }: Due) => JSON.stringify(await outside.ledger()).includes(marker);

const STOPS: Record<string, (stage: Stage, actor: Actor) => Promise<unknown>> = {
  'a pause': (stage, actor) => saveSettings(stage.db, actor, { enabled: false }),
  'a disconnection': (stage, actor) => disconnect(stage.db, actor),
};

for (const [what, stop] of Object.entries(STOPS)) {
  test(`${what} in the middle of the minute holds what has not begun, and nobody else's`, async (t) => {
    const { stage, second, third, comes } = await inTheMiddle(t);
    await stop(stage, second.actor);
    await comes();
    await until('the other one is out', isOut(stage, third));
    await stage.allDone();
    assert.equal((await readPost(stage.db, second.id)).status, 'generated');
    assert.deepEqual(await begunAt(stage, second), []);
    assert.deepEqual([await isCalled(third), await isCalled(second)], [true, false]);
  });
}

test('Publish now does not wait for the second of the user', async (t) => {
  const { stage, second, third } = await inTheMiddle(t);
  await publishNow(stage.db, second.actor, second.id);
  await until('it is out', isOut(stage, second));
  assert.equal((await readPost(stage.db, third.id)).status, 'generated');
});

test('a worker that does one job at a time waits for nobody in it, and begins each at their second', async (t) => {
  const { stage, second, third, comes } = await inTheMiddle(t, { WORKER_CONCURRENCY: '1' });
  await publishNow(stage.db, second.actor, second.id);
  await until('what was sent by hand is out', isOut(stage, second));
  assert.equal((await readPost(stage.db, third.id)).status, 'generated');
  await comes();
  await until('the other one is out', isOut(stage, third));
  assert.equal((await begunAt(stage, third)).length, 1);
});

test('SIGTERM in the middle of the minute: the next worker goes on with the rest of it', async (t) => {
  const { stage, worker, second, third, comes } = await inTheMiddle(t);
  worker.signal('SIGTERM');
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
  const { rows } = await stage.pool.query('select key, locked_at from graphile_worker.jobs');
  assert.deepEqual(rows, [{ key: 'send-batch:0', locked_at: null }]);
  await stage.worker();
  await comes();
  for (const post of [second, third]) {
    await until(`${post.marker} is out`, isOut(stage, post));
    assert.equal((await begunAt(stage, post)).length, 1);
  }
});

test('SIGKILL in the middle of the minute: the next tick goes on with the rest of it', async (t) => {
  const { stage, worker, second, third } = await inTheMiddle(t);
  await stage.kill(worker);
  await stage.worker();
  await pass(stage.pool, FAR);
  await enqueueDuePosts(stage.db);
  for (const post of [second, third]) {
    await until(`${post.marker} is out`, isOut(stage, post));
    assert.equal((await begunAt(stage, post)).length, 1);
  }
});
