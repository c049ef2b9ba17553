import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { getShellState } from '#app/domain/pages/shell.ts';
import { loadDashboard } from '#app/routes/dashboard/load.ts';
import { addPosts, addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { testDatabase } from '#tests/harness/database.ts';

/** With one connection, and tables that the other tests do not change. */
async function own(): Promise<Db> {
  const { ownerUrl: url } = await testDatabase();
  return createDatabase(url, 1, 100).db;
}

test('a column that gets another type while its reads are prepared breaks none of them', async () => {
  const db = await own();
  const id = crypto.randomUUID();
  const readShown = compiledQuery((db: Db, given: { id: string }) =>
    db.selectFrom('postSchedules').select(['status', 'reason']).where('postId', '=', given.id),
  );
  const readRuns = compiledQuery((db: Db, { model }: { model: string }) =>
    db.selectFrom('generationRuns').select('id').where('model', '=', model),
  );
  const shown = () => readShown(db, { id });
  const searched = () => readRuns(db, { model: 'none' });
  for (let times = 0; times < 2; times += 1) assert.deepEqual([await shown(), await searched()], [[], []]);
  await sql`alter table post_schedules alter column reason type varchar(900)`.execute(db);
  await sql`alter table generation_runs alter column model type bytea using null`.execute(db);
  for (let times = 0; times < 2; times += 1) assert.deepEqual([await shown(), await searched()], [[], []]);
});

test('a new column does not break the prepared statements of its table', async () => {
  const db = await own();
  const read = compiledQuery((db: Db, { userId }: { userId: string }) =>
    db.selectFrom('voices').select(['audience', 'language']).where('userId', '=', userId),
  );
  const again = () => read(db, { userId: crypto.randomUUID() });
  assert.deepEqual(await again(), []);
  await sql`alter table voices add column later integer`.execute(db);
  assert.deepEqual(await again(), []);
});

test('inside a transaction such a read fails once, with what Postgres said, and never again', async () => {
  const db = await own();
  const readNames = compiledQuery((db: Db, { name }: { name: string }) =>
    db.selectFrom('topics').select('name').where('name', '=', name),
  );
  const read = (from: Db) => readNames(from, { name: 'none' });
  await read(db);
  await sql`alter table topics alter column name type varchar(900)`.execute(db);
  const within = () => db.transaction().execute(read);
  await assert.rejects(within(), /cached plan must not change result type/);
  assert.deepEqual(await within(), []);
  assert.deepEqual(await read(db), []);
});

const PEOPLE = 40;
/** What comes for the third time is prepared, and planned anew five times before one plan may be kept for all values. */
const TIMES = 12;

let dashboardDb: Db;
let people: string[];

before(async () => {
  const made = await testDatabase();
  people = await addUsers(made.db, PEOPLE);
  await addPosts(made.db, people, 100);
  await vacuumAndCheckpoint(made.db);
  dashboardDb = createDatabase(made.url, 1, 100).db;
});

type Planned = { statement: string; genericPlans: string; customPlans: string };

test('what a dashboard reads is planned once, and not for each who asks for it', async () => {
  const db = dashboardDb;
  for (const userId of people.slice(0, TIMES)) {
    const { token } = await createSession(db, userId, 'web', 'test');
    const { actor } = (await findSession(db, token, 'web', new Date()))!;
    const { days, stats } = await loadDashboard(db, actor, new URLSearchParams(), getShellState(db, actor));
    assert.ok(days.length === 2 && stats.totalPosts === 100);
  }
  const { rows } = await sql<Planned>`
    SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements`.execute(db);
  const isOfPosts = ({ statement }: Planned) => /post_counts|"posts"\."content"/.test(statement);
  assert.equal(rows.filter(isOfPosts).length, 2, 'the posts of the day and the numbers');
  for (const { statement, genericPlans, customPlans } of rows) {
    assert.ok(Number(customPlans) <= 5, statement);
    assert.ok(Number(genericPlans) >= TIMES - 7, statement);
  }
});
