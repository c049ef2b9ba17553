/**
 * The cost of the tick's queries with 1,000,000 scheduled posts: when nothing is due, and when 500 posts are claimed; also
 * while another transaction holds a snapshot from before 200,000 publications.
 */
import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { SPREAD_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { findNextStart, lockDueBatch } from '#app/domain/publishing/send/claim.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const USERS = 10_000;
const SCHEDULED = 1_000_000;
const PUBLISHED = 200_000;
const DUE = 500;
const RUNS = { idle: 500, claims: 300 };

/** Adds `each` posts of each user after `at`. */
const schedule = (db: Db, userIds: string[], each: number, at: Date) =>
  sql`
    with added as (
      insert into posts (user_id, content, slot_date, slot_number, publish_at)
      select id, 'Waits ' || n, slot.at::date, n, slot.at
      from unnest(${userIds}::uuid[]) as person(id), generate_series(1, ${each}::int) as n,
        lateral (select ${at}::timestamptz + n * interval '11 minutes' as at) as slot
      returning id, user_id, publish_at
    )
    insert into post_schedules (post_id, user_id, due_at) select id, user_id, publish_at from added`.execute(
    db,
  );

async function timesOf(runs: number, query: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < runs) {
    const startedAt = performance.now();
    await query();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Claims due posts and rolls back, so that the next run finds the same posts. */
const claim = (db: Db, now: Date) =>
  transact(db, async (trx) => {
    const claimed = await lockDueBatch(trx, DUE, [], now);
    if (claimed.length !== DUE) throw new Error(`${claimed.length} of ${DUE} were found.`);
    throw new RolledBack();
  }).catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });

class RolledBack extends Error {}

async function measureTick(db: Db, name: string, due: Date) {
  const before = new Date(due.getTime() - 1_000);
  const idle = await timesOf(RUNS.idle, () => enqueueDuePosts(db, before));
  figure(`${name}: nothing is due`, spread(idle), 'G9: p99 at most 5 ms');
  const waits = await timesOf(RUNS.idle, () => findNextStart(db, due));
  figure(`${name}: who of ${DUE} is next in the minute`, spread(waits));
  const claims = await timesOf(RUNS.claims, () => claim(db, new Date(due.getTime() + SPREAD_MS)));
  figure(`${name}: ${DUE} are taken`, spread(claims), 'G9: at most 10 ms');
}

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const users = await addUsers(db, USERS);
  const due = new Date(Math.ceil(Date.now() / 60_000 + 60) * 60_000);
  const slot = new Date(due.getTime() - 11 * 60_000);
  await schedule(db, users.slice(0, DUE), 1, slot);
  await schedule(db, users, SCHEDULED / USERS, new Date(due.getTime() + 86_400_000));
  await vacuumAndCheckpoint(db);
  title(`The look at a queue of ${SCHEDULED.toLocaleString('en')} posts`);
  await measureTick(db, 'at rest', due);
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const reader = db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await sql`select count(*) from publish_attempts`.execute(trx);
      opened.resolve();
      await closed.promise;
    });
  await opened.promise;
  await sql`
    with published as (
      update post_schedules set due_at = null, status = 'published', posted_at = due_at,
        network_urn = 'urn:li:share:' || post_id
      where post_id in (
        select post_id from post_schedules where due_at > ${due} order by due_at limit ${PUBLISHED})
      returning post_id, user_id
    )
    insert into publish_attempts (post_id, user_id, author_urn, body, attempt, lease_token, state, resolved_at)
    select post_id, user_id, 'urn:li:person:x', 'x', 1, 1, 'published', now() from published`.execute(db);
  await measureTick(db, 'beside an open snapshot', due);
  closed.resolve();
  await reader;
}, 10 * 60_000);
