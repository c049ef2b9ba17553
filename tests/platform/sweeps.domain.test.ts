import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { authorOf } from '#tests/fixtures/linkedin.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db, pool } = await testDatabase();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const later = (ms: number) => new Date(Date.now() + ms);

await pool.query(`create function stumble() returns trigger language plpgsql as
  'begin raise exception ''this row cannot be written''; end'`);

/** From now on every change of such rows fails, as one user's broken data would make it. */
const breakRows = (table: string, condition: string) =>
  pool.query(`create trigger stumble before update on ${table} for each row when (${condition})
    execute function stumble()`);

test('the end of one plan that cannot be written stops no other', async () => {
  const [broken, ...others] = [await makeUser(db), await makeUser(db), await makeUser(db)];
  const bought = later(-40 * DAY);
  for (const actor of [broken, ...others]) await makePlan(db, actor, 1, bought);
  await breakRows('payments', `old.user_id = '${broken.userId}'`);
  await assert.rejects(endPlans(db), AggregateError);
  const ended = await db.selectFrom('payments').select('userId').where('status', '=', 'expired').execute();
  assert.deepEqual(ended.map(({ userId }) => userId).sort(), others.map(({ userId }) => userId).sort());
});

test('one attempt that cannot be settled leaves no other waiting', async () => {
  const actor = await makePublisher(db, outside.url);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
    const claim = (await claimPost(db, postId, new Date()))!;
    ids.push((await beginAttempt(db, claim, await authorOf(db, claim.userId), await readIdentity(db)))!.id);
  }
  await breakRows('publish_attempts', `old.id = '${ids[0]}'`);
  await assert.rejects(sweepAttempts(db, later(2 * MINUTE)), AggregateError);
  const unknown = await db
    .selectFrom('publishAttempts')
    .select('id')
    .where('state', '=', 'unknown')
    .execute();
  assert.deepEqual(unknown.map(({ id }) => id).sort(), ids.slice(1).sort());
});

test('one post that cannot be set aside stops no other', async () => {
  const actor = await makePublisher(db, outside.url);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push(await makeScheduledPost(db, actor, { dueAt: later(-MINUTE) }));
  const unapproved = { status: 'pending' as const, heldAt: new Date() };
  await db.updateTable('postSchedules').set(unapproved).where('postId', 'in', ids).execute();
  await breakRows('posts', `old.id = '${ids[0]}'`);
  await assert.rejects(setAsideUnapproved(db), AggregateError);
  const moved = await db.selectFrom('posts').select('id').where('approvalMovedAt', 'is not', null).execute();
  assert.deepEqual(moved.map(({ id }) => id).sort(), ids.slice(1).sort());
});

test('what fails is told when all have had their turn', async () => {
  const done: number[] = [];
  const work = async (n: number) => {
    if (n === 2) throw new Error('two');
    done.push(n);
  };
  await assert.rejects(forEachSettled([1, 2, 3], work), ({ errors }) => errors[0].message === 'two');
  assert.deepEqual(done, [1, 3]);
});
