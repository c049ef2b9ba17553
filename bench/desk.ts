/**
 * How long the server takes for each tab and list of admins among 100,000 users, 10,000,000 posts and as many visits.
 * `DESK_USERS`, `DESK_POSTS` and `DESK_VISITS` choose other numbers; `DESK_GOAL_MS` another goal than 100 ms.
 */
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { proveCounts } from '#app/domain/posts/counts.ts';
import { countPublished } from '#app/domain/posts/published-totals.ts';
import { countDays } from '#app/domain/publishing/publishing-days.ts';
import { figure, ms, number, percentile, spread, title } from './figures.ts';
import { addVisits } from './many-visits.ts';
import { addPeople, addPosts, cookieOf, settle } from './people.ts';
import { measure, openProduct } from './product.ts';

const USERS = Number(process.env.DESK_USERS || 100_000);
const POSTS = Number(process.env.DESK_POSTS || 10_000_000);
const VISITS = Number(process.env.DESK_VISITS || 10_000_000);
const GOAL_MS = Number(process.env.DESK_GOAL_MS || 100);
const AT_ONCE = 1_000;
const TIMES = 20;
const LONGEST_MS = 120 * 60_000;

/** What people ask, are mailed and click, and what admins did, for each user; in the last half of a year. */
async function addTheRest(db: Db, adminId: string): Promise<void> {
  const ago = sql`now() - random() * interval '180 days'`;
  await sql`update users set created_at = ${ago} where role <> 'admin'`.execute(db);
  await sql`insert into support_tickets (user_id, name, email, category, subject, message, status, created_at, asked_at)
    select id, name, email, 'general', 'Times ' || left(id::text, 8), 'When do they go out?',
      (array['open', 'in_progress', 'resolved'])[1 + (random() * 2)::int], at, at
    from (select id, name, email, ${ago} as at from users) as person`.execute(db);
  await sql`insert into feedback (user_id, type, title, description, status, created_at)
    select id, 'bug', 'Wish ' || left(id::text, 8), 'Quiet hours', 'new', ${ago} from users`.execute(db);
  await sql`insert into mails (user_id, to_address, kind, created_at, sent_at)
    select id, email, 'planEnding', at, at from (select id, email, ${ago} as at from users) as person,
      generate_series(1, 3)`.execute(db);
  await sql`insert into email_clicks (address, user_id, campaign, page, device, browser, system, clicked_at, hour)
    select email, id, 'planEnding', '/app/payments', 'Desktop', 'Chrome', 'Windows', at, date_trunc('hour', at)
    from (select id, email, ${ago} as at from users) as person`.execute(db);
  await sql`insert into click_addresses (address, clicks, last_click_at)
    select address, count(*), max(clicked_at) from email_clicks group by address`.execute(db);
  await sql`insert into audit_log (admin_id, action, subject_id, detail, created_at)
    select ${adminId}, 'sessions.ended', id, '{}', now() - n * interval '2 minutes'
    from (select id, row_number() over () as n from users) as person order by n desc`.execute(db);
  await sql`update deliveries set was_due_at = posted_at - random() * interval '30 seconds'
    where posted_at > now() - interval '4 days' and status = 'published'`.execute(db);
}

/** Pages of admins by their addresses; `person` has as much as everybody. */
const pagesOf = (person: string): Record<string, string> => ({
  Overview: '/app/admin',
  'Trends, 90 days': '/app/admin/trends?days=90',
  Payments: '/app/admin?tab=payments',
  Email: '/app/admin?tab=email',
  Visits: '/app/admin?tab=visits',
  Users: '/app/admin?tab=users',
  'Users, searched': '/app/admin?tab=users&q=bench',
  'Users, with a plan': '/app/admin?tab=users&show=plan',
  'Users, without a plan': '/app/admin?tab=users&show=no_plan',
  'Users, one opened': `/app/admin?tab=users&user=${person}`,
  'A user': `/app/admin/users/${person}`,
  'A ledger': `/app/admin/ledgers/${person}`,
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

/** The times of one page after a first answer, which the figure says beside them. */
async function time(url: string, cookie: string) {
  const times: number[] = [];
  for (let n = 0; n <= TIMES; n += 1) {
    const begun = performance.now();
    const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    times.push(performance.now() - begun);
  }
  return { first: times[0]!, times: times.slice(1) };
}

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const people: string[] = [];
  while (people.length < USERS) {
    const added = await addPeople(db, Math.min(AT_ONCE, USERS - people.length));
    await addPosts(db, added, Math.ceil(POSTS / USERS));
    people.push(...added);
  }
  const admin = await sql<{ id: string }>`insert into users (email, name, role)
    values ('desk@bench.example', 'Desk', 'admin') returning id`.execute(db);
  const adminId = admin.rows[0]!.id;
  await addTheRest(db, adminId);
  await addVisits(db, VISITS);
  await settle(db);
  const now = new Date();
  await proveCounts(db, now);
  await countPublished(db, now);
  await countDays(db, now);
  const begun = performance.now();
  await countDays(db, now);
  const counted = performance.now() - begun;
  await settle(db);

  await startWeb();
  const cookie = await cookieOf(db, adminId);
  title(`The desk, ${number(USERS)} users, ${number(POSTS)} posts, ${number(VISITS)} visits`);
  figure('days counted by the worker', ms(counted), 'each hour');
  const slow: string[] = [];
  for (const [name, address] of Object.entries(pagesOf(people[7]!))) {
    const { first, times } = await time(app + address, cookie);
    if (percentile(times, 0.5) > GOAL_MS) slow.push(name);
    figure(name, spread(times), `goal ${ms(GOAL_MS)}; the first ${ms(first)}`);
  }
  figure('slower than that', slow.join(', ') || 'none');
}, LONGEST_MS);
