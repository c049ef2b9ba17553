import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { readDatabaseName, releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { ROOT } from '#scripts/run.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db, workerUrl } = await testDatabase();
const top = mkdtempSync(path.join(tmpdir(), 'tidepost-memory-'));
after(() => rmSync(top, { recursive: true, force: true }));
const folder = path.join(top, 'data');

beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await releaseEpoch(db);
});

const LOOK = `
  const { createDatabase } = await import('${ROOT}/app/db/client.ts');
  const { beatEpoch, isKnownDatabase } = await import('${ROOT}/app/domain/publishing/safety/epoch.ts');
  const { db } = createDatabase(process.env.DATABASE_URL, 1);
  console.log(JSON.stringify([await isKnownDatabase(db), await beatEpoch(db)]));
  process.exit(0);`;

/** What a worker that starts now says of the database: whether it publishes from it, now and after a minute's look. */
async function start(DATA_DIR = folder, most?: string): Promise<[boolean, boolean]> {
  const { NODE_COMPILE_CACHE: compiled, NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  // What may write little must not write what it has compiled.
  const cache = compiled && !most && { NODE_COMPILE_CACHE: compiled };
  const script = path.join(top, 'look.mjs');
  writeFileSync(script, LOOK);
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', `${most ? `ulimit -f ${most};` : ''} exec "$0" "$1"`, process.execPath, script],
    { env: { ...inherited, ...cache, DATABASE_URL: workerUrl, DATA_DIR } },
  );
  return JSON.parse(stdout);
}

async function memoryFile() {
  const { name } = await readDatabaseName(db);
  return path.join(folder, `epoch-${name.split('@')[0]}.json`);
}

const told = async () =>
  (await listOperatorFaults(db)).filter(({ key }) => key === 'epoch-memory').map(({ message }) => message);

for (const [what, text] of [
  ['is empty', ''],
  ['ends in its middle', '{"epoch":"17'],
  ['holds no number', '{"epoch":"abc","beat":"1"}'],
  ['holds nothing', 'null'],
  ['holds a list', '[]'],
  ['is of a year to come', '{"epoch":"99999999999999999","beat":"1"}'],
  ['is no file', undefined],
] as const) {
  test(`a worker whose memory ${what} publishes nothing and says so, until publishing is released`, async () => {
    const file = await memoryFile();
    if (text === undefined) mkdirSync(file);
    else writeFileSync(file, text);
    assert.deepEqual(await start(), [false, false]);
    assert.deepEqual(await start(), [false, false], 'after another start');
    const message = (await told()).join();
    assert.ok(message.includes(file), message);
    assert.match(message, /npm run resume-publishing/);
    if (text === undefined) rmSync(file, { recursive: true });
    await releaseEpoch(db);
    assert.deepEqual(await start(), [true, true]);
    assert.deepEqual(await told(), []);
  });
}

test('what a worker has seen stays in its memory when the disk is full', async () => {
  assert.deepEqual(await start(), [true, true]);
  const file = await memoryFile();
  const seen = readFileSync(file, 'utf8');
  assert.deepEqual(await start(folder, '0'), [true, true]);
  assert.equal(readFileSync(file, 'utf8'), seen);
  assert.equal(readdirSync(folder).length, 1);
  await db.updateTable('publishingEpoch').set({ beat: '0' }).execute();
  assert.deepEqual(await start(), [false, false], 'a tail is missing');
});

test('a worker without a memory, or without a disk for one, publishes from a database that is released', async () => {
  assert.deepEqual(await start(), [true, true]);
  const noFolder = path.join(top, 'a-file');
  writeFileSync(noFolder, '');
  assert.deepEqual(await start(path.join(noFolder, 'data')), [true, true]);
});
