import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { spreadWithinMinute, startsAt } from '#app/domain/publishing/eligibility/eligibility.ts';
import { SPREAD_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { findNextStart, isAnyDueForBatch, lockDueBatch } from '#app/domain/publishing/send/claim.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CALL_P99 = 3 * SECOND;
/** A full minute that is still to come: the plans of the posts' owners have begun then. */
const NINE = new Date(Math.ceil(Date.now() / MINUTE + 5) * MINUTE);
const at = (ms: number) => new Date(NINE.getTime() + ms);

async function spreadsOf(ids: string[]): Promise<number[]> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from ${spreadWithinMinute('person.id')}) * 1000)::float8 as ms
    from unnest(${ids}::uuid[]) with ordinality as person(id, n) order by n`.execute(db);
  return rows.map(({ ms }) => ms);
}

const spreadOfOne = async ({ userId }: Actor) => (await spreadsOf([userId]))[0]!;

async function beginOf(postId: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select ${startsAt} as at from post_schedules where post_id = ${postId}`.execute(db);
  return rows[0]!.at;
}

/** What is taken at an instant, and given back. */
async function takenAt(now: Date): Promise<string[]> {
  let taken: string[] = [];
  const giveBack = new Error('given back');
  await transact(db, async (trx) => {
    taken = (await lockDueBatch(trx, 100, [], now)).map(({ id }) => id);
    throw giveBack;
  }).catch((error) => {
    if (error !== giveBack) throw error;
  });
  return taken;
}

const clear = () => sql`delete from post_schedules`.execute(db);

/** A user whose second is neither the first nor the last of them. */
async function spreadPublisher(): Promise<Actor> {
  for (;;) {
    const actor = await makePublisher(db, outside.url);
    const ms = await spreadOfOne(actor);
    if (ms > 2 * SECOND && ms < SPREAD_MS - SECOND) return actor;
  }
}

test('10,000 users are spread evenly, always the same way, and leave the network its time', async () => {
  const ids = Array.from({ length: 10_000 }, (_, nth) =>
    createHash('md5').update(`user ${nth}`).digest('hex'),
  );
  const spreads = await spreadsOf(ids);
  assert.deepEqual(await spreadsOf(ids), spreads);
  const [known] = await spreadsOf(['0a6f7b2e-58a1-4f0e-9d5c-1b2f3a4c5d6e']);
  assert.equal(known, 17_827);
  const seconds = Map.groupBy(spreads, (ms) => Math.floor(ms / SECOND));
  assert.equal(seconds.size, SPREAD_MS / SECOND);
  const mean = ids.length / seconds.size;
  for (const [second, { length }] of seconds) {
    assert.ok(second >= 0 && second < SPREAD_MS / SECOND);
    assert.ok(
      Math.abs(length - mean) < 6 * Math.sqrt(mean),
      `${length} of ${ids.length} in second ${second}`,
    );
  }
  assert.ok(Math.max(...spreads) + CALL_P99 < MINUTE);
});

test('posts of one user keep their order and their distance, also one minute apart', async (t) => {
  t.after(clear);
  const actor = await spreadPublisher();
  const begins: number[] = [];
  for (let minute = 0; minute < 5; minute++) {
    const dueAt = at(minute * MINUTE);
    begins.push((await beginOf(await makeScheduledPost(db, actor, { dueAt }))).getTime() - dueAt.getTime());
  }
  assert.deepEqual(begins, Array(5).fill(await spreadOfOne(actor)));
});

test('a post at a full minute is taken at the second of its user and not before', async (t) => {
  t.after(clear);
  const actor = await spreadPublisher();
  const id = await makeScheduledPost(db, actor, { dueAt: NINE });
  const second = at(await spreadOfOne(actor));
  const before = new Date(second.getTime() - 1);
  assert.equal(await findNextStart(db, at(-1)), null);
  for (const now of [NINE, before]) {
    assert.deepEqual(await takenAt(now), []);
    assert.equal(await isAnyDueForBatch(db, now), false);
    assert.deepEqual(await findNextStart(db, now), second);
  }
  assert.deepEqual(await takenAt(second), [id]);
  assert.equal(await isAnyDueForBatch(db, second), true);
  assert.equal(await findNextStart(db, second), null);
});

test('what is sent by hand, has a time between two minutes or is late is taken at once', async (t) => {
  t.after(clear);
  const actor = await spreadPublisher();
  const byHand = await makeScheduledPost(db, actor, { dueAt: NINE });
  await standAs(db, byHand, { isManual: true });
  assert.deepEqual(await takenAt(NINE), [byHand]);
  await clear();
  const between = await makeScheduledPost(db, actor, { dueAt: at(1) });
  assert.deepEqual(await takenAt(at(1)), [between]);
  await clear();
  const late = await makeScheduledPost(db, actor, { dueAt: at(-MINUTE) });
  assert.deepEqual(await takenAt(NINE), [late]);
  assert.equal(await findNextStart(db, NINE), null);
});

test('the tick hands over the whole minute: texts to a job now, a picture to one at its second', async (t) => {
  t.after(clear);
  const [writer, painter] = [await spreadPublisher(), await spreadPublisher()];
  await makeScheduledPost(db, writer, { dueAt: NINE });
  const imageUrl = 'https://images.example/one.png';
  const pictured = await makeScheduledPost(db, painter, { dueAt: NINE, imageUrl });
  const late = await makeScheduledPost(db, painter, { dueAt: at(-20 * MINUTE), imageUrl });
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  assert.equal(await enqueueDuePosts(db, NINE), 3);
  const { rows } = await sql<{ key: string; runAt: Date }>`
    select key, run_at from graphile_worker.jobs`.execute(db);
  const runAt = new Map(rows.map((row) => [row.key, row.runAt]));
  assert.deepEqual(runAt.get(`publish:${pictured}`), await beginOf(pictured));
  assert.deepEqual(runAt.get(`publish:${late}`), NINE);
  assert.ok(runAt.get('send-batch:0')! <= new Date());
  assert.equal(await enqueueDuePosts(db, NINE), 1, 'nothing has two jobs');
  assert.equal(await findNextStart(db, at(SPREAD_MS)), null);
  assert.deepEqual(
    await findNextStart(db, NINE),
    at(await spreadOfOne(writer)),
    'a picture is not waited for',
  );
});

test('what may not go is held when its minute comes, not at its second, and not waited for', async (t) => {
  t.after(clear);
  const [paused, asking] = [await spreadPublisher(), await spreadPublisher()];
  await saveSettings(db, paused, { enabled: false });
  const held = await makeScheduledPost(db, paused, { dueAt: NINE });
  const pending = await makeScheduledPost(db, asking, { dueAt: NINE });
  await standAs(db, pending, { status: 'pending' });
  assert.deepEqual(await findNextStart(db, NINE), at(await spreadOfOne(paused)));
  await enqueueDuePosts(db, NINE);
  for (const id of [held, pending]) assert.deepEqual((await readPost(db, id)).heldAt, NINE);
  assert.equal(await findNextStart(db, NINE), null);
});
