import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { adminStats, readAdminStats } from '#app/domain/operations/stats.ts';
import { listEarnings } from '#app/domain/payments/ledger/revenue.ts';
import { REJECT_REASON_MAX, REJECT_REASONS } from '#app/domain/payments/limits.ts';
import {
  findDecision,
  listPendingPayments,
  listSubscriptions,
  SubscriptionsQuery,
} from '#app/domain/payments/review/list-pending.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { RejectForm } from '#app/domain/payments/schema.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { countPublished } from '#app/domain/posts/counts/published-totals.ts';
import { presentFigures } from '#app/routes/admin/overview/present-stats.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const day = (date: string) => new Date(`${date}T10:00:00Z`);

test('each month of each currency is told with what the promotion and credits took off, and adds up', async () => {
  const fresh = await testDatabase();
  assert.ok((await listEarnings(fresh.db, 'UTC')).every(({ month, count }) => month === null && count === 0));
  const [one, two] = [await makeUser(fresh.db), await makeUser(fresh.db)];
  await makePlan(fresh.db, one, 3, day('2026-04-01'));
  await makePlan(fresh.db, one, 4, day('2026-04-01'), { upgradeType: 'immediate' });
  await makePlan(fresh.db, two, 1, new Date('2026-04-30T20:00:00Z'), { currencyCode: 'INR' });
  await makePayment(fresh.db, two, 5, day('2026-05-02'), { upgradeType: 'next_billing' });
  const earned = await listEarnings(fresh.db, 'Asia/Kolkata');
  const told = earned.map((row) => Object.values(row));
  assert.deepEqual(
    told.filter((row) => row[1] !== null),
    [
      ['USD', '2026-04', 2, 3900 + 6900, 1950, 1950, 1950 + 4950],
      // 1:30 on May 1 where the reader is.
      ['INR', '2026-05', 1, 49900, 24950, 0, 24950],
    ],
  );
  assert.deepEqual(
    earned.filter(({ month }) => month === null).map(({ currencyCode }) => currencyCode),
    ['EUR', 'GBP', 'AED'],
  );
  for (const { fullMinor, promoMinor, creditMinor, paidMinor } of earned)
    assert.equal(fullMinor - promoMinor - creditMinor, paidMinor);
});

test('the figures count accounts, plans that run, what waits, and posts as their users do', async () => {
  const fresh = await testDatabase();
  const none = { totalUsers: 0, adminCount: 0, activeSubscriptions: 0, pendingPayments: 0 };
  assert.deepEqual(await readAdminStats(fresh.db), { ...none, totalPosts: 0, publishedPosts: 0 });
  const [runs, ended, waits] = [await makeUser(fresh.db), await makeUser(fresh.db), await makeUser(fresh.db)];
  await makePlan(fresh.db, runs, 1);
  await makePlan(fresh.db, ended, 1, day('2026-01-01'));
  await makePayment(fresh.db, waits, 2);
  for (const status of ['published', 'generated'] as const) {
    const id = await makeScheduledPost(fresh.db, runs, { dueAt: new Date(Date.now() + 86_400_000) });
    if (status === 'published') await standAs(fresh.db, id, { status, postedAt: new Date() });
  }
  const stats = await readAdminStats(fresh.db);
  // Each plan was verified by an admin of its own.
  assert.deepEqual(stats, {
    totalUsers: 5,
    adminCount: 2,
    activeSubscriptions: 1,
    pendingPayments: 1,
    totalPosts: 2,
    publishedPosts: 1,
  });
});

test('the figures read what is kept of posts, and no table of them from end to end', async () => {
  const fresh = await testDatabase();
  for (let nth = 0; nth < 20; nth += 1) await makeUser(fresh.db);
  const each = 3_000;
  await sql`with added as (
      insert into posts (user_id, content, created_at)
      select users.id, 'Planning.', now() - n * interval '1 hour' from users, generate_series(1, ${each}::int) n
      returning id, user_id, created_at)
    insert into post_schedules (post_id, user_id, status, posted_at, failed_at)
    select id, user_id, case when created_at::text like '%5' then 'failed' else 'published' end, created_at, created_at
    from added`.execute(fresh.db);
  const { db } = fresh;
  const drafts = sql`update post_schedules set deleted_at = now() where post_id in (select id from posts limit 7)`;
  await drafts.execute(db);
  await reconcileCounts(db);
  await sql`analyze posts, post_schedules, post_counts, users`.execute(db);
  const { totalPosts, publishedPosts } = await readAdminStats(db);
  const { rows } = await sql<{ all: number; out: number }>`
    select count(*)::int as all, (count(*) filter (where status = 'published'))::int as out
    from post_schedules where deleted_at is null`.execute(db);
  assert.deepEqual({ all: totalPosts, out: publishedPosts }, rows[0]);
  assert.equal(totalPosts, each * 20 - 7);
  const plan = await sql<{
    'QUERY PLAN': string;
  }>`explain (analyze, buffers) ${adminStats(new Date())}`.execute(db);
  const lines = plan.rows.map((row) => row['QUERY PLAN']);
  assert.deepEqual(
    lines.filter((line) => /Seq Scan on (?:posts|post_schedules)/.test(line)),
    [],
    lines.join('\n'),
  );
});

test('of many accounts posts are those that the worker counted last, with when that was', async () => {
  const { db } = await testDatabase();
  const author = await makeUser(db);
  await makeScheduledPost(db, author, { dueAt: new Date(Date.now() + 86_400_000) });
  const countedAt = new Date('2026-03-01T10:00:00Z');
  await countPublished(db, countedAt);
  await makeScheduledPost(db, author, { dueAt: new Date(Date.now() + 2 * 86_400_000) });
  const read = async () => {
    const { totalUsers, totalPosts, countedAt: at } = await readAdminStats(db);
    return [totalUsers, totalPosts, at];
  };
  await sql`insert into users (email, name) select 'p' || n || '@example.com', 'P' from generate_series(2, 2000) n`.execute(
    db,
  );
  assert.deepEqual(await read(), [2_000, 2, undefined]);
  await makeUser(db);
  assert.deepEqual(await read(), [2_001, 1, countedAt]);
  // Not counted yet: about as many as the database believes, and none were counted for it.
  await sql`analyze post_schedules`.execute(db);
  const published = async () => (await readAdminStats(db)).publishedPosts;
  await sql`update published_totals set written = null`.execute(db);
  assert.deepEqual([await read(), await published()], [[2_001, 2, null], 0]);
  await sql`delete from published_totals`.execute(db);
  await makeScheduledPost(db, author, { dueAt: new Date(Date.now() + 3 * 86_400_000) });
  assert.deepEqual([await read(), await published()], [[2_001, 2, null], 0]);
  assert.deepEqual(presentFigures(await readAdminStats(db), 'UTC').posts, {
    value: '–',
    detail: 'Not counted yet',
  });
});

test('plans are found by currency and by how many posts a day they have, and no sign of a search is an error', async () => {
  const payer = await makeUser(db);
  await makePlan(db, payer, 2, day('2026-04-01'), { currencyCode: 'EUR' });
  const found = async (query: object) =>
    (await listSubscriptions(db, SubscriptionsQuery.parse({ q: payer.email, ...query }))).rows.length;
  assert.deepEqual([await found({ currencyCode: 'EUR' }), await found({ currencyCode: 'USD' })], [1, 0]);
  assert.deepEqual([await found({ postsPerDay: '2' }), await found({ postsPerDay: 3 })], [1, 0]);
  assert.deepEqual([await found({ currencyCode: 'EUR', postsPerDay: 3 })], [0]);
  for (const wrong of [{ currencyCode: 'eur' }, { postsPerDay: '0' }, { postsPerDay: '6' }, { q: 'a\0b' }])
    assert.equal(SubscriptionsQuery.safeParse(wrong).success, false, JSON.stringify(wrong));
});

test('an admin reads who decided about a payment, and what was credited to one that waits', async () => {
  const [payer, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true, name: 'Ines Okafor' })];
  const first = await makePayment(db, payer, 2, day('2026-04-01'));
  assert.equal(await findDecision(db, first.id), undefined);
  await rejectPayment(db, admin, { paymentId: first.id, reason: 'Not there.' }, day('2026-04-02'));
  const rejected = await findDecision(db, first.id);
  assert.deepEqual(
    [rejected!.by, rejected!.rejectReason, rejected!.verifiedAt],
    ['Ines Okafor', 'Not there.', null],
  );
  const { id } = await makePayment(db, payer, 2, day('2026-04-03'));
  await verifyPayment(db, admin, id, day('2026-04-03'));
  assert.deepEqual(
    [(await findDecision(db, id))!.by, await findDecision(db, 'nothing')],
    ['Ines Okafor', undefined],
  );
  const upgrade = await makePayment(db, payer, 3, day('2026-04-18'), { upgradeType: 'immediate' });
  const { rows } = await listPendingPayments(db, PageQuery.parse({}), day('2026-04-18'));
  assert.equal(rows.find((row) => row.id === upgrade.id)!.creditMinor, 475);
});

test('a payment is turned down in words of the list, in one’s own, or both, as long as they fit', () => {
  const reasonOf = (input: object) => RejectForm.safeParse(input).data?.reason;
  assert.equal(reasonOf({ usual: 'amount' }), REJECT_REASONS.amount);
  assert.equal(reasonOf({ reason: ' By <b>cash</b>? ' }), 'By <b>cash</b>?');
  assert.equal(
    reasonOf({ usual: 'unknown', reason: 'Look again.' }),
    `${REJECT_REASONS.unknown} Look again.`,
  );
  const long = 'a'.repeat(REJECT_REASON_MAX);
  assert.equal(reasonOf({ reason: long }), long);
  for (const wrong of [{}, { reason: ' \u200b ' }, { usual: 'toString' }, { usual: 'amount', reason: long }])
    assert.equal(RejectForm.safeParse(wrong).success, false, JSON.stringify(wrong).slice(0, 60));
});
