import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { lastDays } from '#app/domain/automation/slots.ts';
import {
  listClicksByDay,
  listReceivedByDay,
  listSignUpsByDay,
  listVisitsByDay,
} from '#app/domain/operations/daily-figures.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const ZONE = 'Asia/Kolkata';
const { db } = await testDatabase();

before(async () => {
  // The last minute of a day in India, the first of the next, and one before all that is asked for.
  await sql`insert into users (email, name, created_at) values
    ('a@example.com', 'A', '2026-03-08T18:29:59Z'), ('b@example.com', 'B', '2026-03-08T18:30:00Z'),
    ('c@example.com', 'C', '2026-03-09T02:00:00Z'), ('d@example.com', 'D', '2026-03-03T18:29:59Z'),
    ('e@example.com', 'E', '2026-03-03T18:30:00Z')`.execute(db);
});

test('the last days are those of a clock, also where one of them has 23 hours', () => {
  assert.deepEqual(lastDays(3, 'Pacific/Auckland', NOW), ['2026-03-09', '2026-03-10', '2026-03-11']);
  const short = new Date('2026-03-09T03:59:00Z');
  assert.deepEqual(lastDays(2, 'America/New_York', short), ['2026-03-07', '2026-03-08']);
});

test('sign-ups count on the day that their reader has, and none from before the first', async () => {
  assert.deepEqual(await listSignUpsByDay(db, '2026-03-04', ZONE, NOW), [
    { day: '2026-03-04', count: 1 },
    { day: '2026-03-08', count: 1 },
    { day: '2026-03-09', count: 2 },
  ]);
});

test('what was received stands by day and currency, as a plain query has it', async () => {
  for (const [currencyCode, at] of [
    ['USD', '2026-03-08T18:29:00Z'],
    ['USD', '2026-03-08T18:31:00Z'],
    ['INR', '2026-03-08T18:31:00Z'],
    ['USD', '2026-03-09T10:00:00Z'],
    ['USD', '2026-03-01T10:00:00Z'],
  ] as const)
    await makePlan(db, await makeUser(db), 1, new Date(at), { currencyCode });
  const days = await listReceivedByDay(db, '2026-03-04', ZONE);
  const { rows } = await sql<{ verifiedAt: Date; code: string; minor: number }>`
    select verified_at, currency_code as code, amount_minor::float8 as minor from payments`.execute(db);
  const plain = new Map<string, number>();
  for (const { verifiedAt, code, minor } of rows) {
    const [day] = lastDays(1, ZONE, verifiedAt);
    if (day! >= '2026-03-04') plain.set(`${day} ${code}`, (plain.get(`${day} ${code}`) ?? 0) + minor);
  }
  assert.equal(plain.size, 3);
  assert.deepEqual(new Map(days.map(({ day, code, minor }) => [`${day} ${code}`, minor])), plain);
});

test('visits and clicks are the kept days from the first that is asked for, and no other counts', async () => {
  await sql`insert into visit_days (day, kind, value, visits, visitors) values
    ('2026-03-03', 'all', '', 9, 9), ('2026-03-04', 'all', '', 5, 2), ('2026-03-04', 'country', 'IN', 5, 2)`.execute(
    db,
  );
  await sql`insert into click_spans (span, begins, clicks, addresses) values
    ('day', '2026-03-03', 9, 9), ('day', '2026-03-05', 4, 3), ('week', '2026-03-09', 7, 7)`.execute(db);
  assert.deepEqual(await listVisitsByDay(db, '2026-03-04'), [{ day: '2026-03-04', count: 5, people: 2 }]);
  assert.deepEqual(await listClicksByDay(db, '2026-03-04'), [{ day: '2026-03-05', count: 4, people: 3 }]);
});
