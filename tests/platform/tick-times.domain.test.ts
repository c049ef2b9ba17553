import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { type Tick, ticks } from '#app/domain/platform/jobs.ts';
import {
  addLateTicks,
  lastDue,
  listTickTimes,
  recordTickStart,
  registerTicks,
} from '#app/domain/platform/tick-times.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { until } from '#tests/harness/worker/until.ts';
import { watchLateTicks } from '#worker/lanes.ts';
import { timetableOf } from '#worker/tasks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number) => new Date(Date.now() - ms);

/** The ticks that wait, each as often as it does. */
async function waiting(db: Db) {
  const { rows } = await sql<{ task: string }>`select task_identifier as task from graphile_worker.jobs
    where attempts < max_attempts order by 1`.execute(db);
  return rows.map(({ task }) => task);
}

const begun = (db: Db, tick: Tick, ms: number) => recordTickStart(db, tick.name, ago(ms));

test('a timetable is last due when the queue last finds it due', () => {
  for (const { name, lane, timetable } of Object.values(ticks)) {
    const { match } = timetableOf(lane).find(({ task }) => task === name)!;
    const isDue = (date: Date) =>
      match({
        min: date.getUTCMinutes(),
        hour: date.getUTCHours(),
        date: date.getUTCDate(),
        month: date.getUTCMonth() + 1,
        dow: date.getUTCDay(),
      });
    for (const start of [
      '2026-03-01T00:00:00Z',
      '2026-03-01T03:16:59.999Z',
      '2026-03-01T04:41:00Z',
      '2026-12-31T23:23:30Z',
    ]) {
      const end = new Date(start);
      const expected = new Date(Math.floor(end.getTime() / MINUTE) * MINUTE);
      while (!isDue(expected)) expected.setTime(expected.getTime() - MINUTE);
      assert.deepEqual(lastDue(timetable, end), expected, `${timetable} at ${start}`);
    }
  }
});

const addAllLate = async (db: Db) => [
  ...(await addLateTicks(db, 'publishing')),
  ...(await addLateTicks(db, 'upkeep')),
];

test('a tick that did not come is added once, and one that came or has just become known is not', async () => {
  const { db } = await testDatabase();
  await addAllLate(db);
  assert.deepEqual(await waiting(db), [], 'no worker knows a tick');
  await registerTicks(db, 'publishing');
  await registerTicks(db, 'upkeep');
  await addAllLate(db);
  assert.deepEqual(await waiting(db), [], 'all have just become known');
  await begun(db, ticks.tickPublishing, 3 * MINUTE);
  await begun(db, ticks.sweep, 0);
  await begun(db, ticks.sweepHourly, HOUR + MINUTE);
  await begun(db, ticks.sweepDaily, 25 * HOUR);
  const late = [ticks.sweepDaily.name, ticks.sweepHourly.name, ticks.tickPublishing.name];
  for (let times = 0; times < 2; times++) {
    assert.deepEqual((await addAllLate(db)).toSorted(), times === 0 ? late : []);
    assert.deepEqual(await waiting(db), late);
  }
});

test('a tick that waits for a worker is not added again, and one that waits for an hour or failed for good is', async () => {
  const { db } = await testDatabase();
  const { name } = ticks.tickPublishing;
  await begun(db, ticks.tickPublishing, 3 * MINUTE);
  await sql`select graphile_worker.add_job(${name})`.execute(db);
  await addLateTicks(db, 'publishing');
  assert.deepEqual(await waiting(db), [name]);
  await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), now() + interval '1 hour')`.execute(
    db,
  );
  await addLateTicks(db, 'publishing');
  assert.deepEqual(await waiting(db), [name, name], 'a clock that was ahead has added it');
  await sql`select graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs))`.execute(
    db,
  );
  await addLateTicks(db, 'publishing');
  assert.deepEqual(await waiting(db), [name]);
});

test('a tick that a worker has taken and is about to start is not added again, and one that was never started is', async () => {
  const { db } = await testDatabase();
  const { name } = ticks.tickPublishing;
  await begun(db, ticks.tickPublishing, 3 * MINUTE);
  await sql`select graphile_worker.add_job(${name})`.execute(db);
  for (const [seconds, count] of [
    [1, 1],
    [20, 2],
  ]) {
    await sql`update graphile_worker._private_jobs set locked_by = 'a worker',
      locked_at = now() - ${seconds} * interval '1 second'`.execute(db);
    await addLateTicks(db, 'publishing');
    assert.equal((await waiting(db)).length, count, `locked ${seconds} s ago`);
  }
});

test('a tick that began by a clock that was ahead is late once the clock is right', async () => {
  const { db } = await testDatabase();
  await begun(db, ticks.tickPublishing, -HOUR);
  await addLateTicks(db, 'publishing');
  assert.deepEqual(await waiting(db), [ticks.tickPublishing.name]);
});

test('a tick is known since a worker first knew it, however often one begins', async () => {
  const { db } = await testDatabase();
  await registerTicks(db, 'publishing');
  const [first] = await listTickTimes(db);
  const now = ago(0);
  await recordTickStart(db, first!.name, now);
  await registerTicks(db, 'publishing');
  const again = (await listTickTimes(db)).find(({ name }) => name === first!.name)!;
  assert.equal(first!.lastAt, null);
  assert.deepEqual([again.knownSince, again.lastAt], [first!.knownSince, now]);
});

test('while the queue takes no tick only one look waits for it, and the lane keeps its other connections', async (t) => {
  const { db } = await testDatabase();
  await begun(db, ticks.tickPublishing, 3 * MINUTE);
  const waitingLooks = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows[0]!.count;
  };
  let addedBeforeEnd: string[] | undefined;
  await db.transaction().execute(async (trx) => {
    await sql`lock table graphile_worker._private_jobs`.execute(trx);
    const stop = watchLateTicks(db, 'publishing', 10);
    t.after(stop);
    await until('a look waits', async () => (await waitingLooks()) > 0);
    const end = Date.now() + 500;
    while (Date.now() < end) assert.equal(await waitingLooks(), 1);
    void stop().then(async () => {
      addedBeforeEnd = await waiting(db);
    });
    assert.equal(await waitingLooks(), 1);
    assert.equal(addedBeforeEnd, undefined);
  });
  await until('it has stopped', async () => addedBeforeEnd !== undefined);
  assert.deepEqual(addedBeforeEnd, [ticks.tickPublishing.name], 'the look that was under way has ended');
  assert.deepEqual(await waiting(db), [ticks.tickPublishing.name]);
});
