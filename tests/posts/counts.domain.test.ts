import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { countsOf, reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { getStats, getTotals } from '#app/domain/posts/counts/stats.ts';
import { clearEngagement, saveEngagement } from '#app/domain/posts/engagement.ts';
import * as standing from '#app/domain/publishing/state/post-state.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { standAs } from '#tests/fixtures/posts.ts';
import { othersWait } from '#tests/harness/concurrency.ts';
import { testDatabase } from '#tests/harness/database.ts';

let db: Db;
const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

before(async () => {
  ({ db } = await testDatabase());
});

/** What the dashboard and the history say, counted post by post. */
async function plainCount({ userId }: Actor) {
  const { rows } = await sql<Record<string, string | null>>`
    select count(*) as posts, count(*) filter (where status = 'published') as published,
      count(*) filter (where status in ('generated', 'pending')) as waiting,
      sum(likes) as likes, sum(comments) as comments, sum(shares) as shares
    from posts join post_schedules on post_schedules.post_id = posts.id left join engagements on engagements.post_id = posts.id
    where posts.user_id = ${userId} and posts.deleted_at is null and visibility = 'PUBLIC'`.execute(db);
  return Object.fromEntries(
    Object.entries(rows[0]!).map(([name, n]) => [name, n === null ? null : Number(n)]),
  );
}

async function shown(actor: Actor) {
  const [stats, { posts, ...typed }] = [await getStats(db, actor), await getTotals(db, actor)];
  assert.equal(stats.totalPosts, posts);
  return { posts, published: stats.publishedPosts, waiting: stats.scheduledPosts, ...typed };
}

async function addPost({ userId }: Actor, visibility: 'PUBLIC' | 'CONNECTIONS' = 'PUBLIC'): Promise<string> {
  const id = await transact(db, (trx) =>
    standing.addPost(trx, { userId, content: 'A plan that fits on a postcard gets read.', visibility }, null),
  );
  return id!;
}

async function addPublished(actor: Actor, at: Date, visibility?: 'CONNECTIONS'): Promise<string> {
  const id = await addPost(actor, visibility);
  await transact(db, (trx) => standing.markPublished(trx, { id, userId: actor.userId }, null, at));
  return id;
}

const remove = (id: string) => transact(db, (trx) => standing.markDeleted(trx, id, new Date()));
const numbers = { likes: null, comments: null, shares: null, impressions: null };
const kept = (actor: Actor) =>
  db.selectFrom('postCounts').selectAll().where('userId', '=', actor.userId).executeTakeFirst();

/** Numbers below `n` that come out the same for the same seed. */
function dice(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Whatever can become of a post, long ago or just now. */
function actsOf(actor: Actor, roll: (n: number) => number) {
  const ids: string[] = [];
  const at = () => daysAgo(roll(7) + roll(100) / 100);
  const some = (act: (id: string) => Promise<unknown>) => async () => {
    const id = ids[roll(ids.length)];
    // A post that is deleted, not out or a test refuses some of it.
    if (id) await act(id).catch((error) => assert.equal(error.name, 'Refusal', error));
  };
  const inTrx = (act: (trx: Trx, id: string, post: standing.OwnPost) => Promise<unknown>) =>
    some((id) =>
      transact(db, async (trx) => {
        const post = await standing.lockPost(trx, id);
        if (post) await act(trx, id, post);
      }),
    );
  return {
    add: async () => ids.push(await addPost(actor, roll(6) === 0 ? 'CONNECTIONS' : 'PUBLIC')),
    publish: inTrx((trx, _, post) => standing.markPublished(trx, post, null, at())),
    fail: inTrx((trx, _, post) => standing.markFailed(trx, post, 'refused')),
    'fail unasked': inTrx((trx, _, post) => standing.markUnsent(trx, post, 'too_late')),
    'fail long ago': some((id) => standAs(db, id, { status: 'failed', failedAt: at() })),
    'send again': inTrx((trx, id) => standing.markScheduled(trx, id)),
    delete: inTrx((trx, id) => standing.markDeleted(trx, id, new Date())),
    restore: some(async (id) => {
      await db.updateTable('posts').set({ deletedAt: null }).where('id', '=', id).execute();
      await standAs(db, id, { deletedAt: null });
    }),
    type: some((postId) =>
      saveEngagement(db, actor, { ...numbers, postId, likes: roll(50), shares: roll(9) }),
    ),
    'type less': some((postId) => saveEngagement(db, actor, { ...numbers, postId, comments: roll(50) })),
    forget: some((id) => clearEngagement(db, actor, id)),
    prove: async () => assert.deepEqual(await reconcileCounts(db, at()), []),
  };
}

for (const seed of [1, 2, 3]) {
  test(`whatever becomes of the posts, the numbers are those of a plain count (${seed})`, async () => {
    const [actor, other] = [await makeUser(db), await makeUser(db)];
    await addPublished(other, daysAgo(5));
    const roll = dice(seed);
    const acts = Object.entries(actsOf(actor, roll));
    const [[, add]] = acts as [[string, () => Promise<unknown>]];
    for (let posts = 0; posts < 12; posts += 1) await add();
    for (let count = 0; count < 250; count += 1) {
      const [name, act] = acts[roll(acts.length)]!;
      await act();
      assert.deepEqual(await shown(actor), await plainCount(actor), `after act ${count}, ${name}`);
    }
    assert.deepEqual(await reconcileCounts(db), []);
    assert.deepEqual(await shown(actor), await plainCount(actor));
    assert.equal((await shown(other)).published, 1);
  });
}

test('a post that goes out writes nothing about counts', async () => {
  const actor = await makeUser(db);
  await addPublished(actor, daysAgo(5));
  await reconcileCounts(db);
  const [old, fresh, many] = [await kept(actor), await addPost(actor), await addPost(actor)];
  const version = () => sql`select xmin, ctid from post_counts where user_id = ${actor.userId}`.execute(db);
  const rowBefore = (await version()).rows;
  await transact(db, async (trx) => {
    await standing.markPublished(trx, { id: fresh, userId: actor.userId }, null, new Date());
    await standing.markBatchPublished(trx, [{ postId: many, urn: null, at: new Date() }]);
  });
  assert.deepEqual((await version()).rows, rowBefore);
  assert.equal(old?.published, 1);
  assert.equal((await shown(actor)).published, 3);
});

test('a deletion that is not done yet is neither lost nor counted twice by the proof', async () => {
  const actor = await makeUser(db);
  const id = await addPublished(actor, daysAgo(5));
  await addPublished(actor, daysAgo(5));
  await reconcileCounts(db, daysAgo(10));
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  const deletion = transact(db, async (trx) => {
    await standing.markDeleted(trx, id, new Date());
    hasBegun();
    await done;
  });
  await begun;
  const proof = reconcileCounts(db);
  await othersWait(db);
  finish();
  await deletion;
  assert.deepEqual(await proof, []);
  assert.equal((await kept(actor))?.published, 1);
  assert.equal((await shown(actor)).published, 1);
});

test('what differs is set right, and the operator told until a night without a difference', async () => {
  const actor = await makeUser(db);
  await addPublished(actor, daysAgo(5));
  await reconcileCounts(db);
  await db.updateTable('postCounts').set({ published: 7 }).where('userId', '=', actor.userId).execute();
  const [difference, ...others] = await reconcileCounts(db);
  assert.equal(difference?.userId, actor.userId);
  assert.deepEqual(others, []);
  assert.equal((await shown(actor)).published, 1);
  const [fault] = await listOperatorFaults(db);
  assert.match(fault!.message, new RegExp(`of one user were wrong and have been set right.*${actor.userId}`));
  assert.deepEqual(await reconcileCounts(db), []);
  assert.deepEqual(await listOperatorFaults(db), []);
});

test('what a clock that was ahead has kept is set back', async () => {
  const actor = await makeUser(db);
  await addPublished(actor, daysAgo(5));
  await reconcileCounts(db);
  const ahead = { closedBefore: daysAgo(-30) };
  await db.updateTable('postCounts').set(ahead).where('userId', '=', actor.userId).execute();
  await addPublished(actor, new Date());
  assert.equal((await reconcileCounts(db)).length, 1);
  assert.deepEqual(await shown(actor), await plainCount(actor));
});

test('a user with a long past is counted by reading few pages', async () => {
  const actor = await makeUser(db);
  await sql`with added as (
      insert into posts (user_id, content, created_at)
      select ${actor.userId}, repeat('Planning. ', 60), now() - n * interval '1 hour' from generate_series(1, 20000) n
      returning id, user_id, created_at)
    insert into post_schedules (post_id, user_id, status, posted_at, failed_at)
    select id, user_id, case when n % 5 = 0 then 'failed' else 'published' end, created_at, created_at
    from (select *, row_number() over () as n from added) as numbered`.execute(db);
  await reconcileCounts(db);
  await sql`analyze posts, post_schedules, post_counts`.execute(db);
  const plan = sql<{ plan: [{ Plan: Record<string, number> }] }>`
    explain (analyze, buffers, format json) ${countsOf(actor.userId)}`;
  const [{ Plan }] = (await plan.execute(db)).rows[0]!['QUERY PLAN' as 'plan'] as [
    { Plan: Record<string, number> },
  ];
  const pages = Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
  assert.ok(pages < 600, `${pages} pages`);
  assert.deepEqual(await shown(actor), await plainCount(actor));
});

test('with a user go the counts', async () => {
  const actor = await makeUser(db);
  const postId = await addPublished(actor, daysAgo(5));
  await saveEngagement(db, actor, { ...numbers, postId, likes: 3 });
  await remove(await addPublished(actor, daysAgo(5)));
  await db.deleteFrom('users').where('id', '=', actor.userId).execute();
  assert.equal(await kept(actor), undefined);
});
