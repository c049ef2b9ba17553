import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { listReceivedByDay } from '#app/domain/operations/daily-figures.ts';
import { listUsers } from '#app/domain/operations/users.ts';
import { listEarnings, listRevenue } from '#app/domain/payments/ledger/revenue.ts';
import { countCovering, covers, planCovers } from '#app/domain/payments/predicates.ts';

/** Ahead of UTC and behind it, with quarters of an hour and with hours that come twice. */
const ZONES = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Kiritimati'];

/** The day on a clock, told by other means than those of the database. */
const dayOn = (at: Date, timeZone: string) => at.toLocaleDateString('sv-SE', { timeZone });

type Sums = Record<'count' | 'full' | 'credit' | 'paid', number>;

/** What was verified, as the payments themselves say it. */
async function readVerified(db: Db) {
  const rows = await db
    .selectFrom('payments')
    .leftJoin('paymentRequests as request', 'request.id', 'requestId')
    .select(['payments.currencyCode', 'payments.amountMinor', 'payments.fullPriceMinor', 'isProrated'])
    .select(['creditMinor', 'verifiedAt'])
    .where('verifiedAt', 'is not', null)
    .$narrowType<{ verifiedAt: Date }>()
    .execute();
  return rows.map(
    ({ currencyCode, amountMinor: paid, isProrated, fullPriceMinor, creditMinor, verifiedAt }) => ({
      currencyCode,
      verifiedAt,
      paid,
      count: 1,
      full: isProrated ? paid : fullPriceMinor,
      credit: isProrated ? 0 : (creditMinor ?? 0),
    }),
  );
}

function addUp(rows: Sums[]): Sums {
  const sumOf = (name: keyof Sums) => rows.reduce((sum, row) => sum + row[name], 0);
  return { count: rows.length, full: sumOf('full'), credit: sumOf('credit'), paid: sumOf('paid') };
}

/** What is kept of verified payments says the same as these, by month, by day and over all, on every clock. Answers how many there are. */
export async function checkEarnings(db: Db): Promise<number> {
  const verified = await readVerified(db);
  const sumsBy = (key: (row: (typeof verified)[number]) => string) =>
    new Map([...Map.groupBy(verified, key)].map(([name, rows]) => [name, addUp(rows)]));
  for (const zone of ZONES) {
    const months = (await listEarnings(db, zone)).filter(({ month }) => month !== null);
    const told = months.map(
      ({ currencyCode, month, count, fullMinor: full, creditMinor, paidMinor: paid, ...of }) => {
        assert.equal(full - of.promoMinor - creditMinor, paid);
        return [`${currencyCode} ${month}`, { count, full, credit: creditMinor, paid }] as const;
      },
    );
    const byMonth = (row: (typeof verified)[number]) =>
      `${row.currencyCode} ${dayOn(row.verifiedAt, zone).slice(0, 7)}`;
    assert.deepEqual(new Map(told), sumsBy(byMonth), zone);
    const days = (await listReceivedByDay(db, '2020-01-01', zone)).map(
      ({ code, day, minor }) => [`${code} ${day}`, minor] as const,
    );
    const plain = sumsBy((row) => `${row.currencyCode} ${dayOn(row.verifiedAt, zone)}`);
    assert.deepEqual(new Map(days), new Map([...plain].map(([key, { paid }]) => [key, paid])), zone);
  }
  const revenue = (await listRevenue(db)).filter(({ count }) => count > 0);
  const over = [...sumsBy(({ currencyCode }) => currencyCode)].map(([code, { count, paid }]) => [
    code,
    paid,
    count,
  ]);
  assert.deepEqual(
    revenue.map(({ currencyCode, totalMinor, count }) => [currencyCode, totalMinor, count]).sort(),
    over.sort(),
  );
  return verified.length;
}

async function listWithoutPlan(db: Db, now: Date): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { rows, nextCursor } = await listUsers(db, { limit: 40, show: 'no_plan', cursor }, now);
    ids.push(...rows.map(({ id }) => id));
    if (!nextCursor) return ids;
    cursor = nextCursor;
  }
}

/** Who has no plan at an instant, and how many plans run then, is what the payments themselves say. Answers how many run. */
export async function checkPlans(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from users where not ${planCovers('users.id', now)}
    order by created_at desc, id desc`.execute(db);
  assert.deepEqual(
    await listWithoutPlan(db, now),
    rows.map(({ id }) => id),
    now.toISOString(),
  );
  const counted = await sql<{ kept: number; plain: number }>`select ${countCovering(now)} as kept,
    (select count(*)::int from payments where ${covers('payments', now)}) as plain`.execute(db);
  const { kept, plain } = counted.rows[0]!;
  assert.equal(kept, plain, now.toISOString());
  return plain;
}
