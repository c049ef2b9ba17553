import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticks } from '#app/domain/platform/jobs.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { setStage } from '#tests/harness/worker/stage.ts';
import { soon, until } from '#tests/harness/worker/until.ts';
import { runSweeps } from '#worker/sweeps.ts';

// The failures below are meant.
process.env.LOG_LEVEL = 'silent';
const outside = await startOutside();
const wire = await startWire(outside.url);

test('a sweep that throws stops no other, and the failure of each is told by its name', async (t) => {
  const stage = await setStage(t, outside, wire);
  const ran: string[] = [];
  const failing = (name: string) => async () => {
    ran.push(name);
    throw new Error(`no ${name}`);
  };
  const good = (name: string) => async () => void ran.push(name);
  const sweeps = { one: failing('one'), two: good('two'), three: failing('three'), four: good('four') };
  await assert.rejects(runSweeps(sweeps, stage.db, new Date()), (error: AggregateError) => {
    assert.deepEqual(
      error.errors.map(({ message, cause }) => [message, cause.message]),
      [
        ['The sweep of one failed', 'no one'],
        ['The sweep of three failed', 'no three'],
      ],
    );
    return true;
  });
  assert.deepEqual(ran, ['one', 'two', 'three', 'four']);
});

test('a slow sweep does not hold up another', async (t) => {
  const stage = await setStage(t, outside, wire);
  const other = Promise.withResolvers<void>();
  const sweeps = { slow: () => other.promise, other: async () => other.resolve() };
  await soon('both have ended', runSweeps(sweeps, stage.db, new Date()));
});

test('with one feature broken the worker sweeps the others, and the job fails with its name', async (t) => {
  const stage = await setStage(t, outside, wire);
  await stage.pool.query(`update payments set
    starts_at = now() - interval '31 days', ends_at = now() - interval '1 minute'`);
  await stage.pool.query('alter table post_schedules rename to post_schedules_away');
  const worker = await stage.worker();
  await stage.pool.query('select graphile_worker.add_job($1)', [ticks.sweep.name]);
  await until('the plan has ended', async () => {
    const { rowCount } = await stage.pool.query(`select from payments where status = 'expired'`);
    return rowCount === 1;
  });
  await until('the job has failed', async () => {
    const { rows } = await stage.pool.query(
      'select last_error from graphile_worker.jobs where task_identifier = $1',
      [ticks.sweep.name],
    );
    return /The sweep of unapproved failed/.test(rows[0]?.last_error);
  });
  assert.match(worker.output(), /"sweep":"unapproved"/);
});
