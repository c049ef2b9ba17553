import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { listAuditAdmins, listAuditLog } from '#app/domain/audit.ts';
import {
  lastDays,
  listPublishedByDay,
  listReceivedByDay,
  listSignUpsByDay,
} from '#app/domain/day-numbers.ts';
import { listDeadJobs } from '#app/domain/operations/dead-jobs.ts';
import {
  listDue,
  listJobs,
  listUnconfirmed,
  listUnknown,
  listWaitingMails,
} from '#app/domain/operations/waiting-lists.ts';
import { listPendingPayments, listSubscriptions, SubscriptionsQuery } from '#app/domain/payments/desk.ts';
import { getLedger } from '#app/domain/payments/ledger.ts';
import { listPeople } from '#app/domain/people.ts';
import { listPosts } from '#app/domain/posts/posts.ts';
import { countDays } from '#app/domain/publishing/publishing-days.ts';
import { readClickAnalytics } from '#app/domain/visits/click-analytics.ts';
import { readPerson } from '#app/routes/admin/load-person.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { addDeskRows } from '../../bench/desk-rows.ts';
import { addPeople, addPosts } from '../../bench/people.ts';

const USERS = 100_000;
/** EACH=1000 makes a million posts. */
const EACH = Number(process.env.EACH ?? 100);
/** So many pages may be looked at: a whole index is one that is gone through as well. */
const PAGES = 25_000;
const FEWER: Record<string, number> = { 'what went out on each day': 1_000 };
const BIG = [
  ...[
    'users',
    'posts',
    'deliveries',
    'payments',
    'post_counts',
    'visits',
    'mails',
    'email_clicks',
    'audit_log',
  ],
  ...['click_addresses', 'support_tickets', 'feedback'],
];

// One connection, so that what it has scanned is known when it says so.
const { db } = await testDatabase(1);
let author: string;

before(async () => {
  await makeUser(db, { name: 'Needle Quagmire' });
  const admin = await makeUser(db, { isAdmin: true });
  await sql`insert into users (email, name, created_at)
    select 'person' || n || '@example.com', 'Person ' || md5(n::text), now() - n * interval '1 minute'
    from generate_series(1, ${USERS}::int) as n`.execute(db);
  const people = await addPeople(db, 5_000);
  author = people[0]!;
  await addPosts(db, people.slice(0, 1_000), EACH);
  await sql`insert into disabled_accounts (user_id, disabled_at, reason) values (${author}, now(), 'A test')`.execute(
    db,
  );
  await addDeskRows(db, admin.userId);
  await sql`insert into post_counts (user_id) select id from users on conflict do nothing`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
});

/** How often each big table was gone through as a whole so far. */
async function scans() {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; scans: string }>`
    select relname as name, seq_scan as scans from pg_stat_user_tables
    where relname = any(${BIG}::text[]) order by relname`.execute(db);
  return rows.map(({ name, scans: count }) => `${name} ${count}`);
}

/** How many pages of the big tables and their indexes were looked at so far. */
async function pages(): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as pages
    from pg_statio_user_tables where relname = any(${BIG}::text[])`.execute(db);
  return rows[0]!.pages;
}

test('however many there are, no list of admins goes through all of them', async () => {
  const page = { limit: 50 };
  const actor = { userId: author, name: '', email: '', isAdmin: false, timeZone: 'UTC' };
  const [from] = lastDays(180, 'Asia/Kolkata', new Date()) as [string];
  const reads: Record<string, () => Promise<{ rows: unknown[] }>> = {
    people: () => listPeople(db, page),
    'later people': async () => {
      const { nextCursor } = await listPeople(db, page);
      return listPeople(db, { ...page, cursor: nextCursor! });
    },
    'people by a word': () => listPeople(db, { ...page, q: 'quagmire' }),
    'people by a word that all have': () => listPeople(db, { ...page, q: 'example' }),
    'people by two letters': () => listPeople(db, { ...page, q: 'qu' }),
    'people by their id': () => listPeople(db, { ...page, q: author }),
    'people with a plan': () => listPeople(db, { ...page, show: 'plan' }),
    'people without a plan': () => listPeople(db, { ...page, show: 'no_plan' }),
    admins: () => listPeople(db, { ...page, show: 'admins' }),
    'people whose account is disabled': () => listPeople(db, { ...page, show: 'disabled' }),
    'posts of somebody': () => listPosts(db, actor, page),
    'payments that wait': () => listPendingPayments(db, page),
    subscriptions: () => listSubscriptions(db, SubscriptionsQuery.parse({})),
    'sign-ups of each day': async () => ({
      rows: await listSignUpsByDay(db, from, 'Asia/Kolkata', new Date()),
    }),
    'what went out on each day': async () => {
      await countDays(db, new Date());
      return { rows: await listPublishedByDay(db, from) };
    },
    'what was received on each day': async () => ({
      rows: await listReceivedByDay(db, from, 'Asia/Kolkata'),
    }),
  };
  const nothing = new Set([
    'payments that wait',
    'unknown',
    'unconfirmed',
    'mails that wait',
    'jobs',
    'dead jobs',
    'due',
  ]);
  const others: typeof reads = {
    'audit log': async () => ({ rows: (await listAuditLog(db)).entries }),
    'who is in the audit log': async () => ({ rows: await listAuditAdmins(db) }),
    clicks: async () => ({ rows: (await readClickAnalytics(db)).recentClicks }),
    'ledger of somebody': async () => ({ rows: [await getLedger(db, author)] }),
    'page of somebody': async () => ({ rows: [await readPerson(db, actor, { id: author }, new Date())] }),
    due: () => listDue(db, page),
    unknown: () => listUnknown(db, page),
    unconfirmed: () => listUnconfirmed(db, page),
    'mails that wait': () => listWaitingMails(db, page),
    jobs: () => listJobs(db, 'publishing', 50),
    'dead jobs': async () => ({ rows: await listDeadJobs(db, 50) }),
  };
  assert.deepEqual(await scans(), await scans());
  await countDays(db, new Date());
  const gone: string[] = [];
  for (const [name, read] of Object.entries({ ...reads, ...others })) {
    const known = await scans();
    const looked = await pages();
    const begun = performance.now();
    const { rows } = await read();
    const took = performance.now() - begun;
    const now = await scans();
    const seen = (await pages()) - looked;
    gone.push(...now.filter((each) => !known.includes(each)).map((each) => `${name}: ${each}`));
    if (seen > (FEWER[name] ?? PAGES)) gone.push(`${name}: ${seen} pages`);
    if (!nothing.has(name)) assert.ok(rows.length > 0, name);
    if (process.env.EACH) console.log(`${name}: ${took.toFixed(1)} ms, ${seen} pages`);
  }
  assert.deepEqual(gone, []);
});
