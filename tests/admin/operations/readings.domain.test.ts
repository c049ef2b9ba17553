import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import {
  deleteOldDeadJobs,
  discardJob,
  findDeadJob,
  listDeadJobs,
  retryJob,
} from '#app/domain/operations/dead-jobs.ts';
import { DEAD_JOB_RETENTION_DAYS } from '#app/domain/operations/limits.ts';
import { countedRows, readOperations } from '#app/domain/operations/readings.ts';
import {
  listDue,
  listJobs,
  listUnconfirmed,
  listUnknown,
  listUnsentMails,
} from '#app/domain/operations/waiting-lists.ts';
import { reportVersion } from '#app/domain/publishing/linkedin-alerts.ts';
import { stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { countCall, countTokens } from '#app/domain/writing/usage-limits.ts';
import { env } from '#app/env.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makeDeadJob } from '#tests/fixtures/dead-jobs.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

// All posts here are of one user, and go out as those of many would.
process.env.LATE_SPACING = '0';
const outside = await startOutside();
const { db } = await testDatabase();
const now = new Date();
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const isQuarrel = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

test('where nothing was done yet every number is nothing', async () => {
  const { due, unknown, unconfirmed, mails, dead, lanes, ticks, linkedIn, writer } = await readOperations(
    db,
    now,
  );
  assert.deepEqual([due, unknown, mails], Array(3).fill({ count: 0, oldest: null }));
  assert.deepEqual([unconfirmed, dead, writer.calls, linkedIn.posts, linkedIn.limit], [0, 0, 0, 0, null]);
  assert.deepEqual(
    lanes.map(({ lane, waiting, running, later }) => [lane, waiting, running, later]),
    [
      ['publishing', 0, 0, 0],
      ['writing', 0, 0, 0],
      ['upkeep', 0, 0, 0],
      ['webhooks', 0, 0, 0],
    ],
  );
  assert.ok(ticks.length >= 7 && ticks.every(({ last }) => last === null));
});

test('each number is that of the rows behind it, the oldest with its age', async () => {
  const actor = await makePublisher(db, outside.url);
  const made: string[] = [];
  for (const seconds of [400, 300, 200, -600])
    made.push(await makeScheduledPost(db, actor, { dueAt: ago(seconds) }));
  await standAs(db, made[0]!, { heldAt: now });
  await makeAttempt(db, actor, made[1]!, { state: 'unknown', startedAt: ago(90) });
  const asked = await makeScheduledPost(db, actor, { dueAt: ago(5) });
  await makeAttempt(db, actor, asked, { state: 'held', startedAt: ago(4_000), resolvedAt: now });
  await standAs(db, asked, { status: 'failed', isUnconfirmed: true, dueAt: null });
  await db.deleteFrom('mails').execute();
  await db
    .insertInto('mails')
    .values([
      { toAddress: 'late@example.com', kind: 'code', createdAt: ago(700) },
      { toAddress: 'sent@example.com', kind: 'code', createdAt: ago(900), sentAt: now },
      { toAddress: 'gone@example.com', kind: 'code', createdAt: ago(900), failedAt: now },
    ])
    .execute();
  await countCall(db, actor.userId);
  await countTokens(db, actor.userId, { model: 'm', inputTokens: 1_000, outputTokens: 200 });
  await reportVersion(db, env().LINKEDIN_VERSIONS[1]!, ago(60));
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await sql`select graphile_worker.add_job('send-mail', run_at => ${ago(120)}::timestamptz),
    graphile_worker.add_job('refit-queue', run_at => ${ago(-300)}::timestamptz),
    graphile_worker.add_job('publish-post', run_at => ${ago(30)}::timestamptz),
    graphile_worker.add_job('write-run', run_at => ${ago(30)}::timestamptz)`.execute(db);
  await sql`update graphile_worker._private_jobs set locked_at = ${ago(20)}, locked_by = 'w' where task_id =
    (select id from graphile_worker._private_tasks where identifier = 'write-run')`.execute(db);
  await makeDeadJob(db, 'send-mail', { mailId: actor.userId });
  await sql`insert into tick_times (name, last_at) values ('sweep', ${ago(75)})`.execute(db);

  const read = await readOperations(db, now);
  assert.deepEqual(read.due, { count: 2, oldest: ago(200) }, 'what is unknown is not sent again');
  assert.deepEqual(read.unknown, { count: 1, oldest: ago(90) });
  assert.equal(read.unconfirmed, 1);
  assert.deepEqual(read.mails, { count: 1, oldest: ago(700) });
  assert.deepEqual(
    read.lanes.map(({ waiting, running, later, oldest }) => [waiting, running, later, oldest]),
    [
      [1, 0, 0, ago(30)],
      [0, 1, 0, null],
      [1, 0, 1, ago(120)],
      [0, 0, 0, null],
    ],
  );
  assert.equal(read.dead, 1);
  assert.deepEqual(read.ticks.find(({ name }) => name === 'sweep')?.last, ago(75));
  assert.deepEqual([read.writer.calls, read.writer.inputTokens, read.writer.outputTokens], [1, 1_000, 200]);
  assert.deepEqual(
    read.linkedIn.versions.map(({ refusedSince }) => refusedSince),
    [null, ago(60), null],
  );
  assert.equal(read.isStopped, false);

  const people = { limit: 50 };
  const keys = async (rows: Promise<{ rows: { id: string }[] }>) => (await rows).rows.map(({ id }) => id);
  assert.deepEqual(await keys(listDue(db, people, now)), [made[1], made[2]]);
  assert.equal((await listUnknown(db, people)).rows.length, 1);
  assert.deepEqual(await keys(listUnconfirmed(db, people)), [asked]);
  assert.deepEqual(
    (await listUnsentMails(db, people)).rows.map(({ email }) => email),
    ['late@example.com'],
  );
  assert.deepEqual(
    (await listJobs(db, { lane: 'upkeep' }, 50, undefined, now)).rows.map(({ task, state }) => [task, state]),
    [
      ['send-mail', 'waiting'],
      ['refit-queue', 'later'],
    ],
  );

  await stopPublishing(db, await makeUser(db, { isAdmin: true }), { reason: 'We look', until: '' });
  const stopped = await readOperations(db, new Date());
  assert.equal(stopped.isStopped, true);
  assert.equal(stopped.due.oldest, null, 'nothing could go now');
});

test('every list goes on where its page ended', async () => {
  await db
    .insertInto('mails')
    .values(
      Array.from({ length: 5 }, (_, n) => ({
        toAddress: `${n}@example.com`,
        kind: 'code',
        createdAt: ago(60),
      })),
    )
    .execute();
  const all = (await listUnsentMails(db, { limit: 100 })).rows.map(({ id }) => id);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listUnsentMails(db, { limit: 2, cursor });
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  assert.deepEqual(seen, all);
  for (let n = 0; n < 3; n++) await makeDeadJob(db, 'send-mail', { mailId: `m${n}` });
  const [latest, ...others] = await listDeadJobs(db, 10);
  assert.deepEqual(await listDeadJobs(db, 10, latest!.id), others);
  for (let n = 0; n < 5; n++)
    await sql`select graphile_worker.add_job('send-mail', run_at => ${ago(60 - n)}::timestamptz)`.execute(db);
  const inLane = async (limit: number, after?: string) =>
    listJobs(db, { lane: 'upkeep' }, limit, after, new Date());
  const jobs = (await inLane(100)).rows.map(({ id }) => id);
  assert.ok(jobs.length >= 5);
  const gone: string[] = [];
  let after: string | undefined;
  do {
    const page = await inLane(2, after);
    assert.ok(page.rows.length > 0 && gone.length < jobs.length, 'each page goes on');
    gone.push(...page.rows.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after);
  assert.deepEqual(gone, jobs);
});

test('a dead job is begun again or given up once, and the log says by whom', async () => {
  const admin = await makeUser(db, { isAdmin: true, name: 'Ada' });
  const { userId } = await makeUser(db);
  const [first, second] = [
    await makeDeadJob(db, 'refit-queue', { userId }),
    await makeDeadJob(db, 'send-mail', { mailId: userId }),
  ];
  await Promise.allSettled([retryJob(db, admin, first), retryJob(db, admin, first)]);
  const { rows } = await sql<{ attempts: number; due: boolean }>`select attempts, run_at <= now() as due
    from graphile_worker.jobs where id = ${first}`.execute(db);
  assert.deepEqual(rows, [{ attempts: 0, due: true }]);
  await assert.rejects(retryJob(db, admin, first), isQuarrel('not_dead'));
  await assert.rejects(discardJob(db, admin, first), isQuarrel('not_dead'));
  assert.equal(await findDeadJob(db, first), undefined);
  assert.equal((await findDeadJob(db, second))?.task, 'send-mail');
  await discardJob(db, admin, second);
  for (const id of [second, '0', 'x', "1'; drop table users", '9'.repeat(30)])
    await assert.rejects(discardJob(db, admin, id), isQuarrel('not_dead'), id);
  const { entries } = await listAuditLog(db, { adminId: admin.userId });
  assert.deepEqual(
    entries.map(({ action, subjectId, detail }) => [action, subjectId, detail]),
    [
      ['job.discarded', userId, { job: 'send-mail', jobId: second, tries: 36 }],
      ['job.retried', userId, { job: 'refit-queue', jobId: first, tries: 10 }],
    ],
  );
});

test('a dead job waits so many days for an admin, and one that lives is left alone', async () => {
  const failedAgo = async (days: number, isAlive = false) => {
    const id = await makeDeadJob(db, 'send-mail', { mailId: randomUUID() });
    await sql`update graphile_worker._private_jobs set updated_at = ${ago(days * 86_400)},
      attempts = max_attempts - ${Number(isAlive)}::int where id = ${id}`.execute(db);
    return id;
  };
  const kept = [
    await failedAgo(DEAD_JOB_RETENTION_DAYS - 1),
    await failedAgo(DEAD_JOB_RETENTION_DAYS + 1, true),
  ];
  const gone = await failedAgo(DEAD_JOB_RETENTION_DAYS + 1);
  await deleteOldDeadJobs(db, now);
  const { rows } = await sql<{ id: string }>`select id::text as id from graphile_worker._private_jobs
    where id = any(${[...kept, gone]}::bigint[]) order by id`.execute(db);
  assert.deepEqual(
    rows.map(({ id }) => id),
    kept,
  );
});

const ROWS = 60_000;

test('however much there is, nothing of it is read as a whole', async () => {
  const { db: full } = await testDatabase(1);
  const { userId } = await makeUser(full);
  await sql`with added as (
      insert into posts (user_id, content, created_at)
      select ${userId}, 'Planning.', now() - n * interval '1 minute' from generate_series(1, ${ROWS}::int) n
      returning id, user_id, created_at),
    numbered as (select *, row_number() over () as n from added),
    stand as (insert into post_schedules (post_id, user_id, status, posted_at, due_at, is_unconfirmed)
      select id, user_id, case when n % 30 = 0 then 'generated' else 'published' end,
        case when n % 30 <> 0 then created_at end, case when n % 30 = 0 then created_at end, n % 1000 = 1
      from numbered returning post_id, user_id, due_at)
    insert into publish_attempts (post_id, user_id, attempt, author_urn, body, lease_token, started_at, state, resolved_at)
    select id, user_id, 1, 'urn:li:person:1', 'A text', 1, created_at,
      case when n % 1000 = 0 then 'unknown' else 'published' end, case when n % 1000 <> 0 then now() end
    from numbered`.execute(full);
  await sql`insert into mails (to_address, kind, created_at, sent_at)
    select n || '@example.com', 'code', now() - n * interval '1 minute', case when n % 100 <> 0 then now() end
    from generate_series(1, ${ROWS}::int) n`.execute(full);
  await sql`vacuum analyze posts, post_schedules, publish_attempts, mails`.execute(full);
  const scanned = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(full);
    const { rows } = await sql<{ name: string; scans: string }>`select relname as name, seq_scan as scans
      from pg_stat_user_tables where relname in ('posts', 'post_schedules', 'publish_attempts', 'mails')
      order by relname`.execute(full);
    return rows.map(({ name, scans }) => `${name} ${scans}`);
  };
  const page = { limit: 50 };
  const reads: Record<string, () => Promise<unknown>> = {
    numbers: () => readOperations(full, now),
    due: () => listDue(full, page, now),
    unknown: () => listUnknown(full, page),
    unconfirmed: () => listUnconfirmed(full, page),
    mails: () => listUnsentMails(full, page),
    'later mails': async () => {
      const { nextCursor } = await listUnsentMails(full, page);
      return listUnsentMails(full, { ...page, cursor: nextCursor! });
    },
    'later due': async () => {
      const { nextCursor } = await listDue(full, page, now);
      return listDue(full, { ...page, cursor: nextCursor! }, now);
    },
    'later unconfirmed': async () => {
      const { nextCursor } = await listUnconfirmed(full, page);
      return listUnconfirmed(full, { ...page, cursor: nextCursor! });
    },
  };
  for (const [name, read] of Object.entries(reads)) {
    const known = await scanned();
    await read();
    assert.deepEqual(await scanned(), known, name);
  }
  const plan = await sql<{ 'QUERY PLAN': string }>`explain ${countedRows(now)}`.execute(full);
  const lines = plan.rows.map((row) => row['QUERY PLAN']);
  assert.deepEqual(
    lines.filter((line) => /Seq Scan on (?:posts|post_schedules|publish_attempts|mails|users)/.test(line)),
    [],
    lines.join('\n'),
  );
  const read = await readOperations(full, now);
  assert.deepEqual(
    [read.due.count, read.unknown.count, read.unconfirmed, read.mails.count],
    [ROWS / 30, ROWS / 1000, ROWS / 1000, ROWS / 100],
  );
});
