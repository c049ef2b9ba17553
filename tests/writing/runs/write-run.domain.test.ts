import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { listScheduled } from '#app/domain/posts/lists/list.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { refitQueue, saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { findFreeSlots } from '#app/domain/publishing/slots/free-slots.ts';
import { deleteTopic, toggleTopic } from '#app/domain/topics/topics.ts';
import { startDueRuns } from '#app/domain/writing/runs/due.ts';
import { findRun, generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const TIMES = ['09:00', '14:00', '18:00'];
/** 08:00 UTC of a day in the near future, when the users below get their posts written. */
const creation = new Date(Math.ceil(Date.now() / DAY) * DAY + 8 * HOUR);

async function writer(options: { topics?: string[]; postsPerDay?: number } = {}): Promise<Actor> {
  const { topics = ['Weekly planning for small teams', 'Onboarding colleagues'], postsPerDay = 3 } = options;
  const actor = await makeUser(db, { timeZone: 'UTC' });
  const now = new Date(creation.getTime() - HOUR);
  await makePlan(db, actor, postsPerDay, now);
  await saveSettings(db, actor, { publishTimes: TIMES.slice(0, postsPerDay) }, now);
  for (const name of topics) await makeTopic(db, actor, name);
  return actor;
}

const queue = async (actor: Actor) => (await listScheduled(db, actor, PageQuery.parse({}))).rows;
const runsOf = (actor: Actor) =>
  db
    .selectFrom('generationRuns')
    .selectAll()
    .where('userId', '=', actor.userId)
    .orderBy('createdAt')
    .execute();

/** Ticks at `now` and writes every run that was started for the actor. */
async function tick(actor: Actor, now: Date) {
  await startDueRuns(db, now);
  for (const run of await runsOf(actor)) await writeWhole(db, run.id, now);
}

test('one run writes the slots after the creation time, and a second one writes nothing', async () => {
  const actor = await writer();
  await tick(actor, new Date(creation.getTime() - 60_000));
  assert.equal((await queue(actor)).length, 0, 'not before its time');
  await tick(actor, creation);
  await tick(actor, new Date(creation.getTime() + 60_000));
  const posts = await queue(actor);
  const day = creation.toISOString().slice(0, 10);
  assert.deepEqual(
    posts.map((post) => post.publishAt!.toISOString()),
    TIMES.map((time) => `${day}T${time}:00.000Z`),
  );
  assert.ok(posts.every((post) => post.hashtags.length >= 3 && post.content.length >= 200));
});

test('a slot earlier in the day than the creation time belongs to the next day', async () => {
  const actor = await writer();
  const evening = new Date(creation.getTime() - 30 * 60_000);
  await saveSettings(db, actor, { contentCreationTime: '15:00' }, evening);
  await tick(actor, new Date(creation.getTime() + 7 * HOUR));
  const hours = (await queue(actor)).map((post) => (post.publishAt!.getTime() - creation.getTime()) / HOUR);
  assert.deepEqual(hours, [10, 25, 30]);
});

test('two ticks and two jobs at once write each slot once', async () => {
  const actor = await writer();
  await Promise.all([startDueRuns(db, creation), startDueRuns(db, creation), startDueRuns(db, creation)]);
  const runs = await runsOf(actor);
  assert.equal(runs.length, 1);
  await Promise.all([1, 2, 3].map(() => writeWhole(db, runs[0]!.id, creation)));
  assert.equal((await queue(actor)).length, 3);
});

test('the database takes one post for a slot, whoever brings another', async () => {
  const actor = await writer();
  await tick(actor, creation);
  const [post] = await queue(actor);
  const again = sql`insert into posts
    select (jsonb_populate_record(posts, jsonb_build_object('id', gen_random_uuid(), 'run_index', 9))).* from posts where id = ${post!.id}`;
  await assert.rejects(again.execute(db), { constraint: 'posts_slot_key' });
});

test('a run that was interrupted goes on where it stopped', async () => {
  const actor = await writer();
  await startDueRuns(db, creation);
  const [run] = await runsOf(actor);
  await outside.fault('writer.500', { times: 1 });
  await writeRun(db, run!.id, creation);
  const { status, done } = await findRun(db, actor, run!.id);
  assert.deepEqual([status, done], ['running', 2], 'those beside it are stored');
  await writeWhole(db, run!.id, creation);
  const finished = await findRun(db, actor, run!.id);
  assert.deepEqual([finished.status, finished.done, finished.failed], ['complete', 3, 0]);
});

test('topics take turns, and a slot never has the topic of the day before when there is a choice', async () => {
  const actor = await writer({ postsPerDay: 1 });
  await tick(actor, creation);
  await tick(actor, new Date(creation.getTime() + DAY));
  await tick(actor, new Date(creation.getTime() + 2 * DAY));
  const names = (await queue(actor)).map((post) => post.topicName);
  assert.equal(names.length, 3);
  assert.notEqual(names[0], names[1]);
  assert.notEqual(names[1], names[2]);
});

test('a paused user, one without a plan and one without an active topic get nothing written', async () => {
  const paused = await writer();
  await saveSettings(db, paused, { enabled: false }, new Date(creation.getTime() - HOUR));
  const topicless = await writer({ topics: [] });
  const planless = await makeUser(db, { timeZone: 'UTC' });
  await makeTopic(db, planless);
  for (const actor of [paused, topicless, planless]) {
    await tick(actor, creation);
    assert.equal((await runsOf(actor)).length, 0);
  }
});

/** After how many strikes a post is written all the same, after how many there is none, and what is said then. */
const FAULTS: [kind: string, mended: number, given: number, said: RegExp][] = [
  ['writer.malformed', 2, 3, /could not be written/],
  ['writer.refusal', 1, 4, /^No post could be written about “[^”]+”: the writer declined/],
  // What is declined twice leaves its place to the other topic. What was cut off is asked for with more room first.
  ['writer.truncated', 4, 6, /could not be written/],
  ['writer.too-short', 2, 3, /not good enough/],
  ['writer.markdown', 2, 3, /not good enough/],
  ['writer.placeholder', 2, 3, /not good enough/],
];
for (const [kind, mended, given, said] of FAULTS) {
  test(`an answer with the fault ${kind} is asked for again and never stored`, async () => {
    const actor = await writer({ postsPerDay: 1 });
    await outside.fault(kind, { times: mended });
    await tick(actor, creation);
    assert.equal((await queue(actor)).length, 1);
    const again = await writer({ postsPerDay: 1 });
    await outside.fault(kind, { times: given });
    await tick(again, creation);
    assert.equal((await queue(again)).length, 0);
    const [run] = await runsOf(again);
    assert.equal(run!.status, 'complete');
    assert.equal(run!.failed, 1);
    assert.match(run!.error!, said);
  });
}

test('a used-up quota is told to the operator and not to the user as their fault', async () => {
  const actor = await writer({ postsPerDay: 1 });
  await outside.fault('writer.429-quota', { times: 1 });
  const { id } = await generateNow(db, actor, { count: 1 });
  await writeWhole(db, id);
  const run = await findRun(db, actor, id);
  assert.equal(run.status, 'complete');
  assert.match(run.error!, /We know about it/);
  assert.ok((await listOperatorFaults(db)).some(({ key }) => key === 'writer'));
});

test('what the answers cost is counted', async () => {
  const actor = await writer({ postsPerDay: 1 });
  await tick(actor, creation);
  const [run] = await runsOf(actor);
  assert.ok(run!.inputTokens > 0 && run!.outputTokens > 0 && run!.model);
});

test('without a plan three posts a month are free, also for clicks at once', async () => {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makeTopic(db, actor);
  const clicks = await Promise.allSettled([1, 2, 3, 4, 5].map(() => generateNow(db, actor, { count: 1 })));
  assert.equal(clicks.filter(({ status }) => status === 'fulfilled').length, 3);
  await assert.rejects(generateNow(db, actor, { count: 1 }), { status: 402 });
  for (const run of await runsOf(actor)) await writeWhole(db, run.id);
  const posts = await queue(actor);
  assert.equal(posts.length, 3);
  assert.ok(
    posts.every((post) => post.publishAt === null),
    'published by hand, so no slot',
  );
});

test('a form that is sent twice with its key begins one run, also at once and with the last free post', async () => {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  const { id: topicId } = await makeTopic(db, actor);
  const key = crypto.randomUUID();
  const press = (more: object = {}, by = actor) => generateNow(db, by, { count: 2, key, ...more });
  const presses = await Promise.all([press(), press(), press()]);
  assert.equal(new Set(presses.map(({ id }) => id)).size, 1);
  const about = await press({ count: 1, topicId });
  assert.notEqual(about.id, presses[0]!.id, 'it asks for something else');
  assert.equal((await press({ count: 1, topicId })).id, about.id, 'it takes no free post again');
  await writeWhole(db, about.id);
  await deleteTopic(db, actor, topicId);
  assert.equal((await press({ count: 1, topicId })).status, 'complete');
  await assert.rejects(press({ key: crypto.randomUUID() }), { status: 409 });
  await assert.rejects(press({ topicId: 'no\0topic' }), { status: 404 });
  assert.equal((await runsOf(actor)).length, 2);
  const other = await makeUser(db, {});
  await makeTopic(db, other);
  assert.notEqual((await press({}, other)).id, presses[0]!.id, 'a key is its own for each user');
});

test('Generate now without an active topic is refused', async () => {
  const actor = await makeUser(db, {});
  const topic = await makeTopic(db, actor);
  await toggleTopic(db, actor, topic.id);
  await assert.rejects(generateNow(db, actor, { count: 1 }), { code: 'no_active_topic' });
});

test('with a plan Generate now fills the next free slots', async () => {
  const actor = await writer({ postsPerDay: 2 });
  const timetable = await readTimetable(db, actor.userId, new Date(creation.getTime() - HOUR));
  const { id } = await generateNow(db, actor, { count: 3 });
  await writeWhole(db, id, creation);
  const posts = await queue(actor);
  const times = posts.map((post) => post.publishAt!.getTime());
  assert.equal(new Set(times).size, 3);
  const [next] = await findFreeSlots(db, actor.userId, timetable, creation, 1);
  assert.ok(!times.includes(next!.at.getTime()));
});

test('other publish times move waiting posts to the same slot of their day', async () => {
  const actor = await writer();
  await tick(actor, creation);
  await saveSettings(db, actor, { publishTimes: ['10:00', '15:00', '19:00'] }, creation);
  const hours = (await queue(actor)).map((post) => post.publishAt!.getUTCHours());
  assert.deepEqual(hours, [10, 15, 19]);
});

test('another zone moves waiting posts to the same local time', async () => {
  const actor = await writer();
  await tick(actor, creation);
  await saveSettings(db, actor, { timeZone: 'America/New_York' }, creation);
  const local = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'America/New_York' });
  assert.deepEqual(
    (await queue(actor)).map((post) => local.format(post.publishAt!)),
    TIMES,
  );
});

test('a slot that is past moves to the next free one when the times change', async () => {
  const actor = await writer();
  await tick(actor, creation);
  const noon = new Date(creation.getTime() + 4 * HOUR);
  await db
    .updateTable('postSchedules')
    .set({ status: 'published', dueAt: null })
    .where('userId', '=', actor.userId)
    .where('dueAt', '<', noon)
    .execute();
  await saveSettings(db, actor, { publishTimes: ['07:00', '11:00', '19:00'] }, noon);
  const hours = (await queue(actor)).map((post) => (post.publishAt!.getTime() - creation.getTime()) / HOUR);
  assert.deepEqual(hours, [11, 23]);
});

test('fitting the queue to the plan twice changes nothing', async () => {
  const actor = await writer();
  await tick(actor, creation);
  const before = (await queue(actor)).map((post) => post.publishAt);
  await refitQueue(db, actor.userId, creation);
  await refitQueue(db, actor.userId, creation);
  assert.deepEqual(
    (await queue(actor)).map((post) => post.publishAt),
    before,
  );
});

test('an edit that would be cut by the network is refused and changes nothing', async () => {
  const actor = await writer({ postsPerDay: 1 });
  await tick(actor, creation);
  const [post] = await queue(actor);
  await assert.rejects(editPost(db, actor, { postId: post!.id, content: '('.repeat(1_600) }), {
    status: 422,
  });
  assert.equal((await queue(actor))[0]!.content, post!.content);
  await deletePost(db, actor, post!.id);
  assert.equal((await queue(actor)).length, 0);
});
