import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotKey } from '#app/domain/automation/slots.ts';
import { getQueue } from '#app/domain/pages/posts.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { listScheduled } from '#app/domain/posts/lists/list.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { listFreeSlots } from '#app/domain/publishing/slots/slot-key.ts';
import { POSTS_AN_HOUR_MAX } from '#app/domain/writing/limits.ts';
import { fillSlot } from '#app/domain/writing/runs/fill-slot.ts';
import { findRun, generateNow } from '#app/domain/writing/runs/start.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { endPlanAt, makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

await startOutside();
const { db } = await testDatabase();
const DAY = 86_400_000;
const refused = (code: string) => (error: unknown) => (error as { code: string }).code === code;

/** The owner of one post a day, at 09:00 in UTC, and the day after the day after tomorrow. */
async function owner(): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, actor, 1, new Date());
  await saveSettings(db, actor, { timeZone: 'UTC', publishTimes: ['09:00'] });
  await makeTopic(db, actor);
  return actor;
}

const slot = { date: new Date(Date.now() + 3 * DAY).toISOString().slice(0, 10), number: 1 };
const at = new Date(`${slot.date}T09:00:00Z`);
const filling = async (actor: Actor, now = new Date()) => (await getQueue(db, actor, now)).filling;
const queue = async (actor: Actor) => (await listScheduled(db, actor, PageQuery.parse({}))).rows;
const times = async (actor: Actor) => (await queue(actor)).map(({ publishAt }) => publishAt);

test('an open slot is filled with one post, however often it is pressed', async () => {
  const actor = await owner();
  const [run, again] = await Promise.all([fillSlot(db, actor, { slot }), fillSlot(db, actor, { slot })]);
  assert.equal(again.id, run.id);
  assert.deepEqual([run.requested, await filling(actor)], [1, new Set([slotKey(slot)])]);
  await writeWhole(db, run.id);
  assert.deepEqual(await times(actor), [at]);
  const { status, done, insteadAt } = await findRun(db, actor, run.id);
  assert.deepEqual([status, done, insteadAt], ['complete', 1, null]);
  assert.equal((await filling(actor)).size, 0);
  await assert.rejects(fillSlot(db, actor, { slot }), refused('slot_taken'));
  assert.equal((await queue(actor)).length, 1);
});

test('posts that are written for no slot of their own have the next free ones, which nobody fills besides', async () => {
  const actor = await owner();
  const [first, second, third] = await listFreeSlots(db, actor.userId, 3);
  const [date, number] = second!.key.split(' ') as [string, string];
  await fillSlot(db, actor, { slot: { date, number: Number(number) } });
  const { id } = await generateNow(db, actor, { count: 2 });
  const all = [first!, second!, third!].map(({ key }) => key);
  assert.deepEqual([...(await filling(actor))].toSorted(), all);
  await db.updateTable('generationRuns').set({ done: 1 }).where('id', '=', id).execute();
  assert.deepEqual([...(await filling(actor))].toSorted(), all.slice(0, 2));
  const later = new Date(Date.now() + 2 * DAY);
  assert.deepEqual([...(await filling(actor, later))], [all[1]], 'a run of which nobody has heard for a day');
  await db.updateTable('generationRuns').set({ done: 2, status: 'complete' }).where('id', '=', id).execute();
  assert.deepEqual([...(await filling(actor))], [all[1]]);
});

test('a slot that was taken while its post was written leaves it the next free one, and the run says so', async () => {
  const actor = await owner();
  const run = await fillSlot(db, actor, { slot });
  await makeScheduledPost(db, actor, { dueAt: at });
  const [next] = await listFreeSlots(db, actor.userId, 1);
  await writeWhole(db, run.id);
  const { done, insteadAt, error } = await findRun(db, actor, run.id);
  assert.deepEqual([done, insteadAt?.toISOString(), error], [1, next!.iso, null]);
  assert.ok((await times(actor)).some((time) => time?.toISOString() === next!.iso));
});

test('a slot that is past, or gone from the timetable, when its post is written leaves it the next free one', async () => {
  const actor = await owner();
  const late = new Date(at.getTime() + 60_000);
  const run = await fillSlot(db, actor, { slot });
  await writeWhole(db, run.id, late);
  const [next] = await listFreeSlots(db, actor.userId, 1, late);
  const { insteadAt } = await findRun(db, actor, run.id);
  assert.ok(insteadAt! > late && insteadAt!.toISOString() < next!.iso);

  const two = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, two, 2, new Date());
  await saveSettings(db, two, { publishTimes: ['09:00', '18:00'] });
  await makeTopic(db, two);
  const second = await fillSlot(db, two, { slot: { ...slot, number: 2 } });
  await db
    .updateTable('automationSettings')
    .set({ publishTimes: ['09:00'] })
    .where('userId', '=', two.userId)
    .execute();
  await db.updateTable('payments').set({ postsPerDay: 1 }).where('userId', '=', two.userId).execute();
  await writeWhole(db, second.id);
  assert.ok((await findRun(db, two, second.id)).insteadAt! < at);
});

test('another run takes the slot that is being filled, and both posts have a time of their own', async () => {
  const actor = await owner();
  const [first] = await listFreeSlots(db, actor.userId, 1);
  const [date, number] = first!.key.split(' ');
  const fill = await fillSlot(db, actor, { slot: { date: date!, number: Number(number) } });
  const other = await generateNow(db, actor, { count: 1 });
  await writeWhole(db, other.id);
  await writeWhole(db, fill.id);
  const all = (await times(actor)).map((time) => time!.toISOString());
  assert.equal(new Set(all).size, 2);
  assert.equal(all[0], first!.iso);
  assert.ok((await findRun(db, actor, fill.id)).insteadAt);
});

test('a slot is filled with a plan, a topic and within the allowance, and only when it is open', async () => {
  const free = await makeUser(db, { timeZone: 'UTC' });
  await makeTopic(db, free);
  await assert.rejects(fillSlot(db, free, { slot }), /^Refusal: Please subscribe to a plan first$/);
  const actor = await owner();
  const past = { date: new Date(Date.now() - DAY).toISOString().slice(0, 10), number: 1 };
  await assert.rejects(fillSlot(db, actor, { slot: past }), refused('slot_past'));
  await assert.rejects(fillSlot(db, actor, { slot: { ...slot, number: 2 } }), refused('no_such_slot'));
  await assert.rejects(fillSlot(db, actor, { slot, topicId: crypto.randomUUID() }), refused('not_found'));
  const before = { userId: actor.userId, requested: POSTS_AN_HOUR_MAX };
  const { id } = await db
    .insertInto('generationRuns')
    .values(before)
    .returning('id')
    .executeTakeFirstOrThrow();
  await assert.rejects(fillSlot(db, actor, { slot }), refused('rate_limited'));
  await db.deleteFrom('generationRuns').where('id', '=', id).execute();
  assert.equal((await filling(actor)).size, 0);
});

test('of two runs for one slot the database takes one until it is over', async () => {
  const actor = await owner();
  const values = { userId: actor.userId, requested: 1, slotDate: slot.date, slotNumber: 1 };
  const insert = (more: object = {}) =>
    db
      .insertInto('generationRuns')
      .values({ ...values, ...more })
      .execute();
  await insert({ status: 'complete' });
  await insert();
  await assert.rejects(insert(), /generation_runs_slot_key/);
});

test('nothing is written for a time after the plan, unless it is renewed', async () => {
  const actor = await owner();
  await endPlanAt(db, actor, new Date(at.getTime() - 3_600_000));
  await assert.rejects(fillSlot(db, actor, { slot }), {
    status: 409,
    code: 'after_plan',
    message: 'Your plan ends before this time. Renew it first, or choose an earlier one',
  });
  assert.equal((await filling(actor)).size, 0);
  assert.ok((await listFreeSlots(db, actor.userId, 10)).every(({ iso }) => new Date(iso) < at));
  await makePlan(db, actor, 2, new Date(), { upgradeType: 'next_billing' });
  assert.equal((await fillSlot(db, actor, { slot })).requested, 1);
});
