import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import {
  FREE_CALLS_A_DAY_MAX,
  FREE_TOKENS_A_DAY_MAX,
  PLAN_CALLS_A_DAY_MAX,
  PLAN_TOKENS_A_DAY_MAX,
  USAGE_KEPT_DAYS,
} from '#app/domain/writing/limits.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { deleteOldUsage, listWriterDays, listWriterUsers } from '#app/domain/writing/usage.ts';
import { countCall, countTokens, UsageLimitReached } from '#app/domain/writing/usage-limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

process.env.WRITER_CALLS_A_DAY = '1000';
process.env.WRITER_TOKENS_A_DAY = '5000000';
const outside = await startOutside();
const { db } = await testDatabase();
beforeEach(async () => {
  await sql`delete from writer_days`.execute(db);
  await sql`delete from operator_alerts`.execute(db);
});

const callsOf = async ({ userId }: Actor) =>
  (await db.selectFrom('writerCalls').select('calls').where('userId', '=', userId).executeTakeFirst())?.calls;
const setCalls = ({ userId }: Actor, calls: number) =>
  db.updateTable('writerCalls').set({ calls }).where('userId', '=', userId).execute();
const faults = async () =>
  (await db.selectFrom('operatorAlerts').select(['key', 'message']).execute()).map(({ key }) => key);

test('without a plan a day has so many calls, and with one more', async () => {
  const actor = await makeUser(db, {});
  await countCall(db, actor.userId);
  await setCalls(actor, FREE_CALLS_A_DAY_MAX - 1);
  await countCall(db, actor.userId);
  await assert.rejects(countCall(db, actor.userId), (error) => {
    assert.ok(error instanceof UsageLimitReached);
    assert.match(error.message, /^Nothing more can be written today without a plan/);
    assert.ok(error.retryAfterSeconds! > 0 && error.retryAfterSeconds! <= 86_400);
    return true;
  });
  assert.equal(await callsOf(actor), FREE_CALLS_A_DAY_MAX);
  await makePlan(db, actor, 1, new Date());
  await countCall(db, actor.userId);
  await setCalls(actor, PLAN_CALLS_A_DAY_MAX);
  await assert.rejects(
    countCall(db, actor.userId),
    /^Error: Nothing more can be written for your account today/,
  );
  assert.deepEqual(await faults(), []);
});

test('tokens have a ceiling as well, and the next day begins anew', async () => {
  const actor = await makeUser(db, {});
  await countCall(db, actor.userId);
  await countTokens(db, actor.userId, {
    model: 'test',
    inputTokens: FREE_TOKENS_A_DAY_MAX - 10,
    outputTokens: 9,
  });
  await countCall(db, actor.userId);
  await countTokens(db, actor.userId, { model: 'test', inputTokens: 0, outputTokens: 1 });
  await assert.rejects(countCall(db, actor.userId), UsageLimitReached);
  await sql`update writer_calls set day = day - 1`.execute(db);
  await countCall(db, actor.userId);
});

test('so have the tokens of those who pay, and of all together', async () => {
  const [actor, other] = [await makeUser(db, {}), await makeUser(db, {})];
  await makePlan(db, actor, 1, new Date());
  const spend = (inputTokens: number) =>
    countTokens(db, actor.userId, { model: 'test', inputTokens, outputTokens: 1 });
  await countCall(db, actor.userId);
  await spend(PLAN_TOKENS_A_DAY_MAX - 2);
  await countCall(db, actor.userId);
  await spend(0);
  await assert.rejects(countCall(db, actor.userId), /for your account today/);
  await countCall(db, other.userId);
  await spend(5_000_000 - PLAN_TOKENS_A_DAY_MAX);
  await assert.rejects(countCall(db, other.userId), /There is no more room for writing today/);
  assert.deepEqual(await faults(), ['writer-ceiling']);
});

test('many calls at once go no further than the ceiling', async () => {
  const actor = await makeUser(db, {});
  await countCall(db, actor.userId);
  await setCalls(actor, FREE_CALLS_A_DAY_MAX - 3);
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => countCall(db, actor.userId)));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 3);
});

test('the whole service has a ceiling, which the operator is told until the next day', async () => {
  const [actor, other] = [await makeUser(db, {}), await makeUser(db, {})];
  await countCall(db, actor.userId);
  await sql`update writer_days set calls = 1000`.execute(db);
  await assert.rejects(countCall(db, other.userId), /There is no more room for writing today/);
  assert.deepEqual(await faults(), ['writer-ceiling']);
  assert.equal(await callsOf(other), undefined, 'a call that was not made counts for nobody');
  await sql`update writer_days set day = day - 1`.execute(db);
  await countCall(db, other.userId);
  assert.deepEqual(await faults(), []);
});

test('a run says that the ceiling is reached, and nobody is asked nor blamed', async () => {
  const actor = await makeUser(db, {});
  const topic = await makeTopic(db, actor, 'A reached ceiling');
  await countCall(db, actor.userId);
  await setCalls(actor, FREE_CALLS_A_DAY_MAX);
  await outside.fault('writer.500', { match: 'A reached ceiling' });
  const { id } = await generateNow(db, actor, { count: 1 });
  await db
    .updateTable('generationRuns')
    .set({ claimedAt: new Date(Date.now() - 86_400_000) })
    .where('id', '=', id)
    .execute();
  await writeWhole(db, id);
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(run.status, 'complete');
  assert.match(run.error!, /^Nothing more can be written today without a plan/);
  assert.deepEqual(await faults(), []);
  assert.equal((await findTopic(db, actor, topic.id)).failures, 0);
});

test('calls count when nothing comes of them, and what they cost can be read by day and user', async () => {
  const actor = await makeUser(db, {});
  await makeTopic(db, actor, 'Calls that count');
  await outside.fault('writer.too-short', { times: 3, match: 'Calls that count' });
  const { id } = await generateNow(db, actor, { count: 1 });
  await writeWhole(db, id);
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(run.done, 0);
  assert.equal(await callsOf(actor), 3);
  const [day] = await listWriterDays(db, 7);
  const { inputTokens, outputTokens } = run;
  assert.deepEqual(day, { day: new Date().toISOString().slice(0, 10), calls: 3, inputTokens, outputTokens });
  const users = await listWriterUsers(db, day!.day, 50);
  const { userId, name, email } = actor;
  assert.deepEqual(
    users.find((user) => user.userId === userId),
    { userId, name, email, calls: 3, inputTokens, outputTokens },
  );
});

test('what a user asked on days long ago is forgotten, and what all asked together is not', async () => {
  const { userId } = await makeUser(db);
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const [old, young] = [day(USAGE_KEPT_DAYS + 1), day(USAGE_KEPT_DAYS - 1)];
  for (const each of [old, young]) {
    const count = { day: each, calls: 3, inputTokens: '5', outputTokens: '7' };
    await db
      .insertInto('writerCalls')
      .values({ userId, ...count })
      .execute();
    await db.insertInto('writerDays').values(count).execute();
  }
  await deleteOldUsage(db, new Date());
  const kept = await db.selectFrom('writerCalls').select('day').where('userId', '=', userId).execute();
  assert.deepEqual(
    kept.map((row) => row.day),
    [young],
  );
  const days = await db.selectFrom('writerDays').select('day').where('day', 'in', [old, young]).execute();
  assert.equal(days.length, 2);
});
