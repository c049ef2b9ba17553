/** `suite.ts` meets every point and ends with the random mode; `suite.ts K13 F2 random` those alone. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { POINTS } from './points.ts';
import { runRandom } from './random.ts';
import { printHead, printRow, printSums, type Row, runPoint } from './run.ts';
import { startWorld } from './scene.ts';

const named = process.argv.slice(2);
const unknown = named.filter((name) => name !== 'random' && !POINTS.some((point) => point.name === name));
if (unknown.length > 0) {
  console.error(`There is no point ${unknown.join(', ')}.`);
  process.exit(1);
}

const world = await startWorld();
const rows: Row[] = [];

const meet = (name: string, run: (t: TestContext) => Promise<Row>) => {
  if (named.length > 0 && !named.includes(name)) return;
  test(name, async (t) => {
    const row = await run(t);
    rows.push(row);
    printRow(row);
    assert.deepEqual(row.broken, []);
  });
};

printHead();
for (const point of POINTS) meet(point.name, (t) => runPoint(t, world, point));
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
meet('random', (t) => runRandom(t, world, seed));
after(() => printSums(rows));
