import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { FREE_CALLS_A_DAY_MAX, FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { findFreePosts, freeAgainAt } from '#app/domain/writing/quota.ts';
import { countCall, countTokens } from '#app/domain/writing/usage-limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { SEED } from '#tests/harness/seed.ts';

const MOST = 40;
process.env.WRITER_CALLS_A_DAY = String(MOST);
const { db } = await testDatabase();

const totals = async (table: 'writer_calls' | 'writer_days') => {
  const of = sql.table(table);
  const { rows } = await sql<Record<string, number>>`select coalesce(sum(calls), 0)::int as calls,
    coalesce(sum(input_tokens), 0)::int as read, coalesce(sum(output_tokens), 0)::int as written from ${of}`.execute(
    db,
  );
  return rows[0]!;
};

test('with many at once no ceiling is passed, users come to what the day has, and the next day is open', async () => {
  const call = fc.record({
    of: fc.nat(3),
    read: fc.nat(5_000),
    written: fc.nat(900),
    isAnswered: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 30, maxLength: 70 }),
      fc.integer({ min: 0, max: FREE_CALLS_A_DAY_MAX }),
      async (calls, had) => {
        await sql`delete from writer_days`.execute(db);
        await sql`delete from writer_calls`.execute(db);
        const users: Actor[] = [];
        for (let nth = 0; nth < 4; nth += 1) users.push(await makeUser(db, {}));
        // One has had most of a day of their own on the day before.
        await sql`insert into writer_calls (user_id, day, calls) values (${users[0]!.userId}, (now() at time zone 'utc')::date - 1, ${had})`.execute(
          db,
        );
        await sql`insert into writer_days (day, calls) values ((now() at time zone 'utc')::date - 1, ${had})`.execute(
          db,
        );
        const made = await Promise.allSettled(
          calls.map(async ({ of, read, written, isAnswered }) => {
            await countCall(db, users[of]!.userId);
            const answer = { model: 'm', inputTokens: read, outputTokens: written };
            if (isAnswered) await countTokens(db, users[of]!.userId, answer);
          }),
        );
        const taken = made.filter(({ status }) => status === 'fulfilled').length;
        assert.equal(taken, Math.min(MOST, calls.length));
        assert.deepEqual(await totals('writer_calls'), await totals('writer_days'));
        assert.equal((await totals('writer_days')).calls, taken + had);
        await sql`update writer_days set day = day - 2`.execute(db);
        await sql`update writer_calls set day = day - 2`.execute(db);
        await countCall(db, users[0]!.userId);
      },
    ),
    { numRuns: 6, seed: SEED },
  );
});

const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Asuncion',
  'Europe/Paris',
];

test('free posts belong to the month of their user, to the minute, in every zone', async () => {
  const minutes = fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 });
  const months = fc.record({
    zone: fc.constantFrom(...ZONES),
    year: fc.integer({ min: 2026, max: 2029 }),
    month: fc.integer({ min: 1, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(
      months,
      minutes,
      fc.array(minutes, { maxLength: 6 }),
      async ({ zone, year, month }, now, runs) => {
        const start = Temporal.PlainDate.from({ year, month, day: 1 }).toZonedDateTime(zone);
        const at = (minute: number) => start.add({ minutes: minute });
        const dateOf = (minute: number) => new Date(at(minute).epochMilliseconds);
        const past = runs.filter((minute) => minute <= now);
        const actor = await makeUser(db, { timeZone: zone });
        const run = { userId: actor.userId, requested: 1, done: 1, status: 'complete' as const };
        for (const minute of past)
          await db
            .insertInto('generationRuns')
            .values({ ...run, createdAt: dateOf(minute) })
            .execute();
        const monthOf = (minute: number) => at(minute).toPlainDate().toPlainYearMonth().toString();
        const own = past.filter((minute) => monthOf(minute) === monthOf(now)).length;
        const { left } = await findFreePosts(db, actor, dateOf(now));
        assert.equal(left, Math.max(0, FREE_POSTS_A_MONTH - own));
        const again = Temporal.Instant.fromEpochMilliseconds(
          freeAgainAt(dateOf(now), zone).getTime(),
        ).toZonedDateTimeISO(zone);
        const next = at(now).toPlainDate().toPlainYearMonth().add({ months: 1 });
        assert.equal(again.toPlainDate().toPlainYearMonth().toString(), next.toString());
        assert.equal(again.subtract({ seconds: 1 }).month, at(now).month);
      },
    ),
    { numRuns: 60, seed: SEED },
  );
});
