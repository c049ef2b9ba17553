import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase } from '#app/db/client.ts';
import { databaseChecks } from '#scripts/doctor/database-checks.ts';
import { comparesAllScripts } from '#scripts/doctor/letters.ts';
import { runCheck } from '#scripts/doctor/look.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db, ownerUrl: url } = await testDatabase();

const lettersOf = async (database: typeof db) =>
  runCheck(databaseChecks(database).find(({ name }) => name === 'letters')!);

test('the embedded database knows the letters of every script', async () => {
  assert.equal(await comparesAllScripts(db), true);
  assert.equal((await lettersOf(db)).isOk, true);
});

test('a database of the locale C is told so, with what mends it', async () => {
  const name = `c_${Date.now()}`;
  await sql`create database ${sql.id(name)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`.execute(
    db,
  );
  const other = createDatabase(url.replace(/\/\w+$/, `/${name}`), 1);
  try {
    await sql`create extension pg_trgm`.execute(other.db);
    assert.equal(await comparesAllScripts(other.db), false);
    const { isOk, message } = await lettersOf(other.db);
    assert.equal(isOk, false);
    assert.match(
      message,
      /made for the locale C.*Hindi.*\. Make a new one with a UTF-8 locale .*restore a pg_dump/,
    );
  } finally {
    await other.db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(db);
  }
});
