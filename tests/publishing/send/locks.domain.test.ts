import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { beginConfirmation } from '#app/domain/publishing/outcome/confirm.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import { isSameDatabase } from '#app/domain/publishing/predicates.ts';
import { beatEpoch, readIdentity, releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { type Attempt, beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { lockPause } from '#app/domain/publishing/send/locks.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { tickPublishing } from '#app/domain/publishing/send/tick.ts';
import { refitQueue, saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { listOverdue } from '#app/domain/publishing/state/schedule.ts';
import { authorOf } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const later = (ms: number) => new Date(Date.now() + ms);

async function due(imageUrl?: string) {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000), imageUrl });
  return { actor, postId };
}

const attemptsAt = (postId: string) =>
  db.selectFrom('publishAttempts').select(['id', 'state']).where('postId', '=', postId).execute();

const leaseOf = async (postId: string) =>
  (
    await db
      .selectFrom('postSchedules')
      .select('leaseToken')
      .where('postId', '=', postId)
      .executeTakeFirstOrThrow()
  ).leaseToken;

type Wish = (trx: Trx) => Promise<unknown>;

async function wishDuringAttempt(postId: string, actor: Actor, wish: Wish) {
  const claim = (await claimPost(db, postId))!;
  const [known, author] = [await readIdentity(db), await authorOf(db, actor.userId)];
  return wishDuring(wish, () => beginAttempt(db, claim, author, known));
}

/** An attempt of which nobody knows what became, a minute old. */
async function unknown() {
  const { actor, postId } = await due();
  const known = await readIdentity(db);
  const author = await authorOf(db, actor.userId);
  const attempt = (await beginAttempt(db, (await claimPost(db, postId))!, author, known))!;
  await settle(db, attempt, { kind: 'unknown', message: 'reset', status: null });
  await db
    .updateTable('publishAttempts')
    .set({ startedAt: later(-60_000) })
    .where('id', '=', attempt.id)
    .execute();
  return { actor, resend: () => beginConfirmation(db, attempt, known) };
}

/** Writes a wish, lets the attempt run into it, and commits. */
async function wishDuring(wish: Wish, begin: () => Promise<Attempt | undefined>) {
  const { attempt } = await db.transaction().execute(async (trx) => {
    await wish(trx);
    const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    let isOver = false;
    const begun = begin().finally(() => {
      isOver = true;
    });
    await until('the attempt waits', async () => {
      if (isOver) return true;
      const { rows } = await sql`select from pg_stat_activity
        where ${own[0]!.pid}::int = any(pg_blocking_pids(pid))`.execute(db);
      return rows.length > 0;
    });
    return { attempt: begun };
  });
  return attempt;
}

test('a pause that is being saved while the attempt is written holds', async () => {
  const { actor, postId } = await due();
  const attempt = await wishDuringAttempt(postId, actor, async (trx) => {
    await lockUser(trx, actor.userId);
    await saveSettings(trx, actor, { enabled: false });
  });
  assert.equal(attempt, undefined);
  assert.deepEqual(await attemptsAt(postId), []);
});

test('a disconnection that is being saved while the attempt is written holds', async () => {
  const { actor, postId } = await due();
  const attempt = await wishDuringAttempt(postId, actor, (trx) => disconnect(trx, actor));
  assert.equal(attempt, undefined);
});

test('the publishing switch that is being turned while the attempt is written holds', async () => {
  const { actor, postId } = await due();
  const attempt = await wishDuringAttempt(postId, actor, async (trx) => {
    const other = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
    const claim = (await claimPost(db, other))!;
    const sent = (await beginAttempt(db, claim, await authorOf(db, claim.userId), await readIdentity(db)))!;
    const limit = { scope: 'app_day', retryAfterSeconds: null, status: 429 } as const;
    await settle(trx, sent, { kind: 'throttled', message: 'APPLICATION DAY', ...limit } as never);
  });
  await db.updateTable('publishingPause').set({ pausedUntil: null }).execute();
  assert.equal(attempt, undefined);
});

test('a pause that is being saved while a resend is written holds', async () => {
  const { actor, resend } = await unknown();
  const pause: Wish = async (trx) => {
    await lockUser(trx, actor.userId);
    await saveSettings(trx, actor, { enabled: false });
  };
  assert.equal(await wishDuring(pause, resend), undefined);
});

test('the publishing switch that is being turned while a resend is written holds', async () => {
  const { resend } = await unknown();
  const turn: Wish = async (trx) => {
    await lockPause(trx);
    await trx
      .updateTable('publishingPause')
      .set({ pausedUntil: later(60_000) })
      .execute();
  };
  const attempt = await wishDuring(turn, resend);
  await db.updateTable('publishingPause').set({ pausedUntil: null }).execute();
  assert.equal(attempt, undefined);
});

test('a post whose picture is changed in the minute of its slot goes out with the change, at once', async () => {
  const { actor, postId } = await due('https://images.example/old.png');
  const { memberId } = await db
    .selectFrom('linkedinConnections')
    .select('memberId')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('posts')
    .set({ imageUrn: 'urn:li:image:old', imageAuthorUrn: `urn:li:person:${memberId}` })
    .where('id', '=', postId)
    .execute();
  // The owner's change waits until the worker has claimed the post.
  await sql`create function change_picture() returns trigger language plpgsql as $$ begin
      update posts set image_url = null, image_urn = null, image_author_urn = null where id = new.post_id;
      return new;
    end $$`.execute(db);
  await sql`create trigger change_picture before update on post_schedules for each row
    when (new.lease_token is not null and old.lease_token is null) execute function change_picture()`.execute(
    db,
  );
  await publishPost(db, postId);
  await sql`drop trigger change_picture on post_schedules`.execute(db);
  assert.deepEqual(await attemptsAt(postId), []);
  assert.equal(await leaseOf(postId), null);
  await publishPost(db, postId, later(10_000));
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('an error after the claim leaves the post free for the next try', async () => {
  const { postId } = await due();
  await sql`alter table publish_attempts add constraint broken check (body = '') not valid`.execute(db);
  await assert.rejects(publishPost(db, postId));
  await sql`alter table publish_attempts drop constraint broken`.execute(db);
  assert.equal(await leaseOf(postId), null);
  // No sooner than in a minute: the error may be one that comes every time.
  await publishPost(db, postId, later(30_000));
  assert.deepEqual(await attemptsAt(postId), []);
  await publishPost(db, postId, later(70_000));
  assert.equal((await attemptsAt(postId))[0]!.state, 'published');
});

test('a post whose time has just come keeps its place when the queue is fitted', async () => {
  const { actor, postId } = await due();
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  await db
    .updateTable('automationSettings')
    .set({ publishTimes: [at.toISOString().slice(11, 16)] })
    .where('userId', '=', actor.userId)
    .execute();
  await db.updateTable('users').set({ timeZone: 'UTC' }).where('id', '=', actor.userId).execute();
  await db.updateTable('posts').set({ publishAt: at, slotNumber: 1 }).where('id', '=', postId).execute();
  await db.updateTable('postSchedules').set({ dueAt: at }).where('postId', '=', postId).execute();
  await refitQueue(db, actor.userId, new Date(at.getTime() + 30_000));
  assert.equal((await findPost(db, actor, postId)).publishAt!.getTime(), at.getTime());
});

test('nothing goes out of a database that lacks what was seen in it, until it is released', async () => {
  const { postId } = await due();
  assert.equal(await beatEpoch(db), true);
  assert.equal(await beatEpoch(db), true);
  await db.updateTable('publishingEpoch').set({ beat: '1' }).execute();
  await tickPublishing(db, new Date());
  await publishPost(db, postId);
  assert.deepEqual(await attemptsAt(postId), []);
  const told = () =>
    db.selectFrom('operatorAlerts').select('key').where('key', '=', 'database-epoch').execute();
  assert.equal((await told()).length, 1);
  await releaseEpoch(db);
  assert.equal(await beatEpoch(db), true);
  assert.deepEqual(await told(), []);
  await publishPost(db, postId, later(10_000));
  assert.equal((await attemptsAt(postId)).length, 1);
});

test('a managed server that keeps to itself which it is can be published from', async () => {
  const managed = await testDatabase();
  for (const name of ['pg_control_system', 'pg_current_wal_lsn']) {
    const returns = name === 'pg_control_system' ? 'table (system_identifier bigint)' : 'pg_lsn';
    await sql`create function public.${sql.raw(name)}() returns ${sql.raw(returns)} language plpgsql as $$ begin
      raise object_not_in_prerequisite_state using message = 'wal_level must be set to "logical"'; end $$`.execute(
      managed.db,
    );
  }
  await sql`alter function publishing_server() set search_path = public, pg_catalog`.execute(managed.db);
  await managed.db.updateTable('publishingEpoch').set({ server: sql`publishing_server()` }).execute();
  const { server } = await managed.db
    .selectFrom('publishingEpoch')
    .select('server')
    .executeTakeFirstOrThrow();
  assert.match(server, /^-\.\d+\.-$/);
});

/** In a database that was restored, for as long as nobody has looked. */
async function restored(work: () => Promise<void>) {
  assert.equal(await beatEpoch(db), true);
  assert.equal(await beatEpoch(db), true);
  await db.updateTable('publishingEpoch').set({ beat: '1' }).execute();
  assert.equal(await beatEpoch(db), false);
  try {
    await work();
  } finally {
    await releaseEpoch(db);
  }
}

test('a process that remembers nothing of what a restored database lacks publishes nothing either', () =>
  restored(async () => {
    const { rows } = await sql<{ server: string }>`select publishing_server() as server`.execute(db);
    const fresh = { server: rows[0]!.server, epoch: '0', beat: '0' };
    const row = await db.selectNoFrom(isSameDatabase(fresh).as('isSame')).executeTakeFirstOrThrow();
    assert.equal(row.isSame, false);
  }));

test('a process that has seen the database that took over publishes nothing from the one before', async () => {
  const seen = { server: 'took-over', epoch: `${Date.now() + 60_000}`, beat: '3' };
  const row = await db.selectNoFrom(isSameDatabase(seen).as('isSame')).executeTakeFirstOrThrow();
  assert.equal(row.isSame, false);
});

test('in a restored database no post is claimed, failed or moved that may be out', () =>
  restored(async () => {
    const { actor, postId } = await due();
    const byHand = await makeScheduledPost(db, actor, {});
    const longAgo = later(-5 * 3_600_000);
    await db
      .updateTable('postSchedules')
      .set({ dueAt: longAgo, heldAt: longAgo })
      .where('postId', '=', postId)
      .execute();
    await db
      .updateTable('postSchedules')
      .set({ dueAt: longAgo, isManual: true })
      .where('postId', '=', byHand)
      .execute();
    await publishPost(db, byHand);
    await refitQueue(db, actor.userId);
    const rows = await db
      .selectFrom('postSchedules')
      .select(['postId', 'dueAt', 'leaseToken'])
      .where('postId', 'in', [postId, byHand])
      .where('dueAt', '<', new Date())
      .execute();
    assert.deepEqual(rows.map((row) => row.postId).sort(), [postId, byHand].sort());
    assert.ok(rows.every((row) => row.leaseToken === null));
    assert.deepEqual(
      (await listOverdue(db, new Date())).filter(({ userId }) => userId === actor.userId).length,
      2,
    );
  }));

test('nothing goes out of a database on another server, nor after one took over', async () => {
  const { postId } = await due();
  for (const server of ['7000000000000000000.1.00000001', sql<string>`publishing_server() || '2'`]) {
    await db.updateTable('publishingEpoch').set({ server }).execute();
    assert.equal(await beatEpoch(db), false);
    await publishPost(db, postId, later(10_000));
    assert.deepEqual(await attemptsAt(postId), []);
    await releaseEpoch(db);
  }
});

test('a post whose owner is locked for long is given back soon, and keeps no connection from the others', async () => {
  const { actor, postId } = await due();
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, actor.userId);
    const begun = performance.now();
    await publishPost(db, postId);
    assert.ok(performance.now() - begun < 10_000);
    assert.deepEqual(await attemptsAt(postId), []);
    assert.equal(await leaseOf(postId), null);
  });
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
});

test('a post that is locked itself for long is offered again', async () => {
  const { actor, postId } = await due();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await db.transaction().execute(async (trx) => {
    await sql`select from posts where id = ${postId} for update`.execute(trx);
    await publishPost(db, postId);
  });
  const { rows } = await sql`select from graphile_worker.jobs where key = ${`publish:${postId}`}`.execute(db);
  assert.equal(rows.length, 1);
  await publishPost(db, postId);
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});
