import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { jobs, LANES, ticks } from '#app/domain/platform/jobs.ts';
import { listTickTimes } from '#app/domain/platform/tick-times.ts';
import { CALL_WITHIN_MS, LEASE_LEFT_MS, LEASE_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { WRITE_WITHIN_MS } from '#app/domain/writing/runs/write-run.ts';
import { POST_TIMEOUT_MS } from '#app/integrations/linkedin/posts.ts';
import { ROOT } from '#scripts/run.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWorker } from '#tests/harness/worker/process.ts';
import { until } from '#tests/harness/worker/until.ts';
import { textOf } from '#tests/project/architecture-imports.ts';
import { parseLanes } from '#worker/lanes.ts';
import { SWEEPS } from '#worker/sweeps.ts';
import { jobRunners, tasksOf, tickRunners, timetableOf } from '#worker/tasks.ts';

const database = await testDatabase();
const all = [...Object.values(jobs), ...Object.values(ticks)];
const names = all.map(({ name }) => name).toSorted();

test('no two jobs or ticks have the same name', () => {
  assert.deepEqual(names, [...new Set(names)]);
});

test('every job and tick has a runner, and no runner is left over', () => {
  assert.deepEqual(Object.keys(jobRunners).toSorted(), Object.keys(jobs).toSorted());
  assert.deepEqual(Object.keys(tickRunners).toSorted(), Object.keys(ticks).toSorted());
});

test('every job and tick runs in one lane, and the lanes have no other task', () => {
  const tasks = LANES.flatMap((lane) => Object.keys(tasksOf(lane, database.db)));
  assert.deepEqual(tasks.toSorted(), names);
});

/** The lanes of each process group on Fly that runs the worker. */
function lanesOnFly() {
  const groups = /^\[processes\]\n((?:(?!\[).*\n)*)/m.exec(textOf('fly.toml'))![1]!;
  const commands = groups.matchAll(/^ *(\w+) = '[^']* worker\/main\.ts\b([^']*)'$/gm);
  return [...commands].map(([, group, words]) => ({
    group: group!,
    lanes: parseLanes(words!.split(' ').filter(Boolean)),
  }));
}

test('every lane runs on Fly, in one process group', () => {
  const run = lanesOnFly().flatMap(({ lanes }) => lanes);
  assert.deepEqual(run.toSorted(), LANES.toSorted());
});

test('on Fly a volume is mounted where the publishing lane keeps what must outlive its process', () => {
  const folder = /^ENV .*\bDATA_DIR=(\S+)/m.exec(textOf('Dockerfile'))![1]!;
  const group = lanesOnFly().find(({ lanes }) => lanes.includes('publishing'))!.group;
  const [mounts = ''] = /^\[\[mounts\]\]\n(?:(?!\[).*\n)*/m.exec(textOf('fly.toml')) ?? [];
  assert.match(mounts, new RegExp(`^ *destination = '${folder}'$`, 'm'));
  assert.match(mounts, new RegExp(`^ *processes = \\['${group}'\\]$`, 'm'));
});

test('every sweep that a feature brings is run by a tick', async () => {
  const run = Object.values(SWEEPS).flatMap((sweeps) => Object.values(sweeps));
  for (const file of globSync('app/domain/**/sweep.ts', { cwd: ROOT })) {
    const sweeps: Record<string, never> = await import(path.join(ROOT, file));
    for (const [name, sweep] of Object.entries(sweeps)) assert.ok(run.includes(sweep), `${file}: ${name}`);
  }
});

const MINUTES = Array.from({ length: 24 * 60 }, (_, minute) => ({
  date: 1,
  month: 1,
  dow: 1,
  hour: Math.floor(minute / 60),
  min: minute % 60,
}));

test('every tick has its time in the lane it runs in', () => {
  for (const lane of LANES) {
    const items = timetableOf(lane);
    const own = Object.values(ticks).filter((tick) => tick.lane === lane);
    assert.deepEqual(
      items.map(({ task }) => task),
      own.map(({ name }) => name),
    );
    for (const { task, match } of items) assert.ok(MINUTES.some(match), `${task} never runs`);
  }
});

test('a running worker knows the ticks of the catalogue', async (t) => {
  await startWorker((end) => t.after(end), database, {});
  const known = async () => (await listTickTimes(database.db)).map(({ name }) => name).toSorted();
  const onTime = Object.values(ticks).map(({ name }) => name);
  await until('every lane knows its ticks', async () => (await known()).length >= onTime.length);
  assert.deepEqual(await known(), onTime.toSorted());
});

test('a process that stops is given longer than the longest job takes', () => {
  const given = Number(/^kill_timeout = '(\d+)s'$/m.exec(textOf('fly.toml'))?.[1]) * 1_000;
  const publishing = LEASE_MS - LEASE_LEFT_MS + CALL_WITHIN_MS + POST_TIMEOUT_MS;
  assert.ok(publishing < given, `publishing takes up to ${publishing} ms of ${given}`);
  assert.ok(WRITE_WITHIN_MS < given, `writing takes up to ${WRITE_WITHIN_MS} ms of ${given}`);
});
