import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { Cancelled } from '#app/domain/writing/generate/timeout.ts';
import {
  FREE_CALLS_A_DAY_MAX,
  FREE_REWRITES_A_DAY_MAX,
  POSTS_AN_HOUR_MAX,
  RUNS_A_DAY_MAX,
} from '#app/domain/writing/limits.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import { requestRewrite } from '#app/domain/writing/rewrite/rewrite.ts';
import { beginItem } from '#app/domain/writing/runs/attempts.ts';
import { cancelRun } from '#app/domain/writing/runs/cancel.ts';
import { claimRun } from '#app/domain/writing/runs/claim.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { countCall, countTokens } from '#app/domain/writing/usage-limits.ts';
import { env } from '#app/env.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve } from '#tests/harness/outside/sandbox.ts';

const GOOD = `Planning starts with the page that everybody can see.\n\n${'Put the work of the week on it and cross out what is done before anything is added. '.repeat(3)}`;
const AWAY = { status: 503, body: {} };
const POLICY = { status: 400, body: { error: { message: 'No.', code: 'content_policy_violation' } } };

const UNREADABLE = {
  status: 200,
  body: { choices: [{ finish_reason: 'stop', message: { content: '{"cont' } }] },
};
/** Too short a text, once it is let go. */
const HELD = 'Held.';
let gate = Promise.withResolvers<void>();

/** What the writer answers; nothing at all while it is null. */
let says: string | { status: number; body: object } | null = GOOD;
/** Called at each question. */
let onAsked = () => {};
process.env.OPENAI_BASE_URL = await serve(async (request, response) => {
  await text(request);
  const said = says;
  onAsked();
  if (said === null) return undefined;
  if (said === HELD) await gate.promise;
  response.setHeader('Content-Type', 'application/json');
  if (typeof said !== 'string') return response.writeHead(said.status).end(JSON.stringify(said.body));
  const post = { content: said, hashtags: ['Planning', 'Focus', 'Teams'], claims: [], findings: [] };
  const message = { role: 'assistant', content: JSON.stringify({ ...post, thesis: 'Plans' }) };
  return response.end(JSON.stringify({ model: 'test', choices: [{ finish_reason: 'stop', message }] }));
});
const { db } = await testDatabase();
beforeEach(() => {
  says = GOOD;
});

const HOUR = 3_600_000;

async function author() {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makeTopic(db, actor);
  return actor;
}
const free = (actor: Actor) => findFreePosts(db, actor);
const runOf = (id: string) =>
  db.selectFrom('generationRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** As if it had waited for its writer for a day already. */
const outOfPatience = (id: string) =>
  db
    .updateTable('generationRuns')
    .set({ claimedAt: new Date(Date.now() - 24 * HOUR), leaseUntil: null })
    .where('id', '=', id)
    .execute();
const ask = async (actor: Actor, count = 1) => (await generateNow(db, actor, { count })).id;

test('a post for which the writer was asked and answered counts, whatever came of it', async () => {
  const actor = await author();
  const id = await ask(actor, 2);
  assert.deepEqual(await free(actor), { left: 1, unwritten: 0 }, 'what is asked for is taken');
  says = 'Too short.';
  await writeWhole(db, id);
  assert.deepEqual([(await runOf(id)).done, (await runOf(id)).failed], [0, 2]);
  assert.deepEqual(await free(actor), { left: 1, unwritten: 2 });
  says = GOOD;
  await writeWhole(db, await ask(actor));
  assert.deepEqual(await free(actor), { left: 0, unwritten: 2 });
  await assert.rejects(generateNow(db, actor, { count: 1 }), {
    status: 402,
    code: 'subscription_required',
    message: 'Without a plan 3 posts a month are free, and none is left. Please subscribe to a plan first',
  });
});

for (const [what, answer] of [
  ['is away', AWAY],
  ['has no quota', { status: 429, body: { error: { message: 'No.', code: 'insufficient_quota' } } }],
  ['refuses the subject and takes nothing for it', POLICY],
] as const) {
  test(`a post that the writer never answered for is free again: it ${what}`, async () => {
    const actor = await author();
    says = answer;
    const id = await ask(actor, 2);
    await writeRun(db, id);
    if (answer === AWAY) {
      assert.deepEqual(await free(actor), { left: 1, unwritten: 0 });
      await outOfPatience(id);
      await writeRun(db, id);
    }
    assert.equal((await runOf(id)).status, 'complete');
    assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
  });
}

test('a post that the writer has begun badly, and is away for until its run ends, is free again', async () => {
  const actor = await author();
  says = 'Too short.';
  onAsked = () => {
    says = AWAY;
  };
  const id = await ask(actor, 2);
  await writeRun(db, id);
  onAsked = () => {};
  assert.deepEqual(await free(actor), { left: 1, unwritten: 0 });
  await outOfPatience(id);
  await writeRun(db, id);
  assert.equal((await runOf(id)).status, 'complete');
  assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
});

test('a post that fails because of us is free again', async () => {
  const actor = await author();
  const id = await ask(actor);
  await sql`alter table posts add constraint broken check (content = '') not valid`.execute(db);
  await assert.rejects(writeRun(db, id));
  await outOfPatience(id);
  await assert.rejects(writeRun(db, id));
  await sql`alter table posts drop constraint broken`.execute(db);
  assert.deepEqual([(await runOf(id)).status, (await runOf(id)).failed], ['complete', 1]);
  assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
});

test('a post for which the writer says nothing that can be read is free again', async () => {
  const actor = await author();
  says = UNREADABLE;
  const id = await ask(actor);
  await writeWhole(db, id);
  assert.match((await runOf(id)).error!, /could not be written/);
  assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
});

test('of a run that ends at the ceiling of the account what was asked counts, at that of all nothing', async () => {
  for (const [whose, left] of [
    ['own', 1],
    ['all', 3],
  ] as const) {
    const actor = await author();
    gate = Promise.withResolvers();
    says = HELD;
    const id = await ask(actor, 2);
    let questions = 0;
    const full = Promise.withResolvers<void>();
    onAsked = () => {
      questions += 1;
      if (questions !== 2) return;
      const counted =
        whose === 'own'
          ? db
              .updateTable('writerCalls')
              .set({ calls: FREE_CALLS_A_DAY_MAX })
              .where('userId', '=', actor.userId)
          : db.updateTable('writerDays').set({ calls: env().WRITER_CALLS_A_DAY });
      void counted.execute().then(() => full.resolve());
    };
    const writing = writeRun(db, id);
    await full.promise;
    onAsked = () => {};
    gate.resolve();
    await writing;
    await outOfPatience(id);
    await writeRun(db, id);
    assert.match((await runOf(id)).error!, whose === 'own' ? /without a plan/ : /no more room/);
    assert.deepEqual(await free(actor), { left, unwritten: 3 - left });
    await db.deleteFrom('writerDays').execute();
  }
});

test('an answer that comes when the run has ended without it makes nothing count', async () => {
  const actor = await author();
  const id = await ask(actor);
  const run = (await claimRun(db, id, new Date()))!;
  await beginItem(db, id, 0, new Date());
  await countCall(db, actor.userId, { run, position: 0 });
  await outOfPatience(id);
  says = AWAY;
  await writeRun(db, id);
  assert.equal((await runOf(id)).status, 'complete');
  const spent = { model: 'late', inputTokens: 900, outputTokens: 300 };
  await countTokens(db, actor.userId, spent, { run, position: 0 });
  assert.equal((await runOf(id)).inputTokens, 900, 'it was paid');
  assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
});

test('stopped before the writer is asked, a post does not count', async () => {
  const actor = await author();
  const id = await ask(actor, 2);
  await cancelRun(db, actor, id);
  await writeWhole(db, id);
  assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
  const waiting = await ask(actor);
  says = AWAY;
  await writeRun(db, waiting);
  await cancelRun(db, actor, waiting);
  assert.deepEqual(
    await free(actor),
    { left: 3, unwritten: 0 },
    'nor while it waits for a writer that is away',
  );
});

test('stopped while the writer is being asked, it counts, and only what was asked', async () => {
  const actor = await author();
  const id = await ask(actor, 3);
  says = null;
  const asked = Promise.withResolvers<void>();
  let questions = 0;
  onAsked = () => {
    questions += 1;
    if (questions === 3) asked.resolve();
  };
  const writing = writeRun(db, id);
  await asked.promise;
  onAsked = () => {};
  // Of one of them it has said by now that it is away.
  await db
    .updateTable('generationAttempts')
    .set({ calledAt: null })
    .where('runId', '=', id)
    .where('position', '=', 1)
    .execute();
  await cancelRun(db, actor, id);
  assert.deepEqual(await free(actor), { left: 1, unwritten: 2 });
  await writing;
  assert.deepEqual(await free(actor), { left: 1, unwritten: 2 }, 'and it stays so');
});

test('who has stopped a run is not asked for by the process that has it', async () => {
  const actor = await author();
  const id = await ask(actor);
  const run = (await claimRun(db, id, new Date()))!;
  await beginItem(db, id, 0, new Date());
  await cancelRun(db, actor, id);
  await assert.rejects(countCall(db, actor.userId, { run, position: 0 }), Cancelled);
  const calls = await db.selectFrom('writerCalls').where('userId', '=', actor.userId).selectAll().execute();
  assert.deepEqual(calls, []);
  assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
});

test('of a worker that died in the middle of a call nothing counts, and another one writes the post', async () => {
  const actor = await author();
  const dead = async () => {
    const id = await ask(actor);
    const run = (await claimRun(db, id, new Date()))!;
    await beginItem(db, id, 0, new Date());
    await countCall(db, actor.userId, { run, position: 0 });
    return { id, late: new Date(run.leaseUntil!.getTime() + 1_000) };
  };
  const stopped = await dead();
  await cancelRun(db, actor, stopped.id, stopped.late);
  assert.deepEqual(await free(actor), { left: 3, unwritten: 0 });
  const taken = await dead();
  await claimRun(db, taken.id, taken.late);
  await beginItem(db, taken.id, 0, taken.late);
  await cancelRun(db, actor, taken.id, taken.late);
  assert.deepEqual(
    await free(actor),
    { left: 3, unwritten: 0 },
    'nor for the one that takes it over and has not asked',
  );
  const { id, late } = await dead();
  await writeRun(db, id, late);
  assert.equal((await runOf(id)).done, 1);
  assert.deepEqual(await free(actor), { left: 2, unwritten: 0 });
});

test('what a killed worker was answered is in the run, the day and the allowance already', async () => {
  const actor = await author();
  const id = await ask(actor);
  // The second answer never comes, and what follows is never written down.
  const second = Promise.withResolvers<void>();
  let questions = 0;
  onAsked = () => {
    questions += 1;
    says = null;
    if (questions === 2) second.resolve();
  };
  const writing = writeRun(db, id);
  await second.promise;
  onAsked = () => {};
  const { inputTokens, outputTokens, model } = await runOf(id);
  const day = await db
    .selectFrom('writerCalls')
    .select(['calls', 'inputTokens', 'outputTokens'])
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  assert.ok(inputTokens > 0 && outputTokens > 0);
  assert.equal(model, 'test');
  assert.deepEqual(day, { calls: 2, inputTokens: `${inputTokens}`, outputTokens: `${outputTokens}` });
  await cancelRun(db, actor, id);
  assert.deepEqual(await free(actor), { left: 2, unwritten: 1 });
  await writing;
});

test('with a plan an hour has so many posts, and what was stopped before it was asked is none of them', async () => {
  const actor = await author();
  await makePlan(db, actor, 1, new Date());
  const ids: string[] = [];
  for (let asked = 0; asked < POSTS_AN_HOUR_MAX; asked += 5) ids.push(await ask(actor, 5));
  await assert.rejects(generateNow(db, actor, { count: 1 }), { status: 429, code: 'rate_limited' });
  await cancelRun(db, actor, ids[3]!);
  await ask(actor, 5);
  await assert.rejects(generateNow(db, actor, { count: 1 }), { status: 429 });
  says = 'Too short.';
  await writeWhole(db, ids[0]!);
  assert.equal((await runOf(ids[0]!)).failed, 5);
  await assert.rejects(generateNow(db, actor, { count: 1 }), { status: 429 });
});

test('a rewriting that the writer never answered for is none of the day', async () => {
  const actor = await author();
  await makePlan(db, actor, 1, new Date());
  const topic = await db
    .selectFrom('topics')
    .select('id')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 24 * HOUR) });
  await db.updateTable('posts').set({ topicId: topic.id }).where('id', '=', postId).execute();
  await db.deleteFrom('payments').where('userId', '=', actor.userId).execute();
  const again = async () => (await requestRewrite(db, actor, { postId, instruction: '' })).id;
  says = AWAY;
  for (let nth = 0; nth <= FREE_REWRITES_A_DAY_MAX; nth += 1) {
    const id = await again();
    await writeRun(db, id);
    await outOfPatience(id);
    await writeRun(db, id);
    assert.equal((await runOf(id)).status, 'complete');
  }
  says = 'Too short.';
  for (let nth = 0; nth < FREE_REWRITES_A_DAY_MAX; nth += 1) await writeRun(db, await again());
  await assert.rejects(again(), { code: 'rate_limited' });
});

for (const [what, answeredAt, runs] of [
  ['answered', new Date(), 0],
  ['never answered', null, 1],
] as const) {
  test(`runs of a day that the writer ${what} ${runs ? 'leave room for another' : 'are enough'}`, async () => {
    const now = new Date();
    const actor = await author();
    await makePlan(db, actor, 1, now);
    for (let nth = 1; nth <= RUNS_A_DAY_MAX; nth += 1) {
      const at = new Date(now.getTime() - nth * HOUR);
      const { id } = await db
        .insertInto('generationRuns')
        .values({
          userId: actor.userId,
          requested: 1,
          failed: 1,
          scheduledFor: at,
          createdAt: at,
          status: 'complete',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('generationAttempts')
        .values({ runId: id, position: 0, answeredAt, endedAt: at })
        .execute();
    }
    await saveSettings(db, actor, { contentCreationTime: '08:00' }, now);
    await db
      .updateTable('automationSettings')
      .set({ nextRunAt: now })
      .where('userId', '=', actor.userId)
      .execute();
    assert.equal(await startDueRuns(db, now), runs);
  });
}

test('who turns the clock at the end of a month has each month once', async () => {
  const { userId, ...rest } = await author();
  const at = (timeZone: string) => ({ ...rest, userId, timeZone });
  const [pago, line] = [at('Pacific/Pago_Pago'), at('Pacific/Kiritimati')];
  const lastDay = new Date('2027-01-31T10:30:00Z');
  await generateNow(db, pago, { count: 3 }, new Date('2027-01-20T12:00:00Z'));
  await generateNow(db, line, { count: 3 }, lastDay);
  assert.equal((await findFreePosts(db, pago, lastDay)).left, 0);
  const later = new Date('2027-02-02T12:00:00Z');
  assert.equal((await findFreePosts(db, pago, later)).left, 0);
  await assert.rejects(generateNow(db, pago, { count: 1 }, later), { status: 402 });
  assert.equal((await findFreePosts(db, pago, new Date('2027-03-02T12:00:00Z'))).left, 3);
});
