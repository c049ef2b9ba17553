import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { addFact } from '#app/domain/voice/fact-list.ts';
import type { Brief } from '#app/domain/writing/generate/brief.ts';
import { claimRun } from '#app/domain/writing/runs/claim.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { findOpenItems } from '#app/domain/writing/runs/run-slots.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db, pool } = await testDatabase();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const creation = new Date(Math.ceil(Date.now() / DAY) * DAY + 8 * HOUR);

async function writer(): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  const before = new Date(Math.min(Date.now(), creation.getTime() - HOUR));
  await makePlan(db, actor, 3, before);
  await saveSettings(db, actor, { publishTimes: ['09:00', '14:00', '18:00'] }, before);
  await makeTopic(db, actor);
  return actor;
}

const runOf = (id: string) =>
  db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function placesOf(runId: string) {
  const posts = await db.selectFrom('posts').select('runIndex').where('runId', '=', runId).execute();
  return posts.map(({ runIndex }) => runIndex).toSorted();
}

/** The job that waits for the run, as the queue has it. */
async function jobOf(runId: string) {
  const { rows } = await pool.query(
    'select attempts, run_at as "runAt" from graphile_worker.jobs where key = $1',
    [`run:${runId}`],
  );
  return rows as { attempts: number; runAt: Date }[];
}
const takeJob = (runId: string) =>
  pool.query('delete from graphile_worker._private_jobs where key = $1', [`run:${runId}`]);

test('a job writes three posts side by side, lets the run go and adds the job for the others', async () => {
  const actor = await writer();
  const { id } = await generateNow(db, actor, { count: 5 });
  await takeJob(id);
  await outside.fault('writer.slow', { times: 3, delayMs: 1_500 });
  await writeRun(db, id);
  assert.deepEqual(await placesOf(id), [0, 1, 2]);
  const times = await db.selectFrom('generationAttempts').selectAll().where('runId', '=', id).execute();
  const lastBegun = Math.max(...times.map(({ startedAt }) => startedAt!.getTime()));
  assert.ok(
    times.every(({ endedAt }) => endedAt!.getTime() > lastBegun),
    'none waits for another',
  );
  const run = await runOf(id);
  assert.deepEqual([run.status, run.done, run.leaseUntil], ['running', 3, null]);
  assert.deepEqual(
    (await jobOf(id)).map(({ attempts }) => attempts),
    [0],
  );
  await takeJob(id);
  await writeRun(db, id);
  assert.deepEqual(await placesOf(id), [0, 1, 2, 3, 4]);
  assert.equal((await runOf(id)).status, 'complete');
  assert.deepEqual(await jobOf(id), []);
});

test('posts written side by side have briefs, topics and moments of their own', async () => {
  const actor = await writer();
  const other = await makeTopic(db, actor, 'Onboarding colleagues');
  for (const at of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    await addFact(db, actor, { content: `We moved the planning wall to room ${at}` });
  }
  const { id } = await generateNow(db, actor, { count: 3 });
  await outside.fault('writer.slow', { times: 1, delayMs: 400 });
  await writeRun(db, id);
  const posts = await db
    .selectFrom('posts')
    .innerJoin('briefs', 'briefs.postId', 'posts.id')
    .select(['posts.topicId', 'posts.createdAt', 'posts.slotNumber', 'briefs.brief'])
    .where('runId', '=', id)
    .execute();
  const briefs = posts.map(({ brief }) => brief as unknown as Brief);
  for (const kind of ['opening', 'ending'] as const) {
    assert.equal(new Set(briefs.map((brief) => brief[kind])).size, 3, kind);
  }
  const given = briefs.flatMap(({ facts }) => facts.map((fact) => fact.id));
  assert.equal(new Set(given).size, 9, 'no fact twice');
  assert.equal(posts.filter(({ topicId }) => topicId === other.id).length % 3 > 0, true, 'both topics');
  assert.ok(new Set(posts.map(({ createdAt }) => createdAt.getTime())).size > 1, 'each when it was ready');
});

test('a second run of a user waits for the first, and begins when that ends; a post written again waits for none', async () => {
  const actor = await writer();
  const first = await generateNow(db, actor, { count: 1 });
  const second = await generateNow(db, actor, { count: 1 });
  await outside.fault('writer.slow', { times: 1, delayMs: 3_000 });
  const writing = writeRun(db, first.id);
  while ((await runOf(first.id)).leaseUntil === null) await new Promise((again) => setTimeout(again, 5));
  await takeJob(second.id);
  await writeRun(db, second.id);
  assert.equal((await runOf(second.id)).status, 'queued');
  await writing;
  assert.equal((await jobOf(second.id)).length, 1);
  await writeRun(db, second.id);
  assert.equal((await runOf(second.id)).status, 'complete');
});

test('a place that got no post is passed, and the places after it are written', async () => {
  const actor = await writer();
  await startDueRuns(db, creation);
  const { id } = await db
    .selectFrom('generationRuns')
    .select('id')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  // Those written side by side open in different ways.
  await outside.fault('writer.malformed', { times: 3, match: 'Opening: instruction.' });
  await writeWhole(db, id, creation);
  assert.deepEqual(await placesOf(id), [1, 2]);
  const run = await runOf(id);
  assert.deepEqual([run.status, run.requested, run.done, run.failed], ['complete', 3, 2, 1]);
});

test('a run that begins late says how many of its times had passed', async () => {
  for (const [hours, places, counts] of [
    [2, [1, 2], [3, 2, 1]],
    [13, [], [3, 0, 3]],
  ] as const) {
    const actor = await writer();
    const late = new Date(creation.getTime() + hours * HOUR);
    await startDueRuns(db, late);
    const { id } = await db
      .selectFrom('generationRuns')
      .select('id')
      .where('userId', '=', actor.userId)
      .executeTakeFirstOrThrow();
    await writeWhole(db, id, late);
    assert.deepEqual(await placesOf(id), places);
    const { status, requested, done, failed, error } = await runOf(id);
    assert.deepEqual([status, requested, done, failed], ['complete', ...counts]);
    assert.equal(error, 'Its time had passed before it could be written');
  }
});

test('who comes back to a run that another has ended, or has, counts nothing in it', async () => {
  const actor = await writer();
  await startDueRuns(db, creation);
  const { id } = await db
    .selectFrom('generationRuns')
    .select('id')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const mine = (await claimRun(db, id, creation))!;
  const later = new Date(creation.getTime() + 2 * HOUR);
  const countOf = async () => {
    await findOpenItems(db, mine, new Date(creation.getTime() + 13 * HOUR));
    return (await runOf(id)).requested;
  };
  await db
    .updateTable('generationRuns')
    .set({ leaseUntil: later, requested: 7 })
    .where('id', '=', id)
    .execute();
  assert.equal(await countOf(), 7);
  const ended = { status: 'complete', leaseUntil: mine.leaseUntil } as const;
  await db.updateTable('generationRuns').set(ended).where('id', '=', id).execute();
  assert.equal(await countOf(), 7);
  await db.updateTable('generationRuns').set({ status: 'running' }).where('id', '=', id).execute();
  assert.equal(await countOf(), 3);
});

test('a writer that does not answer in time is asked again later, and the job ends', async () => {
  const actor = await writer();
  const { id } = await generateNow(db, actor, { count: 1 });
  await takeJob(id);
  await outside.fault('writer.slow', { times: 1, delayMs: 20_000 });
  const started = performance.now();
  await writeRun(db, id, new Date(), 500);
  assert.ok(performance.now() - started < 15_000, 'the job ends before the answer comes');
  const run = await runOf(id);
  assert.deepEqual([run.status, run.done, run.leaseUntil], ['running', 0, null]);
  const [job] = await jobOf(id);
  assert.ok(job!.runAt > new Date());
  await writeRun(db, id);
  assert.deepEqual(await placesOf(id), [0]);
});

test('who comes late with the post of a place stores nothing, and what it cost is counted', async () => {
  const actor = await writer();
  const { id } = await generateNow(db, actor, { count: 1 });
  await outside.fault('writer.slow', { times: 1, delayMs: 4_000 });
  const late = writeRun(db, id);
  while ((await runOf(id)).leaseUntil === null) await new Promise((again) => setTimeout(again, 5));
  // Its process stood still for longer than its lease.
  await writeRun(db, id, new Date(Date.now() + 10 * 60_000));
  const before = await runOf(id);
  assert.equal(before.done, 1);
  await late.catch(() => {});
  assert.deepEqual(await placesOf(id), [0]);
  const { inputTokens, outputTokens, ...after } = await runOf(id);
  assert.ok(inputTokens >= before.inputTokens && outputTokens >= before.outputTokens);
  assert.deepEqual({ ...before, inputTokens, outputTokens }, { ...after, inputTokens, outputTokens });
});
