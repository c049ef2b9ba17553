import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { deleteOldVisits } from '#app/domain/visits/delete-visits.ts';
import { storeVisits } from '#app/domain/visits/store-visits.ts';
import { maintainVisitMonths } from '#app/domain/visits/visit-months.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { until } from '#tests/harness/worker/until.ts';
import { runSweeps, SWEEPS } from '#worker/sweeps.ts';

const DAY_MS = 86_400_000;
/** In the middle of this month and of those after it. */
const inMonths = (months: number, day = 15) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day, 12));
};
const tableOf = (at: Date) => `visits_${at.toISOString().slice(0, 7).replace('-', '_')}`;

const database = await testDatabase();
const { db } = database;
let service: Db;
let web: Db;
before(() => {
  ({ db: service } = createDatabase(database.workerUrl, 2));
  ({ db: web } = createDatabase(database.url, 1));
});
after(() => Promise.all([service.destroy(), web.destroy()]));
beforeEach(() =>
  sql`truncate visits, visit_sightings, visit_days, visit_totals, visit_addresses`.execute(db),
);

const come = (...moments: Date[]) => comeFrom(null, ...moments);

async function comeFrom(address: string | null, ...moments: Date[]): Promise<void> {
  const place = {
    address,
    country: 'DE',
    city: '',
    device: '',
    browser: '',
    system: '',
    language: 'de',
  };
  const visit = {
    ...place,
    visitor: '7',
    page: '/',
    isReturning: false,
    screenWidth: null,
    screenHeight: null,
  };
  const visits = moments.map((at) => ({
    ...visit,
    visitedAt: at.toISOString(),
    sessionId: at.toISOString().slice(0, 10),
  }));
  await storeVisits(web, visits);
}

const sessionOf = (at: Date) => at.toISOString().slice(0, 10);

/** In which table each visit stands. */
async function standing(): Promise<Record<string, string>> {
  const { rows } = await sql<{ session: string; name: string }>`
    select session_id as session, tableoid::regclass::text as name from visits order by visited_at`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ session, name }) => [session, name]));
}

async function tables(of = db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relid::text as name from pg_partition_tree('visits') where isleaf order by relid::text`.execute(
    of,
  );
  return rows.map(({ name }) => name);
}

test('each month has its table, and what came before there was one moves into it', async () => {
  const [last, present, next, later] = [inMonths(-1), inMonths(0), inMonths(1), inMonths(4)];
  await come(last, present, next, later);
  const first = tableOf(present);
  assert.deepEqual(await standing(), {
    [sessionOf(last)]: first,
    [sessionOf(present)]: first,
    [sessionOf(next)]: tableOf(next),
    [sessionOf(later)]: 'visits_other',
  });
  await Promise.all([maintainVisitMonths(service, inMonths(3)), maintainVisitMonths(service, inMonths(3))]);
  await maintainVisitMonths(service, inMonths(3));
  assert.equal((await standing())[sessionOf(later)], tableOf(later));
  const made = [0, 1, 2, 3, 4, 5].map((months) => tableOf(inMonths(months)));
  assert.deepEqual(await tables(), [...made, 'visits_other']);
});

test('a month goes when all in it is older than 180 days, and nothing younger with it', async () => {
  const now = inMonths(7, 28);
  await maintainVisitMonths(service, now);
  const kept = new Date(now.getTime() - 179 * DAY_MS);
  await come(inMonths(0), kept, now);
  await deleteOldVisits(service, now);
  await maintainVisitMonths(service, now);
  assert.deepEqual(Object.keys(await standing()), [kept, now].map(sessionOf));
  const oldest = new Date(now.getTime() - 180 * DAY_MS);
  for (const name of await tables()) assert.ok(name >= tableOf(oldest), name);
  assert.ok((await tables()).includes(tableOf(oldest)));
  const { rows } = await sql<{ visits: string }>`
    select visits from visit_totals where kind = 'all'`.execute(db);
  assert.deepEqual(rows, [{ visits: '3' }], 'what was counted stays');
});

test('a month that was slept through stays until its addresses are cut, so that none is kept elsewhere', async () => {
  const [slept, now] = [inMonths(8), inMonths(16)];
  await maintainVisitMonths(service, slept);
  await comeFrom('203.0.113.7', slept);
  await maintainVisitMonths(service, now);
  assert.ok((await tables()).includes(tableOf(slept)));
  await deleteOldVisits(service, now);
  await maintainVisitMonths(service, now);
  assert.ok(!(await tables()).includes(tableOf(slept)));
  const { rows } = await sql`select address from visit_addresses`.execute(db);
  assert.deepEqual(rows, []);
});

test('who reads all months while some are made and others dropped waits for that, and neither is cut off', async () => {
  const now = inMonths(30);
  await maintainVisitMonths(service, now);
  const reader = await database.pool.connect();
  await reader.query('begin; lock table only visits in access share mode');
  const kept = maintainVisitMonths(service, inMonths(40));
  await until('it waits', async () => {
    const { rows } =
      await sql`select from pg_locks where not granted and relation::regclass::text ~ '^visits'`.execute(db);
    return rows.length > 0;
  });
  await reader.query('select count(*) from visits; commit');
  reader.release();
  await kept;
  assert.ok(!(await tables()).includes(tableOf(now)));
  assert.ok((await tables()).includes(tableOf(inMonths(42))));
});

test('a dump that goes on for hours puts off the months that are missing until it has ended, not to the next night', async () => {
  const missing = tableOf(inMonths(2));
  await sql`drop table if exists ${sql.id(missing)}`.execute(db);
  const dump = await database.pool.connect();
  await dump.query('begin; lock table visits in access share mode');
  const hourly = () => runSweeps({ months: SWEEPS.hourly['months of visits'] }, service, new Date());
  await assert.rejects(hourly());
  await dump.query('commit');
  dump.release();
  await hourly();
  assert.ok((await tables()).includes(missing));
});

test('months that the first table has are left to it, whichever clock was wrong', async () => {
  const { db: owner } = await testDatabase();
  const before = await tables(owner);
  await maintainVisitMonths(owner, inMonths(-1));
  assert.deepEqual(await tables(owner), before);
  await maintainVisitMonths(owner, inMonths(1));
  assert.equal((await tables(owner)).length, before.length + 1);
});

test('what serves people makes no table otherwise, and nobody else calls for one', async () => {
  const make = sql`create table visits_2000_01 partition of visits for values from ('2000-01-01') to ('2000-02-01')`;
  await assert.rejects(make.execute(service), { code: '42501' });
  const { rows } = await sql<{ may: boolean }>`
    select has_function_privilege('public', 'keep_visit_months(timestamptz, timestamptz)', 'execute') as may`.execute(
    db,
  );
  assert.deepEqual(rows, [{ may: false }]);
});
