import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POINTS } from './points.ts';
import { runPoint } from './run.ts';
import { startWorld } from './scene.ts';

const world = await startWorld();
const TRIALS = 7;

/** Of the whole suite (npm run test:faults) the points that differ most, with a few posts each. */
for (const name of ['K14', 'F2', 'K30-paused', 'D6-killed']) {
  const point = POINTS.find((each) => each.name === name)!;
  test(`${name}, ${point.what}: no double, none lost`, async (t) => {
    const { broken } = await runPoint(t, world, point, TRIALS);
    assert.deepEqual(broken, []);
  });
}
