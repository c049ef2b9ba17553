import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNextRunAt } from '#app/domain/automation/due-users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { pauseTopic } from '#app/domain/topics/pauses.ts';
import { setPause, toggleTopic } from '#app/domain/topics/topics.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { findNextTurns } from '#app/domain/writing/runs/upcoming-topics.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { endPlanAt } from '#tests/fixtures/payments.ts';
import { makePublisher, makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const DAY = 86_400_000;
const SUBJECTS = ['Planning weeks', 'Writing memos', 'Hiring well', 'Calm handovers', 'Saying no'];

async function somebody(topics: number, postsPerDay: number) {
  const actor = await makePublisher(db, outside.url, postsPerDay);
  const ids: string[] = [];
  for (const [nth, name] of SUBJECTS.slice(0, topics).entries()) {
    const { id } = await makeTopic(db, actor, name);
    const createdAt = new Date(Date.now() - (9 - nth) * DAY);
    await db.updateTable('topics').set({ createdAt }).where('id', '=', id).execute();
    ids.push(id);
  }
  return { actor, ids };
}

/** The day's run, begun at the time for which it is planned. */
async function beginDay(actor: Actor, at?: Date) {
  const now = at ?? (await findNextRunAt(db, actor.userId))!;
  await startDueRuns(db, now);
  const { id } = await db
    .selectFrom('generationRuns')
    .select('id')
    .where('userId', '=', actor.userId)
    .where('status', '<>', 'complete')
    .executeTakeFirstOrThrow();
  return { id, now };
}

/** The day's run, written to its end at the time for which it is planned: what it wrote, soonest slot first. */
async function writeDay(actor: Actor, at?: Date) {
  const { id: runId, now } = await beginDay(actor, at);
  await writeWhole(db, runId, now);
  return db
    .selectFrom('posts')
    .select(['topicId', 'publishAt'])
    .where('runId', '=', runId)
    .orderBy('publishAt')
    .execute();
}

/** What is said beforehand of the topics that a run then writes about. */
async function compare(actor: Actor, at?: Date) {
  const said = await findNextTurns(db, actor, at);
  const posts = await writeDay(actor, at);
  const first = new Map<string, Date>();
  for (const { topicId, publishAt } of posts) {
    if (!first.has(topicId!)) first.set(topicId!, publishAt!);
  }
  for (const [topicId, publishAt] of first) assert.deepEqual(said.slots.get(topicId)?.at, publishAt);
  return { said, posts, first };
}

test('what is said of the next turns is what the runs of the next days then do', async () => {
  for (const [topics, postsPerDay] of [
    [5, 2],
    [3, 3],
    [2, 1],
    [5, 5],
  ] as const) {
    const { actor, ids } = await somebody(topics, postsPerDay);
    const begin = await findNextTurns(db, actor);
    assert.equal(begin.why, null);
    assert.deepEqual([...begin.slots.keys()].sort(), ids.toSorted(), 'each topic has a turn to come');
    const written = new Map<string, Date>();
    for (let day = 0; day < 3; day += 1) {
      const { posts } = await compare(actor);
      assert.equal(posts.length, postsPerDay);
      for (const { topicId, publishAt } of posts) {
        if (!written.has(topicId!)) written.set(topicId!, publishAt!);
      }
    }
    // Posts that are written at once end in any order: of whole days to come only the first batches are certain.
    if (postsPerDay <= 2) {
      for (const [topicId, publishAt] of written)
        assert.deepEqual(begin.slots.get(topicId)?.at, publishAt, `${topics} topics, ${postsPerDay} a day`);
    }
  }
});

test('the same slot does not have the same topic on two days in a row, and that is said beforehand', async () => {
  const { actor, ids } = await somebody(2, 2);
  const first = await compare(actor);
  // By its last turn the first one comes first again.
  await db
    .updateTable('topics')
    .set({ lastTurnAt: new Date(0) })
    .where('id', '=', ids[0]!)
    .execute();
  const second = await compare(actor);
  assert.deepEqual(
    first.posts.map(({ topicId }) => topicId),
    ids,
  );
  assert.deepEqual(
    second.posts.map(({ topicId }) => topicId),
    ids.toReversed(),
  );
});

test('a topic that is paused until a day has its next turn from then on, and others before', async () => {
  const { actor, ids } = await somebody(2, 1);
  const now = new Date();
  const until = new Date(now.getTime() + 5 * DAY).toISOString().slice(0, 10);
  await pauseTopic(db, actor, { topicId: ids[0]!, until }, now);
  const { slots } = await findNextTurns(db, actor, now);
  assert.ok(slots.get(ids[0]!)!.at >= new Date(`${until}T00:00:00Z`));
  assert.ok(slots.get(ids[1]!)!.at < new Date(now.getTime() + 2 * DAY));
  const { posts } = await compare(actor);
  assert.deepEqual(
    posts.map(({ topicId }) => topicId),
    [ids[1]],
  );
});

test('slots that hold a post already have no turn, and what is under way is said as it goes on', async () => {
  const { actor, ids } = await somebody(4, 4);
  const { id } = await generateNow(db, actor, { count: 1, topicId: ids[3] });
  await writeWhole(db, id);
  await compare(actor);
  const { id: runId, now } = await beginDay(actor);
  await writeRun(db, runId, now);
  const said = await findNextTurns(db, actor, now);
  await writeWhole(db, runId, now);
  const last = await db
    .selectFrom('posts')
    .select(['topicId', 'publishAt'])
    .where('runId', '=', runId)
    .orderBy('runIndex', 'desc')
    .executeTakeFirstOrThrow();
  assert.deepEqual(said.slots.get(last.topicId!)?.at, last.publishAt);
});

test('without automation or a plan no topic has a turn, nor one that is not active or paused', async () => {
  const free = await makeUser(db, {});
  await makeTopic(db, free);
  assert.equal((await findNextTurns(db, free)).why, 'no_plan');
  const { actor, ids } = await somebody(3, 1);
  await toggleTopic(db, actor, ids[0]!);
  await db
    .updateTable('topics')
    .set({ pausedAt: new Date(), failures: 3, failure: 'no' })
    .where('id', '=', ids[1]!)
    .execute();
  assert.deepEqual([...(await findNextTurns(db, actor)).slots.keys()], [ids[2]]);
  await setPause(db, actor, ids[1]!, null);
  await saveSettings(db, actor, { enabled: false });
  const off = await findNextTurns(db, actor);
  assert.deepEqual([off.why, off.slots.size], ['automation_off', 0]);
});

test('a turn that would come after the plan is said to do so', async () => {
  const { actor, ids } = await somebody(5, 1);
  await endPlanAt(db, actor, new Date(Date.now() + 2.5 * DAY));
  const { slots, endsWithPlan, why } = await findNextTurns(db, actor);
  assert.deepEqual([why, endsWithPlan], [null, true]);
  assert.ok(slots.size >= 2 && slots.size < ids.length);
});
