import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';

const { db } = await testDatabase();

test('a read is written once, and answers by what it is given each time', async () => {
  let times = 0;
  const read = written((on: typeof db, { userId, suffix }: { userId: string; suffix: string }) => {
    times += 1;
    return on
      .selectFrom('users')
      .select(['users.id as userId', sql<string>`name || ${suffix}`.as('called')])
      .where('id', '=', userId);
  });
  const [ada, bo] = [await makeUser(db, { name: 'Ada' }), await makeUser(db, { name: 'Bo' })];
  for (const [{ userId }, suffix] of [
    [ada, '!'],
    [bo, '?'],
    [ada, ''],
  ] as const) {
    const name = userId === ada.userId ? 'Ada' : 'Bo';
    assert.deepEqual(await read(db, { userId, suffix }), [{ userId, called: name + suffix }]);
  }
  assert.equal(times, 1);
});

test('a read that is written reads in the transaction that it is given', async () => {
  const named = written((on: typeof db, { name }: { name: string }) =>
    on.selectFrom('users').select('id').where('name', '=', name),
  );
  const { userId } = await makeUser(db, { name: 'Before' });
  const inside = await transact(db, async (trx) => {
    await trx.updateTable('users').set({ name: 'After' }).where('id', '=', userId).execute();
    return { inside: await named(trx, { name: 'After' }), outside: await named(db, { name: 'After' }) };
  });
  assert.deepEqual(inside, { inside: [{ id: userId }], outside: [] });
});

test('who writes a read cannot look at what it is given', async () => {
  const looking = written((_, { name }: { name: string }) => sql`select ${sql.lit(`${name}`)} as name`);
  await assert.rejects(looking(db, { name: 'Ada' }), /name is, is known only when the statement is run/);
});
