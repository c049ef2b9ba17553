import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { createDatabase } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { sendBatch } from '#app/domain/publishing/send/batch-sender.ts';
import { lockPause } from '#app/domain/publishing/send/locks.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { lockPost } from '#app/domain/publishing/state/post-state.ts';
import {
  findQueued,
  makePublisher,
  makeScheduledPost,
  readPost,
  standAs,
  takeOut,
} from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const { db, workerUrl } = await testDatabase();
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const later = (ms: number) => new Date(Date.now() + ms);
const publisher = () => makePublisher(db, outside.url);

let counter = 0;
type Due = { id: string; marker: string };

async function due(actor: Actor, options: { imageUrl?: string; dueAt?: Date } = {}): Promise<Due> {
  const marker = `together ${process.pid}-${++counter}.`;
  const content = `${marker} A plan that fits on a postcard.`;
  return { marker, id: await makeScheduledPost(db, actor, { content, dueAt: later(-SECOND), ...options }) };
}

async function many(actor: Actor, count: number): Promise<Due[]> {
  const posts: Due[] = [];
  while (posts.length < count) posts.push(await due(actor));
  return posts;
}

async function callsOf({ marker }: Due): Promise<number> {
  const { attempts } = (await outside.ledger()) as { attempts: { text: string }[] };
  return attempts.filter(({ text }) => text.includes(marker)).length;
}

const read = ({ id }: Due) => readPost(db, id);

const inQueue = ({ id }: Due) => findQueued(db, id);

async function assertOut(posts: Due[]) {
  for (const post of posts) {
    const { status, networkUrn } = await read(post);
    assert.equal(status, 'published');
    assert.match(networkUrn ?? '', /^urn:li:(share|ugcPost):/);
    assert.equal(await callsOf(post), 1);
    assert.equal(await inQueue(post), undefined);
  }
  const attempts = await db
    .selectFrom('publishAttempts')
    .select(['state', 'resolvedAt', 'httpStatus', 'liUuid'])
    .where(
      'postId',
      'in',
      posts.map(({ id }) => id),
    )
    .execute();
  assert.equal(attempts.length, posts.length);
  for (const { state, resolvedAt, httpStatus, liUuid } of attempts) {
    assert.equal(state, 'published');
    assert.equal(httpStatus, 201);
    assert.ok(resolvedAt && liUuid);
  }
}

/** Another process: with connections of its own, it sends beside the first one. */
function otherProcess(t: TestContext) {
  const other = createDatabase(workerUrl, 5).db;
  t.after(() => other.destroy());
  return other;
}

test('what is due goes out side by side, each post once, and leaves the queue', async () => {
  const posts = [...(await many(await publisher(), 30)), ...(await many(await publisher(), 30))];
  await Promise.all([sendBatch(db, 0), sendBatch(db, 1)]);
  await assertOut(posts);
});

test('a publication writes its attempt twice, where the post stands once, and never the post', async (t) => {
  const posts = await many(await publisher(), 5);
  const tables = ['posts', 'post_schedules', 'publish_attempts'];
  await sql`create table public.writes (written text);
    create function public.count_write() returns trigger language plpgsql as
      $$ begin insert into public.writes values (tg_table_name || ' ' || lower(tg_op)); return null; end $$`.execute(
    db,
  );
  t.after(() => sql`drop function public.count_write cascade; drop table public.writes`.execute(db));
  for (const table of tables) {
    const watch = `create trigger count_write after insert or update or delete on ${table}`;
    await sql.raw(`${watch} for each row execute function public.count_write()`).execute(db);
  }
  await enqueueDuePosts(db);
  await sendBatch(db, 0);
  await assertOut(posts);
  const { rows } =
    await sql`select written, count(*)::int as count from public.writes group by 1 order by 1`.execute(db);
  assert.deepEqual(rows, [
    { written: 'post_schedules update', count: 5 },
    { written: 'publish_attempts insert', count: 5 },
    { written: 'publish_attempts update', count: 5 },
  ]);
});

test('two processes that send at once send each post once', async (t) => {
  const posts = await many(await publisher(), 60);
  await Promise.all([sendBatch(db, 0), sendBatch(otherProcess(t), 1)]);
  await assertOut(posts);
});

test('what comes due while others are being sent goes out with them', async () => {
  const actor = await publisher();
  const first = await due(actor);
  await outside.fault('linkedin.slow', { match: first.marker, delayMs: 6_000 });
  const sending = sendBatch(db, 0);
  await until('the first call is made', async () => (await callsOf(first)) === 1);
  const second = await due(actor);
  const joined = sendBatch(db, 1);
  await until('the second one is out', async () => (await read(second)).status === 'published');
  assert.equal((await read(first)).status, 'generated', 'nobody waits for the first one');
  await Promise.all([sending, joined]);
  await assertOut([first, second]);
});

test('what needs a picture, a new token or another time has a job of its own', async () => {
  const [plain, ending] = [await publisher(), await publisher()];
  const text = await due(plain);
  const others = [
    await due(plain, { imageUrl: 'https://images.example/one.png' }),
    await due(plain, { dueAt: later(-4 * HOUR) }),
    await due(ending),
  ];
  await db
    .updateTable('linkedinConnections')
    .set({ expiresAt: later(4 * 60 * SECOND) })
    .where('userId', '=', ending.userId)
    .execute();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await enqueueDuePosts(db);
  const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs
    where task_identifier in ('publish-post', 'send-batch') order by key`.execute(db);
  assert.deepEqual(
    rows.map(({ key }) => key).toSorted(),
    ['send-batch:0', ...others.map(({ id }) => `publish:${id}`)].toSorted(),
  );
  await sendBatch(db, 0);
  await assertOut([text]);
  for (const post of others) assert.equal(await callsOf(post), 0);
});

test('a token whose key is missing is for a job of its own, which tells the operator', async () => {
  const actor = await publisher();
  const post = await due(actor);
  await sql`update linkedin_connections set access_token_sealed = 'gone' || access_token_sealed
    where user_id = ${actor.userId}`.execute(db);
  await sendBatch(db, 0);
  assert.equal(await callsOf(post), 0);
  assert.ok((await inQueue(post))!.enqueuedAt);
  await publishPost(db, post.id);
  assert.match(JSON.stringify(await listOperatorFaults(db)), /SECRET_KEYS/);
});

test('a token that cannot be opened keeps nobody else back', async () => {
  const [broken, other] = [await publisher(), await publisher()];
  const [stuck, free] = [await due(broken), await due(other)];
  await sql`update linkedin_connections set access_token_sealed = overlay(access_token_sealed placing 'AAAA'
    from length(access_token_sealed) - 4) where user_id = ${broken.userId}`.execute(db);
  await sendBatch(db, 0);
  await assertOut([free]);
  assert.equal(await callsOf(stuck), 0);
  assert.ok((await inQueue(stuck))!.enqueuedAt);
});

test('a post whose attempt cannot be written keeps no other back: each is tried by itself', async (t) => {
  const [bad, ...good] = await many(await publisher(), 4);
  await sql`create function public.refuse() returns trigger language plpgsql as
    $$ begin raise 'a fault'; end $$`.execute(db);
  await sql
    .raw(
      `create trigger refuse before insert on publish_attempts for each row
       when (new.post_id = '${bad!.id}') execute function public.refuse()`,
    )
    .execute(db);
  t.after(() => sql`drop function public.refuse cascade`.execute(db));
  await assert.rejects(sendBatch(db, 0), /failed/);
  for (const { id } of good) await publishPost(db, id);
  await assertOut(good);
  assert.equal(await callsOf(bad!), 0);
});

test('a batch that fails while a call is under way keeps nothing back that comes due later', async (t) => {
  const actor = await publisher();
  const slow = await due(actor);
  await outside.fault('linkedin.slow', { match: slow.marker, delayMs: 6_000 });
  const sending = sendBatch(db, 0).catch(() => {});
  await until('the first call is made', async () => (await callsOf(slow)) === 1);
  await sql`create function public.refuse_once() returns trigger language plpgsql as
    $$ begin raise 'a fault'; end $$`.execute(db);
  await sql`create trigger refuse_once before insert on publish_attempts execute function public.refuse_once()`.execute(
    db,
  );
  t.after(() => sql`drop function if exists public.refuse_once cascade`.execute(db));
  const failing = await due(actor);
  await sendBatch(db, 0);
  await until('it has a job of its own', async () => (await inQueue(failing))!.enqueuedAt !== null);
  await sql`drop function public.refuse_once cascade`.execute(db);
  const later = await due(actor);
  await sendBatch(db, 0);
  await until('what came later is out', async () => (await read(later)).status === 'published');
  assert.equal((await read(slow)).status, 'generated', 'the slow call is still under way');
  await sending;
  await publishPost(db, failing.id);
  await assertOut([slow, failing, later]);
});

test('a pause that is being saved is waited for, while the posts of others go out', async () => {
  const [pausing, other] = [await publisher(), await publisher()];
  const [paused, free] = [await due(pausing), await due(other)];
  let sending = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, pausing.userId);
    sending = sendBatch(db, 0);
    await until('the other one is out', async () => (await read(free)).status === 'published');
    await saveSettings(trx, pausing, { enabled: false });
  });
  await sending;
  assert.equal(await callsOf(paused), 0);
  assert.equal((await read(paused)).status, 'generated');
});

test('what may not go keeps back nothing that is due after it, however much it is', async () => {
  const [pausing, owner] = [await publisher(), await publisher()];
  const refused = await many(pausing, 110);
  await db
    .updateTable('automationSettings')
    .set({ isEnabled: false })
    .where('userId', '=', pausing.userId)
    .execute();
  const post = await due(owner, { dueAt: new Date() });
  await sendBatch(db, 0);
  await assertOut([post]);
  for (const { id } of refused) await takeOut(db, id);
});

test('the publishing switch that is being turned is waited for', async (t) => {
  const post = await due(await publisher());
  let sending = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await lockPause(trx);
    await trx.updateTable('publishingPause').set({ stoppedAt: new Date(), stopReason: 'A drill' }).execute();
    sending = sendBatch(db, 0);
    await wait(500);
    assert.equal(await callsOf(post), 0);
  });
  const on = { stoppedAt: null, stopReason: null };
  t.after(() => db.updateTable('publishingPause').set(on).execute());
  await sending;
  assert.equal(await callsOf(post), 0);
  await db.updateTable('publishingPause').set(on).execute();
  await sendBatch(db, 0);
  await assertOut([post]);
});

test('a post that its owner has under lock goes out when it is free', async () => {
  const actor = await publisher();
  const [locked, free] = [await due(actor), await due(actor)];
  let sending = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await lockPost(trx, locked.id);
    sending = sendBatch(db, 0);
    await until('the other one is out', async () => (await read(free)).status === 'published');
    await wait(300);
  });
  await sending;
  await assertOut([locked, free]);
});

test('an address that another post has keeps no answer of the others back', async () => {
  const actor = await publisher();
  const posts = await many(actor, 5);
  const [taken] = await many(actor, 1);
  await sql`create function public.same_address() returns trigger language plpgsql as
    $$ begin new.network_urn := 'urn:li:share:1'; return new; end $$`.execute(db);
  await sql
    .raw(
      `create trigger same_address before update on post_schedules for each row
       when (new.post_id = '${posts[0]!.id}' and new.network_urn is not null) execute function public.same_address()`,
    )
    .execute(db);
  await standAs(db, taken!.id, { status: 'published', networkUrn: 'urn:li:share:1' });
  await takeOut(db, taken!.id);
  const sending = sendBatch(db, 0);
  await until('all but one are out', async () => {
    const statuses = await Promise.all(posts.map(read));
    return statuses.filter(({ status }) => status === 'published').length === 4;
  });
  await sql`drop function public.same_address cascade`.execute(db);
  await sending;
  await assertOut(posts);
});

test('nothing is sent from a database that publishing was not released for', async (t) => {
  const post = await due(await publisher());
  await sql`update publishing_epoch set server = ''`.execute(db);
  t.after(() => sql`update publishing_epoch set server = publishing_server()`.execute(db));
  await sendBatch(db, 0);
  assert.equal(await callsOf(post), 0);
  await sql`update publishing_epoch set server = publishing_server()`.execute(db);
  await sendBatch(db, 0);
  await assertOut([post]);
});
