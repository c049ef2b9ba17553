import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
test('an instant that the database has is the one that was written, to the millisecond', async () => {
  for (const text of ['2026-01-05T09:30:00.000Z', '2026-12-31T23:59:59.999Z', '1999-02-28T00:00:00.070Z']) {
    const { rows } = await sql<{ at: Date }>`select ${new Date(text)}::timestamptz as at`.execute(db);
    assert.equal(rows[0]!.at.toISOString(), text);
  }
});

test('a list of texts is the one that was written, whatever is in it', async () => {
  const word = fc.oneof(
    fc.constantFrom('NULL', 'null', '', ' ', 'a,b', '{a}', '"', '\\', 'été', 'Planning', 'ANNULLED'),
    fc.string().filter((text) => !text.includes('\0')),
  );
  const list = fc.array(fc.oneof({ weight: 5, arbitrary: word }, fc.constant(null)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(list, async (texts) => {
      const { rows } = await sql<{ texts: unknown }>`select ${texts}::text[] as texts`.execute(db);
      assert.deepEqual(rows[0]!.texts, texts);
    }),
    { numRuns: 300 },
  );
  const { rows } = await sql<{ days: string[]; nested: string[][] }>`
    select array['2026-01-05', '2026-02-01']::date[] as days, array[array['a', 'b'], array['c', 'd']] as nested`.execute(
    db,
  );
  assert.deepEqual(rows, [
    {
      days: ['2026-01-05', '2026-02-01'],
      nested: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  ]);
});
