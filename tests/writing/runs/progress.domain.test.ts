import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { cancelRun } from '#app/domain/writing/runs/cancel.ts';
import { secondsLeft } from '#app/domain/writing/runs/progress.ts';
import { findRun, generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const START = Date.parse('2027-05-04T08:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);

async function author(): Promise<Actor> {
  const actor = await makeUser(db, {});
  await makePlan(db, actor, 1, new Date());
  await makeTopic(db, actor);
  return actor;
}

const posts = (actor: Actor) =>
  db.selectFrom('posts').select('id').where('userId', '=', actor.userId).execute();
const left = async (database: Db, actor: Actor, id: string, seconds: number) =>
  secondsLeft(database, await findRun(database, actor, id), at(seconds));

/** A place that is dealt with, from second to second. */
const time = (runId: string, position: number, from: number, to: number | null) =>
  db
    .insertInto('generationAttempts')
    .values({ runId, position, startedAt: at(from), endedAt: to === null ? null : at(to) })
    .execute();

test('what is left is told from how long the latest posts took', async () => {
  const actor = await author();
  const { id: before } = await generateNow(db, actor, { count: 3 });
  assert.equal(await left(db, actor, before, 0), null, 'nobody knows');
  await time(before, 0, 0, 10);
  await time(before, 1, 0, 12);
  await time(before, 2, 0, 40);
  const { id } = await generateNow(db, actor, { count: 4 });
  assert.equal(await left(db, actor, id, 0), 24, 'two turns of the usual 12');
  await time(id, 0, 0, null);
  assert.equal(await left(db, actor, id, 5), 19);
  assert.equal(await left(db, actor, id, 20), 13, 'late, and one turn more');
  assert.equal(await left(db, actor, id, 60), null, 'it waits, and nobody knows for how long');
});

test('a run that is stopped keeps what is ready, stores nothing more and says so', async () => {
  const actor = await author();
  const { id } = await generateNow(db, actor, { count: 2 });
  await outside.fault('writer.slow', { times: 1, delayMs: 20_000 });
  const writing = writeRun(db, id);
  while ((await posts(actor)).length === 0) await new Promise((again) => setTimeout(again, 20));
  const { id: next } = await generateNow(db, actor, { count: 1 });
  const began = performance.now();
  await cancelRun(db, actor, id);
  const run = await findRun(db, actor, id);
  assert.deepEqual([run.status, run.done, run.failed, run.error], ['complete', 1, 1, 'You stopped it']);
  await writing;
  assert.ok(performance.now() - began < 10_000, 'the call to the writer is given up');
  assert.equal((await posts(actor)).length, 1);
  assert.deepEqual(await findRun(db, actor, id), run);
  await writeRun(db, next);
  assert.equal((await findRun(db, actor, next)).status, 'complete', 'the next run goes on');
  await cancelRun(db, actor, next);
  assert.equal((await findRun(db, actor, next)).error, null, 'one that is over stays as it is');
});

test("nobody stops somebody else's run", async () => {
  const actor = await author();
  const { id } = await generateNow(db, actor, { count: 1 });
  await assert.rejects(cancelRun(db, await author(), id), { code: 'not_found' });
  await assert.rejects(cancelRun(db, actor, 'x'), { code: 'not_found' });
  assert.equal((await findRun(db, actor, id)).status, 'queued');
});
