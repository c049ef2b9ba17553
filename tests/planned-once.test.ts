import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { getShellState } from '#app/domain/pages/shell.ts';
import { loadDashboard } from '#app/routes/dashboard/load.ts';
import { addPosts, addUsers, vacuumAndCheckpoint } from '#bench/data/people.ts';
import { testDatabase } from '#tests/database.ts';

const PEOPLE = 40;
/** What comes for the third time is prepared, and planned anew five times before one plan may be kept for all values. */
const TIMES = 12;

let db: Db;
let people: string[];

before(async () => {
  const made = await testDatabase();
  people = await addUsers(made.db, PEOPLE);
  await addPosts(made.db, people, 100);
  await vacuumAndCheckpoint(made.db);
  ({ db } = createDatabase(made.url, 1, 100));
});

type Planned = { statement: string; genericPlans: string; customPlans: string };

test('what a dashboard reads is planned once, and not for each who asks for it', async () => {
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
