/** Writes docs/sample-posts.md: 20 posts of the sandbox's writer for five invented users, with their briefs. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '#app/db/client.ts';
import { startSandbox } from '#sandbox/server/server.ts';
import { migrate } from '#scripts/migrate.ts';
import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { ROOT } from '#scripts/run.ts';
import { makeSampleSheet } from './sample-sheet.ts';

process.chdir(ROOT);
const postgres = await startThrowAwayPostgres();
const sandbox = await startSandbox();
Object.assign(process.env, {
  OPENAI_BASE_URL: `${sandbox.url}/openai/v1`,
  OPENAI_API_KEY: '',
  WRITER_PASSES: '2',
});
const url = postgres.url();
await migrate({ ownerUrl: url, url });
const { db } = createDatabase(url, 5);
try {
  writeFileSync(path.join('docs', 'sample-posts.md'), await makeSampleSheet(db));
} finally {
  await db.destroy();
  await postgres.stop();
  await sandbox.close();
}
