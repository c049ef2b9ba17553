import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { listAuditAdmins, listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { lastDays } from '#app/domain/automation/slots.ts';
import {
  listClicksByDay,
  listPublishedByDay,
  listReceivedByDay,
  listSignUpsByDay,
  listVisitsByDay,
} from '#app/domain/operations/daily-figures.ts';
import { listDeadJobs } from '#app/domain/operations/dead-jobs.ts';
import { readOperations } from '#app/domain/operations/readings.ts';
import { readAdminStats } from '#app/domain/operations/stats.ts';
import { listUsers } from '#app/domain/operations/users.ts';
import {
  listDue,
  listJobs,
  listUnconfirmed,
  listUnknown,
  listUnsentMails,
} from '#app/domain/operations/waiting-lists.ts';
import { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { listEarnings, listRevenue } from '#app/domain/payments/ledger/revenue.ts';
import {
  listPendingPayments,
  listSubscriptions,
  SubscriptionsQuery,
} from '#app/domain/payments/review/list-pending.ts';
import { listTakenOff } from '#app/domain/posts/landing/exclusions.ts';
import { listTopPosts } from '#app/domain/posts/landing/top-posts.ts';
import { listPosts } from '#app/domain/posts/lists/list.ts';
import { countDays } from '#app/domain/publishing/daily-stats.ts';
import { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import { readVisitSummary } from '#app/domain/visits/visit-analytics.ts';
import { readVisitsOf, VISIT_SPANS } from '#app/domain/visits/visit-summaries.ts';
import { listLatestRuns, listWriterDays, listWriterUsers } from '#app/domain/writing/usage.ts';
import { loadUser } from '#app/routes/admin/users/detail/load.ts';
import { addDeskRows } from '#bench/data/desk-rows.ts';
import { addVisits } from '#bench/data/many-visits.ts';
import { addPosts, addUsers } from '#bench/data/users.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { sources, textOf } from '#tests/project/architecture-imports.ts';

const USERS = 50_000;
/** EACH=1000 makes a million posts. */
const EACH = Number(process.env.EACH ?? 100);
/** So many pages may be looked at: a whole index is one that is gone through as well. */
const PAGES = 25_000;
const FEWER: Record<string, number> = {
  'what went out on each day': 1_000,
  'people without a plan': 2_000,
  'what was received': 2_000,
  'by month': 2_000,
  'what was received on each day': 2_000,
};
/** Of fewer rows a table is read as a whole sooner than by its index. */
const MANY = 4_000;
/** What counts all accounts looks at each of them once, so many pages at most, and at nothing else. */
const COUNTED: Record<string, string[]> = { figures: ['users'] };

// One connection, so that what it has scanned is known when it says so.
const { db } = await testDatabase(1);
let author: string;

before(async () => {
  await makeUser(db, { name: 'Needle Quagmire' });
  const admin = await makeUser(db, { isAdmin: true });
  await sql`insert into users (email, name, created_at)
    select 'person' || n || '@example.com', 'Person ' || md5(n::text), now() - n * interval '1 minute'
    from generate_series(1, ${USERS}::int) as n`.execute(db);
  const people = await addUsers(db, 5_000);
  author = people[0]!;
  await addPosts(db, people.slice(0, 600), EACH);
  await sql`insert into disabled_accounts (user_id, disabled_at, reason) values (${author}, now(), 'A test')`.execute(
    db,
  );
  await sql`insert into payments (user_id, reference, status, method, posts_per_day, currency_code, amount_minor,
      full_price_minor, transaction_id, verified_at, starts_at, ends_at, created_at, payer_name, payer_email)
    select id, 'TQ-' || n, case when at < now() - interval '30 days' then 'expired' else 'active' end, 'upi', 2, 'USD', 1900, 1900, 'TQBENCH' || n, at, at, at + interval '30 days', at, name, email
    from (select id, name, email, n, now() - n * interval '30 minutes' as at
      from (select *, row_number() over () as n from users where name like 'Person %') as numbered) as paid`.execute(
    db,
  );
  await addDeskRows(db, admin.userId);
  await addVisits(db, 100_000);
  await sql`update post_schedules set status = 'failed', failure = 'refused', failed_at = posted_at, posted_at = null,
    network_urn = null where post_id in (select post_id from post_schedules where status = 'published' limit 500)`.execute(
    db,
  );
  await sql`insert into post_counts (user_id) select id from users on conflict do nothing`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
});

let big: string[];

/** How often each big table was gone through as a whole so far. */
async function scans() {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; scans: string }>`
    select relname as name, seq_scan as scans from pg_stat_user_tables
    where relname = any(${big}::text[]) order by relname`.execute(db);
  return rows.map(({ name, scans: count }) => `${name} ${count}`);
}

/** How many pages of the big tables and their indexes were looked at so far. */
async function pages(): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as pages
    from pg_statio_user_tables where relname = any(${big}::text[])`.execute(db);
  return rows[0]!.pages;
}

const AUDIT = [
  { q: 'ended' },
  { since: new Date(Date.now() - 9_000_000_000) },
  { action: 'sessions.ended', before: '25000' },
];
const PLANS = [
  { q: 'quagmire' },
  { q: 'person99' },
  { status: 'active' },
  { status: 'expired' },
  { status: 'rejected' },
  { currencyCode: 'USD', postsPerDay: '2' },
];

/** What stands on the pages besides lists of people, by what reads it. */
function onPages(from: string): Record<string, () => Promise<{ rows: unknown[] }>> {
  const now = new Date();
  const all: Record<string, () => Promise<unknown>> = {
    figures: () => readAdminStats(db, now),
    'what was received': () => listRevenue(db),
    'by month': () => listEarnings(db, 'Asia/Kolkata'),
    'click sums': () => readClickSummary(db, now),
    'visit sums': () => readVisitSummary(db, now),
    ...Object.fromEntries(VISIT_SPANS.map((span) => [`visits, ${span}`, () => readVisitsOf(db, span, now)])),
    'visits of each day': () => listVisitsByDay(db, from),
    'clicks of each day': () => listClicksByDay(db, from),
    ...Object.fromEntries(AUDIT.map((asked, nth) => [`audit log, ${nth}`, () => listAuditLog(db, asked)])),
    ...Object.fromEntries(
      PLANS.map((asked, nth) => [
        `plans, ${nth}`,
        () => listSubscriptions(db, SubscriptionsQuery.parse(asked)),
      ]),
    ),
    operations: () => readOperations(db, now),
    'days of the writer': () => listWriterDays(db, 30, now),
    'who asked the writer': () => listWriterUsers(db, now.toISOString().slice(0, 10), 10),
    runs: () => listLatestRuns(db, 12),
    'start page': () => listTopPosts(db),
    'taken off it': () => listTakenOff(db),
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, read]) => [name, async () => ({ rows: [await read()] })]),
  );
}

test('however many there are, no list of admins goes through all of them', async () => {
  const page = { limit: 50 };
  const actor = { userId: author, name: '', email: '', isAdmin: false, timeZone: 'UTC' };
  const [from] = lastDays(180, 'Asia/Kolkata', new Date()) as [string];
  const reads: Record<string, () => Promise<{ rows: unknown[] }>> = {
    people: () => listUsers(db, page),
    'later people': async () => {
      const { nextCursor } = await listUsers(db, page);
      return listUsers(db, { ...page, cursor: nextCursor! });
    },
    'people by a word': () => listUsers(db, { ...page, q: 'quagmire' }),
    'people by a word that all have': () => listUsers(db, { ...page, q: 'example' }),
    'people by two letters': () => listUsers(db, { ...page, q: 'qu' }),
    'people by their id': () => listUsers(db, { ...page, q: author }),
    'people with a plan': () => listUsers(db, { ...page, show: 'plan' }),
    'people without a plan': () => listUsers(db, { ...page, show: 'no_plan' }),
    admins: () => listUsers(db, { ...page, show: 'admins' }),
    'people whose account is disabled': () => listUsers(db, { ...page, show: 'disabled' }),
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
    'page of somebody': async () => ({ rows: [await loadUser(db, actor, { id: author }, new Date())] }),
    due: () => listDue(db, page),
    unknown: () => listUnknown(db, page),
    unconfirmed: () => listUnconfirmed(db, page),
    'mails that wait': () => listUnsentMails(db, page),
    jobs: () => listJobs(db, { lane: 'publishing' }, 50),
    'dead jobs': async () => ({ rows: await listDeadJobs(db, 50) }),
  };
  const tables = await sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and reltuples > ${MANY}`.execute(
    db,
  );
  big = tables.rows.map(({ name }) => name);
  for (const name of ['users', 'posts', 'post_schedules', 'payments', 'post_counts', 'visits', 'visit_days'])
    assert.ok(big.includes(name), `${name} ${big}`);
  assert.deepEqual(await scans(), await scans());
  await countDays(db, new Date());
  const gone: string[] = [];
  for (const [name, ask] of Object.entries({ ...reads, ...others, ...onPages(from) })) {
    const known = await scans();
    const looked = await pages();
    const begun = performance.now();
    const { rows } = await ask();
    const took = performance.now() - begun;
    const now = await scans();
    const seen = (await pages()) - looked;
    const may = COUNTED[name] ?? [];
    const read = now.filter((each) => !known.includes(each) && !may.includes(each.split(' ')[0]!));
    gone.push(...read.map((each) => `${name}: ${each}`));
    if (seen > (FEWER[name] ?? PAGES)) gone.push(`${name}: ${seen} pages`);
    if (!nothing.has(name)) assert.ok(rows.length > 0, name);
    if (process.env.EACH) console.log(`${name}: ${took.toFixed(1)} ms, ${seen} pages`);
  }
  assert.deepEqual(gone, []);
});

/** Where the lists of one feature alone are read at size. */
const ALSO = [
  'tests/support/feedback/size.domain.test.ts',
  'tests/support/size.domain.test.ts',
  'tests/admin/operations/readings.domain.test.ts',
  'tests/accounts/audit-search.domain.test.ts',
  'tests/payments/ledger/revenue.domain.test.ts',
];
/** What looks one thing up, or reads nothing that grows with the users. */
const FEW = [
  'readWriterLimits',
  'listAllCurrencies',
  'listOperatorFaults',
  'listLinkedInDays',
  'readTicket',
  'listSavedReplies',
];

test('every list that a page of admins reads is among those that are read at size', () => {
  const tests = sources.filter((file) => ['tests/admin/size.domain.test.ts', ...ALSO].includes(file));
  const read = tests.map(textOf).join('\n');
  const isKnown = (name: string, text: string) => new RegExp(`\\b${name}\\(`).test(text);
  const missing: string[] = [];
  for (const file of sources.filter((each) => each.startsWith('app/routes/admin/'))) {
    const text = textOf(file);
    if (isKnown('loadUser', text) && isKnown('loadUser', read)) continue;
    for (const [, names] of text.matchAll(/import \{([^}]*)\} from '#app\/domain/g))
      for (const [name] of names!.matchAll(/\b(?:list|read)[A-Z]\w*/g))
        if (!FEW.includes(name) && !isKnown(name, read)) missing.push(`${file}: ${name}`);
  }
  assert.deepEqual(missing, []);
});
