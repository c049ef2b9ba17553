/**
 * The response time of each admin page with 100,000 users, 10,000,000 posts and 10,000,000 visits. `DESK_USERS`,
 * `DESK_POSTS` and `DESK_VISITS` set other numbers, and `DESK_GOAL_MS` another goal than 100 ms.
 */
import { sql } from 'kysely';
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { countPublished } from '#app/domain/posts/counts/published-totals.ts';
import { countDays } from '#app/domain/publishing/daily-stats.ts';
import { addDeskRows } from '#bench/data/desk-rows.ts';
import { addVisits } from '#bench/data/many-visits.ts';
import { addPosts, addUsers, cookieOf, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, ms, number, percentile, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const USERS = Number(process.env.DESK_USERS || 100_000);
const POSTS = Number(process.env.DESK_POSTS || 10_000_000);
const VISITS = Number(process.env.DESK_VISITS || 10_000_000);
const GOAL_MS = Number(process.env.DESK_GOAL_MS || 100);
const BATCH = 1_000;
const TIMES = 20;
const LONGEST_MS = 120 * 60_000;

/** The paths of admin pages by their names. */
const pagesOf = (userId: string): Record<string, string> => ({
  Overview: '/app/admin',
  'Trends, 90 days': '/app/admin/trends?days=90',
  Payments: '/app/admin?tab=payments',
  Email: '/app/admin?tab=email',
  Visits: '/app/admin?tab=visits',
  Users: '/app/admin?tab=users',
  'Users, searched': '/app/admin?tab=users&q=bench',
  'Users, with a plan': '/app/admin?tab=users&show=plan',
  'Users, without a plan': '/app/admin?tab=users&show=no_plan',
  'Users, one opened': `/app/admin?tab=users&user=${userId}`,
  'A user': `/app/admin/users/${userId}`,
  'A ledger': `/app/admin/ledgers/${userId}`,
  Plans: '/app/admin/subscriptions',
  Revenue: '/app/admin/revenue',
  Publishing: '/app/admin/publishing',
  Writing: '/app/admin/writing',
  'Start page': '/app/admin/start-page',
  Operations: '/app/admin/operations',
  ...Object.fromEntries(
    ['due', 'unknown', 'unconfirmed', 'mails', 'dead', 'jobs', 'linkedin'].map((list) => [
      `Operations, ${list}`,
      `/app/admin/operations/list?of=${list}`,
    ]),
  ),
  'Audit log': '/app/admin/audit',
  'Audit log, searched': '/app/admin/audit?q=ended',
  'Audit log, days': '/app/admin/audit?from=2026-01-01&to=2026-12-31',
  Support: '/app/admin/support-feedback',
  'Support, searched': '/app/admin/support-feedback?q=times',
  Feedback: '/app/admin/support-feedback?tab=feedback',
});

/** `first`: the response time of the first request, which is not part of `times`. */
async function time(url: string, cookie: string) {
  const times: number[] = [];
  for (let n = 0; n <= TIMES; n += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    times.push(performance.now() - startedAt);
  }
  return { first: times[0]!, times: times.slice(1) };
}

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const users: string[] = [];
  while (users.length < USERS) {
    const added = await addUsers(db, Math.min(BATCH, USERS - users.length));
    await addPosts(db, added, Math.ceil(POSTS / USERS));
    users.push(...added);
  }
  const admin = await sql<{ id: string }>`insert into users (email, name, role)
    values ('desk@bench.example', 'Desk', 'admin') returning id`.execute(db);
  const adminId = admin.rows[0]!.id;
  await addDeskRows(db, adminId);
  await addVisits(db, VISITS);
  await vacuumAndCheckpoint(db);
  const now = new Date();
  await reconcileCounts(db, now);
  await countPublished(db, now);
  await countDays(db, now);
  const startedAt = performance.now();
  await countDays(db, now);
  const countMs = performance.now() - startedAt;
  await vacuumAndCheckpoint(db);

  await startWeb();
  const cookie = await cookieOf(db, adminId);
  title(`The desk, ${number(USERS)} users, ${number(POSTS)} posts, ${number(VISITS)} visits`);
  figure('days counted by the worker', ms(countMs), 'each hour');
  const slow: string[] = [];
  for (const [name, address] of Object.entries(pagesOf(users[7]!))) {
    const { first, times } = await time(app + address, cookie);
    if (percentile(times, 0.5) > GOAL_MS) slow.push(name);
    figure(name, spread(times), `goal ${ms(GOAL_MS)}; the first ${ms(first)}`);
  }
  figure('slower than that', slow.join(', ') || 'none');
}, LONGEST_MS);
