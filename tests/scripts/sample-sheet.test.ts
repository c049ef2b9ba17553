import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { makeSampleSheet } from '#scripts/writer/sample-sheet.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

await startOutside();
Object.assign(process.env, { OPENAI_API_KEY: '', WRITER_PASSES: '2' });
const { db } = await testDatabase();
const SHEET = path.join(ROOT, 'docs/sample-posts.md');

test('docs/sample-posts.md is what is written now; npm run sample-posts makes it again', async () => {
  const written = await makeSampleSheet(db);
  assert.equal(readFileSync(SHEET, 'utf8'), written);
  assert.equal(written.split(/^### /m).length - 1, 20);
});
