import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { createSession, openApiSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db, pool } = await testDatabase();

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const texts = tables.map(async ({ name }) => {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    return rows.map(({ row }) => row).join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

test('1 ids are random, of 256 bits, and never the same', async () => {
  const { userId } = await makeUser(db);
  const tokens: string[] = [];
  for (let made = 0; made < 1000; made += 50) {
    const some = Array.from({ length: 50 }, () => createSession(db, userId, 'web', 'test'));
    tokens.push(...(await Promise.all(some)).map(({ token }) => token));
  }
  assert.equal(new Set(tokens).size, 1000);
  for (const token of tokens) assert.equal(Buffer.from(token, 'base64url').length, 32);
  // Each of the first 200 bits is set in about half of them.
  for (let bit = 0; bit < 200; bit++) {
    const set = tokens.filter((token) => {
      const byte = Buffer.from(token, 'base64url')[bit >> 3]!;
      return (byte >> (bit & 7)) & 1;
    }).length;
    assert.ok(set > 400 && set < 600, `bit ${bit} is set in ${set}`);
  }
});

test('1 the database has no id, only what it is recognised by', async () => {
  const user = await makeUser(db);
  const tokens = [
    (await createSession(db, user.userId, 'web', 'test')).token,
    (await openApiSession(db, user.userId, 'test')).token,
    (await createToken(db, await inSession(db, user), { name: 'CI', scope: 'read' })).secret,
  ];
  const stored = await everything();
  assert.ok(stored.includes(user.email), 'all tables are looked at');
  for (const token of tokens) assert.ok(!stored.includes(token));
});
