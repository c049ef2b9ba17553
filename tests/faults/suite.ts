/** `suite.ts` meets every point and ends with the random mode; `suite.ts K13 F2 random` those alone. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { POINTS } from './points.ts';
import { printHead, printRow, printSums, type Row, runPoint } from './run.ts';
import { startWorld } from './scene.ts';

const named = process.argv.slice(2);
const unknown = named.filter((name) => name !== 'random' && !POINTS.some((point) => point.name === name));
assert.deepEqual(unknown, [], 'There are no such points');

const world = await startWorld();
const rows: Row[] = [];

printHead();
for (const point of POINTS.filter(({ name }) => named.length === 0 || named.includes(name))) {
  test(point.name, async (t) => {
    const row = await runPoint(t, world, point);
    rows.push(row);
    printRow(row);
    assert.deepEqual(row.broken, []);
  });
}
after(() => printSums(rows));
