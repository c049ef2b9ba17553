/** What becomes of publishing while the clocks are set, by the hour or by the day, and set right again. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { ticks } from '#app/domain/platform/jobs.ts';
import { addLateTicks, recordTickStart } from '#app/domain/platform/tick-times.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { beginConfirmation } from '#app/domain/publishing/outcome/confirm.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import { handToOwners } from '#app/domain/publishing/safety/after-restore.ts';
import { recordClock } from '#app/domain/publishing/safety/clock-jump.ts';
import { checkClock } from '#app/domain/publishing/safety/clock-skew.ts';
import { beatEpoch, readIdentity, releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { nextUtcMidnight, pauseForAppLimit } from '#app/domain/publishing/safety/pause.ts';
import { isClockSound } from '#app/domain/publishing/safety/ready.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import {
  holdPost,
  listOverdue,
  postponeUntil,
  retryAt,
  takeLease,
} from '#app/domain/publishing/state/schedule.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import { authorOf } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';
import { watchClock } from '#worker/lanes.ts';

const outside = await startOutside();
const HOUR = 3_600;
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);

const RightDate = Date;
/** The clock of this process is off by so many seconds from now on, and goes on. */
function shiftDate(seconds: number) {
  const now = () => RightDate.now() + seconds * 1_000;
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, args, own) => Reflect.construct(target, args.length ? args : [now()], own),
    get: (target, key, own) => (key === 'now' ? now : Reflect.get(target, key, own)),
  });
}

/**
 * A database whose clock is off by as many seconds as `set` says, and this process's with it unless it stays; a
 * step back and the seconds that pass afterwards are one number.
 */
async function withClocks(t: TestContext) {
  const { pool, ownerUrl } = await testDatabase();
  const database = new URL(ownerUrl).pathname.slice(1);
  await pool.query(`create schema wrong; create table wrong.clock (seconds float8);
    insert into wrong.clock values (0);
    create function wrong.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + (select seconds from wrong.clock) * interval ''1 second''';
    grant usage on schema wrong to public;
    grant select on wrong.clock to public;
    alter database "${database}" set search_path = wrong, pg_catalog, public`);
  const { db } = createDatabase(ownerUrl, 5);
  t.after(() => db.destroy());
  t.after(() => shiftDate(0));
  let off = 0;
  const set = async (seconds: number, { isOursToo = true } = {}) => {
    off = seconds;
    shiftDate(0);
    await pool.query('update wrong.clock set seconds = $1', [seconds]);
    if (isOursToo) shiftDate(seconds);
  };
  const steady = performance.now.bind(performance);
  let passed = 0;
  t.mock.method(performance, 'now', () => steady() + passed);
  /** Lets time pass, which the clock of this process that nobody sets shows as well. */
  const pass = async (seconds: number) => {
    passed += seconds * 1_000;
    await set(off + seconds);
  };
  const sweep = async () => sweepAttempts(db, await databaseTime(db));
  return { db, pool, set, pass, sweep };
}

const publisher = (db: Db) => makePublisher(db, outside.url);

async function claimed(db: Db, actor: Actor) {
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1) });
  const claim = (await claimPost(db, postId))!;
  const begin = async () => beginAttempt(db, claim, await authorOf(db, actor.userId), await readIdentity(db));
  const statusOf = async () => {
    const { status, isUnconfirmed } = await findPost(db, actor, postId);
    return { status, isUnconfirmed };
  };
  return { postId, begin, statusOf };
}

/** A post of which LinkedIn did not say what became; `resend` writes the attempt that finds out. */
async function unknown(db: Db, by?: Actor) {
  const actor = by ?? (await publisher(db));
  const { postId, begin, statusOf } = await claimed(db, actor);
  const publication = (await begin())!;
  await settle(db, publication, { kind: 'unknown', message: 'reset', status: null });
  const resend = async () =>
    beginConfirmation(db, { id: publication.id, userId: actor.userId, postId }, await readIdentity(db));
  return { resend, statusOf };
}

async function sentByHand(db: Db, at?: Date) {
  const actor = await publisher(db);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(24 * HOUR) });
  await publishNow(db, actor, postId, undefined, at);
  return { actor, postId };
}

const faultsOf = async (db: Db) =>
  (await db.selectFrom('operatorAlerts').select('key').execute()).map(({ key }) => key);

const HANDED_OVER = { status: 'failed', isUnconfirmed: true };

test('clocks that all are set back are noticed without a tick', async (t) => {
  const { db, set, pass } = await withClocks(t);
  await beatEpoch(db);
  const { resend } = await unknown(db);
  t.after(watchClock(db, 50));
  await set(-11 * 60);
  await until('the fault is told', async () => (await faultsOf(db)).includes('clock-set-back'));
  await pass(11 * 60 + 40);
  assert.equal(await resend(), undefined);
});

test('what was under way when the clock was set back is not resent after it has caught up', async (t) => {
  const { db, set, sweep } = await withClocks(t);
  await beatEpoch(db);
  const { resend, statusOf } = await unknown(db);
  await set(-11 * 60);
  await sweep();
  assert.deepEqual(await faultsOf(db), ['clock-set-back']);
  assert.equal(await resend(), undefined);
  assert.equal((await statusOf()).status, 'generated', 'by this clock nobody is told anything');
  await set(40);
  assert.equal(await resend(), undefined, 'the first call was made 11:40 minutes ago');
  await sweep();
  assert.deepEqual([await faultsOf(db), await statusOf()], [[], HANDED_OVER]);
});

test('what is under way after the clock has caught up is resent as ever', async (t) => {
  const { db, set, sweep } = await withClocks(t);
  const actor = await publisher(db);
  await beatEpoch(db);
  await set(-11 * 60);
  await sweep();
  await set(40);
  const { resend } = await unknown(db, actor);
  await set(100);
  assert.ok(await resend());
});

/** A call of a post that is under way, and a process that has watched the clocks since a minute before it. */
async function calling(t: TestContext, { isWatched = true } = {}) {
  const clocks = await withClocks(t);
  const { db } = clocks;
  const actor = await publisher(db);
  if (isWatched) {
    await clocks.set(-61);
    await recordClock(db);
    await clocks.pass(61);
  }
  const { postId, begin, statusOf } = await claimed(db, actor);
  const publication = (await begin())!;
  const answer = (outcome: PostOutcome) => settle(db, publication, outcome);
  const resend = async () =>
    beginConfirmation(db, { id: publication.id, userId: actor.userId, postId }, await readIdentity(db));
  const seen = async () => {
    const { state } = await db
      .selectFrom('publishAttempts')
      .select('state')
      .where('id', '=', publication.id)
      .executeTakeFirstOrThrow();
    const mails = await db.selectFrom('mails').select('id').where('kind', '=', 'postUnconfirmed').execute();
    return [state, (await statusOf()).status, mails.length];
  };
  return { ...clocks, answer, resend, seen };
}

for (const minutes of [2, 11]) {
  test(`a call that is under way when all clocks are set ahead by ${minutes} minutes is not given up, and is made once`, async (t) => {
    const { set, sweep, answer, resend, seen } = await calling(t);
    await set(minutes * 60);
    await sweep();
    assert.equal(await resend(), undefined);
    assert.deepEqual(await seen(), ['sending', 'generated', 0]);
    await answer({ kind: 'published', urn: 'urn:li:share:9', status: 201 });
    assert.deepEqual(await seen(), ['published', 'published', 0]);
  });
}

test('what was under way when all clocks were set ahead is given up once a minute has passed, and resent', async (t) => {
  const { db, set, pass, sweep, resend, seen } = await calling(t);
  await set(120);
  await recordClock(db);
  await pass(61);
  await sweep();
  assert.deepEqual(await seen(), ['unknown', 'generated', 0]);
  assert.ok(await resend());
});

test('what LinkedIn left open is not resent early because all clocks were set ahead', async (t) => {
  const { db, set, pass, answer, resend } = await calling(t);
  await answer({ kind: 'unknown', message: 'reset', status: null });
  await set(120);
  assert.equal(await resend(), undefined);
  await recordClock(db);
  await pass(61);
  assert.ok(await resend());
});

test('a worker that began after all clocks were set ahead gives up no call in its first minute', async (t) => {
  const { db, set, pass, sweep, seen } = await calling(t, { isWatched: false });
  await set(120);
  await recordClock(db);
  await sweep();
  assert.deepEqual(await seen(), ['sending', 'generated', 0]);
  await pass(61);
  await sweep();
  assert.deepEqual(await seen(), ['unknown', 'generated', 0]);
});

test('a worker that began after all clocks were set ahead resends nothing in its first minute', async (t) => {
  const { db, set, pass, answer, resend } = await calling(t, { isWatched: false });
  await answer({ kind: 'unknown', message: 'reset', status: null });
  await set(120);
  await recordClock(db);
  assert.equal(await resend(), undefined);
  await pass(61);
  assert.ok(await resend());
});

test('a set-back is noticed that is smaller than the time since the last tick', async (t) => {
  const { db, set, pass, sweep } = await withClocks(t);
  await beatEpoch(db);
  const { resend } = await unknown(db);
  await pass(50);
  await checkClock(db);
  await set(15);
  await sweep();
  assert.deepEqual(await faultsOf(db), ['clock-set-back']);
  await set(60);
  assert.equal(await resend(), undefined);
});

test('what was under way when the clock was set back is handed over by the release, and not resent', async (t) => {
  const { db, set, sweep } = await withClocks(t);
  const { resend, statusOf } = await unknown(db);
  await beatEpoch(db);
  await set(-11 * 60);
  await sweep();
  await releaseEpoch(db);
  assert.deepEqual([await faultsOf(db), await statusOf()], [[], HANDED_OVER]);
  await set(40);
  assert.equal(await resend(), undefined);
});

test('after both clocks were a day ahead and the release publishing goes on, with resends', async (t) => {
  const { db, set, sweep } = await withClocks(t);
  const actor = await publisher(db);
  await set(24 * HOUR);
  await beatEpoch(db);
  const before = await unknown(db, actor);
  await set(0);
  await sweep();
  assert.deepEqual(await faultsOf(db), ['clock-set-back']);
  await releaseEpoch(db);
  assert.deepEqual(await before.statusOf(), HANDED_OVER);
  const after = await unknown(db);
  await set(60);
  assert.ok(await after.resend());
});

test('a resend that was under way at the release is given up, and its post handed over once', async (t) => {
  const { db, set } = await withClocks(t);
  const { resend, statusOf } = await unknown(db);
  await set(60);
  assert.ok(await resend());
  await releaseEpoch(db);
  assert.deepEqual(await statusOf(), HANDED_OVER);
  const open = await db.selectFrom('publishAttempts').select('id').where('resolvedAt', 'is', null).execute();
  const mails = await db.selectFrom('mails').select('id').where('kind', '=', 'postUnconfirmed').execute();
  assert.deepEqual([open.length, mails.length], [0, 1]);
});

test('publishing goes on at once after a jump of the clock of the database alone', async (t) => {
  const { db, set, sweep } = await withClocks(t);
  await set(HOUR, { isOursToo: false });
  await beatEpoch(db);
  await set(0);
  await sweep();
  assert.deepEqual(await faultsOf(db), []);
  assert.ok(await (await claimed(db, await publisher(db))).begin());
});

test('a tick is not late by a clock of the database alone that jumped, and is by both', async (t) => {
  const { db, set } = await withClocks(t);
  const { name } = ticks.sweepDaily;
  await recordTickStart(db, name, new Date());
  await set(48 * HOUR, { isOursToo: false });
  assert.deepEqual(await addLateTicks(db, 'upkeep'), []);
  await set(48 * HOUR);
  assert.deepEqual(await addLateTicks(db, 'upkeep'), [name]);
});

test('what is sent by hand while the clock is set back goes out when publishing goes on, and is shown so', async (t) => {
  const { db, set } = await withClocks(t);
  await beatEpoch(db);
  await set(-11 * 60);
  const { actor, postId } = await sentByHand(db);
  const { isNext, isPublishing, isStopped } = await findPost(db, actor, postId);
  assert.deepEqual(
    { isNext, isPublishing, isStopped },
    { isNext: true, isPublishing: false, isStopped: true },
  );
});

test('what is sent by hand while the database waits for its release goes out after it, however long that was', async () => {
  const { db } = await testDatabase();
  await db
    .updateTable('publishingEpoch')
    .set({ server: '', epoch: `${later(-9 * HOUR).getTime()}` })
    .execute();
  const { actor, postId } = await sentByHand(db, later(-4 * HOUR));
  assert.equal((await findPost(db, actor, postId)).isNext, true);
  await releaseEpoch(db);
  assert.ok(await claimPost(db, postId));
});

test('a release lets go on what was sent by hand, taken, held and put off while both clocks were a day ahead', async (t) => {
  const { db, set } = await withClocks(t);
  const actor = await publisher(db);
  const post = (seconds: number) => makeScheduledPost(db, actor, { dueAt: later(seconds) });
  const byHand = await post(48 * HOUR);
  const [leased, again, held] = [await post(-5), await post(-5), await post(-5)];
  await set(24 * HOUR);
  const now = await databaseTime(db);
  await publishNow(db, actor, byHand);
  await transact(db, async (trx) => {
    await takeLease(trx, { id: leased, userId: actor.userId }, now);
    await retryAt(trx, again, nextUtcMidnight(now));
    await holdPost(trx, held, now);
  });
  await pauseForAppLimit(db, nextUtcMidnight(now), 'LinkedIn said so.', now);
  // The queue goes by another function of the same clock.
  await sql`update graphile_worker._private_jobs set updated_at = updated_at + interval '1 day'`.execute(db);
  // Its worker was killed.
  await sql`update graphile_worker._private_jobs set locked_at = updated_at, locked_by = 'killed'
    where id = (select max(id) from graphile_worker._private_jobs where key like 'publish:%')`.execute(db);
  await set(0);
  await releaseEpoch(db);
  const { pausedUntil } = await db.selectFrom('publishingPause').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual(pausedUntil, nextUtcMidnight(new Date()));
  await db.updateTable('publishingPause').set({ pausedUntil: null }).execute();
  for (const id of [byHand, leased, again]) assert.ok(await claimPost(db, id));
  assert.ok((await readPost(db, held)).heldAt! <= (await databaseTime(db)));
  const { rows } = await sql<{ isDue: boolean }>`
    select run_at <= now() and locked_at is null as "isDue" from graphile_worker.jobs where key like 'publish:%'`.execute(
    db,
  );
  assert.deepEqual(rows, [{ isDue: true }, { isDue: true }]);
});

test('a release leaves what a worker has at the moment, and what LinkedIn has put off for the day', async () => {
  const { db } = await testDatabase();
  const actor = await publisher(db);
  const leased = await makeScheduledPost(db, actor, { dueAt: later(-5) });
  const putOff = await makeScheduledPost(db, actor, { dueAt: later(-5) });
  const claim = (await claimPost(db, leased))!;
  const midnight = nextUtcMidnight(new Date());
  await transact(db, (trx) => retryAt(trx, putOff, midnight));
  await releaseEpoch(db);
  assert.ok(await beginAttempt(db, claim, await authorOf(db, actor.userId), await readIdentity(db)));
  assert.deepEqual((await readPost(db, putOff)).notBefore, midnight);
});

test('a release lets go on what failed while the clock was ahead, and nothing that failed for good or before', async () => {
  const { db } = await testDatabase();
  const attempts = { retried: 1, dead: 30, failing: 10 };
  await sql`select graphile_worker.add_job(name, max_attempts => 30) from unnest(${Object.keys(attempts)}::text[]) name`.execute(
    db,
  );
  // The queue notes the failure in no other column. After ten of them it waits for six hours, after one for three seconds.
  await sql`update graphile_worker._private_jobs j set attempts = (${attempts}::jsonb ->> t.identifier)::int,
      run_at = now() + interval '6 hours', last_error = 'connect ECONNREFUSED'
    from graphile_worker._private_tasks t where t.id = j.task_id`.execute(db);
  await releaseEpoch(db);
  const { rows } = await sql<{ name: string; isDue: boolean }>`
    select task_identifier as name, run_at <= now() as "isDue" from graphile_worker.jobs order by 1`.execute(
    db,
  );
  assert.deepEqual(rows, [
    { name: 'dead', isDue: false },
    { name: 'failing', isDue: false },
    { name: 'retried', isDue: true },
  ]);
});

for (const minutes of [11, 24 * 60]) {
  test(`what was sent by hand by a clock ${minutes} minutes ahead is listed, and its owner asked`, async (t) => {
    const { db, set } = await withClocks(t);
    await set(minutes * 60);
    const { postId } = await sentByHand(db);
    await set(0);
    const now = await databaseTime(db);
    assert.deepEqual(
      (await listOverdue(db, now)).map((post) => post.postId),
      [postId],
    );
    assert.equal(await handToOwners(db, now), 1);
    await releaseEpoch(db);
    assert.equal(await claimPost(db, postId), undefined);
  });
}

test('what was sent by hand and waits until a time that LinkedIn has named is not overdue', async (t) => {
  const { db } = await withClocks(t);
  const { postId } = await sentByHand(db);
  const midnight = nextUtcMidnight(new Date());
  await transact(db, (trx) => postponeUntil(trx, postId, midnight));
  assert.deepEqual(await listOverdue(db, await databaseTime(db)), []);
});

test('what was sent by hand is asked for by nobody who releases, and waits on, when LinkedIn asked for a whole day', async (t) => {
  const { db } = await withClocks(t);
  const { postId } = await sentByHand(db);
  const claim = (await claimPost(db, postId))!;
  const publication = (await beginAttempt(
    db,
    claim,
    await authorOf(db, claim.userId),
    await readIdentity(db),
  ))!;
  await settle(db, publication, {
    kind: 'throttled',
    scope: 'short',
    retryAfterSeconds: 24 * HOUR,
    status: 429,
  });
  const { notBefore } = await readPost(db, postId);
  assert.ok(notBefore! > later(23.9 * HOUR));
  assert.equal(await handToOwners(db, await databaseTime(db)), 0);
  await releaseEpoch(db);
  assert.deepEqual((await readPost(db, postId)).notBefore, notBefore);
});

for (const scope of ['app_day', 'member_day'] as const) {
  test(`a late answer (${scope}) to a call by a clock a day ahead stops nothing past the next midnight`, async (t) => {
    const { db, set } = await withClocks(t);
    const actor = await publisher(db);
    await set(24 * HOUR);
    const { postId, begin } = await claimed(db, actor);
    const publication = (await begin())!;
    await set(0);
    await settle(db, publication, { kind: 'throttled', scope, retryAfterSeconds: null, status: 429 });
    const { pausedUntil } = await db.selectFrom('publishingPause').selectAll().executeTakeFirstOrThrow();
    const { notBefore } = await readPost(db, postId);
    const midnight = nextUtcMidnight(new Date());
    assert.deepEqual([pausedUntil, notBefore], [scope === 'app_day' ? midnight : null, midnight]);
  });
}

test('a wait for a connection is no step of the clock', async (t) => {
  const { workerUrl } = await testDatabase();
  const { db, pool } = createDatabase(workerUrl, 1);
  t.after(() => db.destroy());
  await recordClock(db);
  const busy = pool.query('select pg_sleep(3)');
  assert.equal(await isClockSound(db), true);
  await busy;
});

test('a look that had to wait for its connections is remembered all the same, as is a beat', async (t) => {
  const { workerUrl } = await testDatabase();
  const { db, pool } = createDatabase(workerUrl, 1);
  t.after(() => db.destroy());
  const beatAt = async () =>
    (await db.selectFrom('publishingEpoch').select('beatAt').executeTakeFirstOrThrow()).beatAt!;
  for (const look of [beatEpoch, checkClock]) {
    await beatEpoch(db);
    const first = await beatAt();
    const busy = async () => {
      for (const _ of [1, 2, 3]) await pool.query('select pg_sleep(2.3)');
    };
    await Promise.all([busy(), look(db)]);
    assert.ok((await beatAt()) > first, look.name);
  }
});

test('a jump of the clock of the database alone in the middle of a look is not remembered', async (t) => {
  const { db, pool, set, sweep } = await withClocks(t);
  const other = await pool.connect();
  await other.query('begin; lock table operator_alerts');
  const look = checkClock(db);
  await until('the look has compared the clocks', async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rowCount === 1;
  });
  await set(HOUR, { isOursToo: false });
  await other.query('commit');
  other.release();
  await look;
  await set(0);
  await sweep();
  assert.deepEqual(await faultsOf(db), []);
});
